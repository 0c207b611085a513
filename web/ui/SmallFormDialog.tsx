/** A question with fields: as ConfirmDialog, without a ×. Typed text is not lost without a question. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { ConfirmDiscard } from './ConfirmDiscard.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorLine } from './ErrorLine.tsx'
import { Form } from './Form.tsx'
import { texts } from './texts.ts'
import { useUnsavedChangesGuard } from './use-unsaved-changes-guard.ts'
import styles from './SmallFormDialog.module.css'

type SmallFormDialogProps = {
  title: ReactNode
  children: ReactNode
  refused: string | null
  submitText: string
  busy: boolean
  wait: string | null
  onSubmit: () => void | Promise<void>
  onClose: () => void
}

const hasText = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll<HTMLInputElement>('input:not([type="radio"])')].some(
    ({ value }) => value.trim() !== '',
  )

export function SmallFormDialog(props: SmallFormDialogProps) {
  const { title, children, refused, submitText, busy, wait, onSubmit, onClose } = props
  const [isTyped, setTyped] = useState(false)
  const guard = useUnsavedChangesGuard(isTyped && !busy)
  const close = () => guard.leaveOrAsk(onClose)
  return (
    <Dialog
      isForm
      opened
      onClose={close}
      title={title}
      size="small"
      closeButton={false}
      closeDisabledReason={wait}
    >
      <Form
        onSubmit={onSubmit}
        onInput={({ currentTarget }) => setTyped(hasText(currentTarget))}
        className={styles.form}
      >
        {children}
        <ErrorLine>{refused}</ErrorLine>
        <div className={styles.buttons}>
          <Button onClick={close} disabledReason={wait}>
            {texts.cancel}
          </Button>
          <Button kind="ink" type="submit" busy={busy}>
            {submitText}
          </Button>
        </div>
      </Form>
      <ConfirmDiscard guard={guard} subject={texts.notSaved} />
    </Dialog>
  )
}
