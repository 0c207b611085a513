import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { CheckField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'
import styles from './Webhooks.module.css'

const t = texts.secret

type SecretDialogProps = {
  value: string
  /** False after a change. */
  isNew: boolean
  onDone: () => void
}

/** Shows a secret, once. It closes when the user says that it is saved. */
export function SecretDialog({ value, isNew, onDone }: SecretDialogProps) {
  const [saved, setSaved] = useState(false)
  const unsaved = saved ? null : t.saveFirst
  return (
    <Dialog
      opened
      onClose={onDone}
      title={t.title}
      closeButton={false}
      closeDisabledReason={unsaved}
      actions={
        <Button kind="ink" size="large" disabledReason={unsaved} onClick={onDone}>
          {t.done}
        </Button>
      }
    >
      <p className={styles.explain}>{isNew ? t.text : t.changedText}</p>
      <CopyField label={t.label} value={value} />
      <CheckField
        label={t.saved}
        data-autofocus
        checked={saved}
        onChange={event => setSaved(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
