import { ShownOnceDialog } from '#web/accounts/ShownOnceDialog.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { texts } from './texts.ts'

const t = texts.secret

type SecretDialogProps = {
  value: string
  /** False after a change. */
  isNew: boolean
  onDone: () => void
}

/** Shows the secret of a webhook. */
export function SecretDialog({ value, isNew, onDone }: SecretDialogProps) {
  return (
    <ShownOnceDialog texts={t} lead={isNew ? t.text : t.changedText} onDone={onDone}>
      <CopyField label={t.label} value={value} />
    </ShownOnceDialog>
  )
}
