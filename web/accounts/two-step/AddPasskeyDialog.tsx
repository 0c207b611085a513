import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listDevices } from '#contract/accounts.ts'
import { addPasskey, beginPasskey } from '#contract/second-factor.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { FactorNameField } from './FactorNameField.tsx'
import { createPasskey, passkeyErrorText } from './passkeys.ts'
import { texts } from './texts.ts'
import styles from './TwoStep.module.css'

const t = texts.newPasskey

type AddPasskeyDialogProps = {
  /** `recoveryCodes`: of the first factor. */
  onAdded: (name: string, recoveryCodes: string[] | null) => void
  onClose: () => void
}

export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const { _id: userId } = useUser()
  const device = useDeviceName(userId)
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const name = typed ?? device

  const submit = async () => {
    const wrong = name.trim() ? undefined : texts.required(t.name)
    setError(wrong)
    setRefused(null)
    if (wrong) return
    setBusy(true)
    try {
      const { options } = await send(beginPasskey, { params: { userId } })
      const response = await createPasskey(options)
      const { factor, recoveryCodes } = await send(addPasskey, {
        params: { userId },
        body: { name: name.trim(), response },
      })
      onAdded(factor.name, recoveryCodes)
    } catch (reason) {
      const told = fieldErrorsOf(reason).name
      setError(told)
      if (!told) setRefused(passkeyErrorText(reason) ?? messageOf(reason, texts.failed))
      setBusy(false)
    }
  }

  return (
    <FormDialog
      title={t.title}
      size="small"
      refused={refused}
      submitText={t.create}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.explain}>{t.text}</p>
      <FactorNameField
        isFirst
        label={t.name}
        description={t.nameHint}
        error={error}
        value={name}
        onChange={text => {
          setTyped(text)
          setError(undefined)
        }}
      />
    </FormDialog>
  )
}

/** 'Chrome on Windows', as the list of devices calls this one. */
function useDeviceName(userId: string): string {
  const { data } = useQuery({
    queryKey: queryKeys.devices(userId),
    queryFn: ({ signal }) => send(listDevices, { params: { userId } }, { signal }),
  })
  return data?.sessions.find(({ current }) => current)?.device ?? texts.kinds.passkey
}
