import { ConfirmDialog } from './Dialog.tsx'
import { texts } from './texts.ts'
import type { UnsavedChangesGuard } from './use-unsaved-changes-guard.ts'

/** The question of `useUnsavedChangesGuard`. `subject` names what was changed. */
export function ConfirmDiscard({
  guard: { asking, discard, keep },
  subject,
}: {
  guard: UnsavedChangesGuard
  subject: string
}) {
  return (
    <ConfirmDialog
      opened={asking}
      question={texts.confirmDiscard}
      description={subject}
      confirmLabel={texts.discard}
      cancelLabel={texts.keepEditing}
      onConfirm={discard}
      onCancel={keep}
    />
  )
}
