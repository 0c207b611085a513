import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { CheckField } from '#web/ui/Field.tsx'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import styles from './Account.module.css'

type ShownOnceDialogProps = {
  texts: { title: string; saved: string; saveFirst: string; done: string }
  lead: string
  children: ReactNode
  onDone: () => void
}

/** Shows a secret, once. It closes when the user says that it is saved. */
export function ShownOnceDialog({ texts: t, lead, children, onDone }: ShownOnceDialogProps) {
  const [saved, setSaved] = useState(false)
  const unsaved = saved ? null : t.saveFirst
  // Back would lose it, too.
  const guard = useUnsavedChangesGuard(!saved)
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
      <p className={styles.lead}>{lead}</p>
      {children}
      <CheckField
        label={t.saved}
        data-autofocus
        checked={saved}
        onChange={event => setSaved(event.currentTarget.checked)}
      />
      <ConfirmDiscard guard={guard} subject={t.saveFirst} />
    </Dialog>
  )
}
