import { useState } from 'react'
import { currentKey } from '#contract/api-keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyField } from '#web/ui/CopyText.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { CheckField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'
import styles from './ApiKeys.module.css'

const t = texts.made

/** Shows a new key, once. It closes when the user says that it is saved. */
export function MadeKeyDialog({ value, onDone }: { value: string; onDone: () => void }) {
  const [saved, setSaved] = useState(false)
  const unsaved = saved ? null : t.saveFirst
  const command = `curl -H "Authorization: Bearer ${value}" ${location.origin}${currentKey.path}`
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
      <p className={styles.explain}>{t.text}</p>
      <CopyField label={t.key} value={value} />
      <CopyField label={t.tryIt} value={command} />
      <CheckField
        label={t.saved}
        data-autofocus
        checked={saved}
        onChange={event => setSaved(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
