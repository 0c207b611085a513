/** Adding a second factor: its dialogs, and then the recovery codes of the first one. */
import type { ReactNode } from 'react'
import type { ResponseData } from '#contract/endpoint.ts'
import { beginTotp } from '#contract/second-factor.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useToastedAction } from '#web/client/use-action.ts'
import { notifyPage, toastSuccess } from '#web/ui/toasts.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { isDialogOpen } from '#web/ui/use-topmost-layer.ts'
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
  const { opened, open, close } = useOpened<OpenDialog>()
  const [busy, run] = useToastedAction(texts.failed)

  const addApp = () =>
    run(async () => {
      const setUp = await send(beginTotp, { params: { userId } })
      // The user may be typing in another dialog by now.
      if (isDialogOpen()) notifyPage('blue', texts.app.otherDialog)
      else open({ kind: 'app', setUp })
    })
  const finish = (one: OpenDialog) => {
    close(one)
    onDone()
  }
  const added = (one: OpenDialog, done: string, recoveryCodes: string[] | null) => {
    toastSuccess(done)
    void onAdded()
    // Shown only once, so also over another dialog.
    if (recoveryCodes) open({ kind: 'codes', codes: recoveryCodes })
    else finish(one)
  }
  const dialog =
    opened?.kind === 'app' ? (
      <AddAppDialog
        setUp={opened.setUp}
        onAdded={(name, codes) => added(opened, texts.app.done(name), codes)}
        onClose={() => close(opened)}
      />
    ) : opened?.kind === 'passkey' ? (
      <AddPasskeyDialog
        onAdded={(name, codes) => added(opened, texts.newPasskey.done(name), codes)}
        onClose={() => close(opened)}
      />
    ) : opened?.kind === 'codes' ? (
      <RecoveryCodesDialog codes={opened.codes} onDone={() => finish(opened)} />
    ) : null
  return {
    addApp,
    addPasskey: () => open({ kind: 'passkey' }),
    showCodes: codes => open({ kind: 'codes', codes }),
    busy,
    dialog,
  }
}
