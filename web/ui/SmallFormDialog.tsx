/** A question with fields: as ConfirmDialog, without a ×. */
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorLine } from './ErrorLine.tsx'
import { Form } from './Form.tsx'
import { texts } from './texts.ts'
import styles from './SmallFormDialog.module.css'

type SmallFormDialogProps = {
  opened?: boolean
  title: ReactNode
  children: ReactNode
  refused: string | null
  submitText: string
  busy: boolean
  wait: string | null
  onSubmit: () => void | Promise<void>
  onClose: () => void
}

export function SmallFormDialog(props: SmallFormDialogProps) {
  const {
    opened = true,
    title,
    children,
    refused,
    submitText,
    busy,
    wait,
    onSubmit,
    onClose,
  } = props
  return (
    <Dialog
      isForm
      opened={opened}
      onClose={onClose}
      title={title}
      size="small"
      closeButton={false}
      closeDisabledReason={wait}
    >
      <Form onSubmit={onSubmit} className={styles.form}>
        {children}
        <ErrorLine>{refused}</ErrorLine>
        <div className={styles.buttons}>
          <Button onClick={onClose} disabledReason={wait}>
            {texts.cancel}
          </Button>
          <Button kind="ink" type="submit" busy={busy}>
            {submitText}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
