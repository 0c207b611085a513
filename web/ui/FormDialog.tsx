/** A dialog that is a form: fields, the server's refusal, Cancel and the button that submits. */
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorLine } from './ErrorLine.tsx'
import { Form } from './Form.tsx'
import { texts } from './texts.ts'
import { useSavingReason } from './use-saving-reason.ts'
import styles from './FormDialog.module.css'

type FormDialogProps = {
  title: ReactNode
  /** 600 px (default) or 440. */
  size?: 'normal' | 'small'
  children: ReactNode
  /** Above the buttons; null while nothing was refused. */
  refused: string | null
  submitText: string
  busy: boolean
  onSubmit: () => void | Promise<void>
  onClose: () => void
}

/** Open while it is rendered. The field with `data-autofocus` gets the focus. */
export function FormDialog(props: FormDialogProps) {
  const { title, size, children, refused, submitText, busy, onSubmit, onClose } = props
  const wait = useSavingReason(busy, texts.wait)
  return (
    <Dialog opened isForm onClose={onClose} title={title} size={size} closeDisabledReason={wait}>
      <Form onSubmit={onSubmit} className={styles.form}>
        {children}
        <ErrorLine>{refused}</ErrorLine>
        <div className={styles.buttons}>
          <Button size="large" onClick={onClose} disabledReason={wait}>
            {texts.cancel}
          </Button>
          <Button kind="ink" size="large" type="submit" busy={busy}>
            {submitText}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
