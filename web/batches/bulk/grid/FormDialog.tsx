/** A small dialog with a form; Enter in a field applies it. */
import type { ReactNode } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Form } from '#web/ui/Form.tsx'
import { gridTexts } from './texts.ts'
import styles from './GridTools.module.css'

type FormDialogProps = {
  title: string
  action: string
  close: () => void
  onSubmit: () => void
  children: ReactNode
}

export function FormDialog({ title, action, close, onSubmit, children }: FormDialogProps) {
  return (
    <Dialog opened isForm onClose={close} title={title} size="small">
      <Form className={styles.form} onSubmit={onSubmit}>
        {children}
        <div className={styles.formButtons}>
          <Button onClick={close}>{gridTexts.dialogs.cancel}</Button>
          <Button kind="ink" type="submit">
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
