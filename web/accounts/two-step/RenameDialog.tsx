import { useState } from 'react'
import { renameFactor } from '#contract/second-factor.ts'
import type { Factor } from '#contract/second-factor.ts'
import { fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useIsUnchanged } from '#web/ui/use-is-unchanged.ts'
import { FactorNameField } from './FactorNameField.tsx'
import { texts } from './texts.ts'

const t = texts.renaming

type RenameDialogProps = { factor: Factor; onRenamed: () => Promise<void>; onClose: () => void }

export function RenameDialog({ factor, onRenamed, onClose }: RenameDialogProps) {
  const { _id: userId } = useUser()
  const [name, setName] = useState(factor.name)
  const [error, setError] = useState<string>()
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isUnchanged = useIsUnchanged([name])

  const submit = async () => {
    const wrong = name.trim() ? undefined : texts.required(t.name)
    setError(wrong)
    setRefused(null)
    if (wrong) return
    setBusy(true)
    try {
      const { message } = await send(renameFactor, {
        params: { userId, factorId: factor._id },
        body: { name: name.trim() },
      })
      toastSuccess(message)
      await onRenamed()
      if (isUnchanged()) return onClose()
      setBusy(false)
    } catch (reason) {
      const told = fieldErrorsOf(reason).name
      setError(told)
      if (!told) setRefused(messageOf(reason, texts.failed))
      setBusy(false)
    }
  }

  return (
    <FormDialog
      title={t.title}
      size="small"
      refused={refused}
      submitText={t.save}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <FactorNameField
        isFirst
        label={t.name}
        error={error}
        value={name}
        onChange={typed => {
          setName(typed)
          setError(undefined)
        }}
      />
    </FormDialog>
  )
}
