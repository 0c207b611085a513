/** Adding a second factor: its dialogs, and then the recovery codes of the first one. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ResponseData } from '#contract/endpoint.ts'
import { beginTotp } from '#contract/second-factor.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { AddAppDialog } from './AddAppDialog.tsx'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { texts } from './texts.ts'

type OpenDialog =
  | { kind: 'app'; setUp: ResponseData<typeof beginTotp> }
  | { kind: 'passkey' }
  | { kind: 'codes'; codes: string[] }

type AddFactor = {
  addApp: () => Promise<void>
  addPasskey: () => void
  showCodes: (codes: string[]) => void
  /** The set-up of an app is being prepared. */
  busy: boolean
  /** Render it. */
  dialog: ReactNode
}

/** `onAdded`: the factors have changed. `onDone`: its recovery codes, if any, are saved too. */
export function useAddFactor(onAdded: () => Promise<void>, onDone: () => void): AddFactor {
  const { _id: userId } = useUser()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const [busy, setBusy] = useState(false)
  const close = () => setOpen(null)

  const addApp = async () => {
    setBusy(true)
    try {
      setOpen({ kind: 'app', setUp: await send(beginTotp, { params: { userId } }) })
    } catch (reason) {
      toastError(messageOf(reason, texts.failed))
    }
    setBusy(false)
  }
  const finish = () => {
    close()
    onDone()
  }
  const added = (done: string) => (recoveryCodes: string[] | null) => {
    toastSuccess(done)
    void onAdded()
    if (recoveryCodes) setOpen({ kind: 'codes', codes: recoveryCodes })
    else finish()
  }
  const dialog =
    open?.kind === 'app' ? (
      <AddAppDialog
        setUp={open.setUp}
        onAdded={(name, codes) => added(texts.app.done(name))(codes)}
        onClose={close}
      />
    ) : open?.kind === 'passkey' ? (
      <AddPasskeyDialog
        onAdded={(name, codes) => added(texts.newPasskey.done(name))(codes)}
        onClose={close}
      />
    ) : open?.kind === 'codes' ? (
      <RecoveryCodesDialog codes={open.codes} onDone={finish} />
    ) : null
  return {
    addApp,
    addPasskey: () => setOpen({ kind: 'passkey' }),
    showCodes: codes => setOpen({ kind: 'codes', codes }),
    busy,
    dialog,
  }
}
