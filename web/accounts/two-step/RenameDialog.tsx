import { useState } from 'react'
import { renameFactor } from '#contract/second-factor.ts'
import type { Factor } from '#contract/second-factor.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
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
  const { busy, errors, refused, clearError, run } = useAction(texts.failed, { name: true })
  const isUnchanged = useIsUnchanged([name])

  const save = async () => {
    const { message } = await send(renameFactor, {
      params: { userId, factorId: factor._id },
      body: { name: name.trim() },
    })
    toastSuccess(message)
    await onRenamed()
    if (isUnchanged()) onClose()
  }

  return (
    <FormDialog
      title={t.title}
      size="small"
      refused={refused}
      submitText={t.save}
      busy={busy}
      onSubmit={() => run(save, name.trim() ? {} : { name: texts.required(t.name) })}
      onClose={onClose}
    >
      <FactorNameField
        isFirst
        label={t.name}
        error={errors.name}
        value={name}
        onChange={typed => {
          setName(typed)
          clearError('name')
        }}
      />
    </FormDialog>
  )
}
