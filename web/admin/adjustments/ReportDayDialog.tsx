/** Asks for the last day of a report of whole changes: the file does not tell it. */
import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { DateField } from '#web/ui/DateField.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Form } from '#web/ui/Form.tsx'
import { texts } from './texts.ts'
import styles from './Adjustments.module.css'

const t = texts.report
const FORM_ID = 'adjustment-report'

type ReportDayDialogProps = { onDay: (day: string) => void; onClose: () => void }

export function ReportDayDialog({ onDay, onClose }: ReportDayDialogProps) {
  const [day, setDay] = useState('')
  const [attempted, setAttempted] = useState(false)
  const next = () => {
    setAttempted(true)
    if (day !== '') onDay(day)
  }
  return (
    <Dialog
      isForm
      opened
      title={t.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="ink" type="submit" form={FORM_ID}>
            {t.next}
          </Button>
        </>
      }
    >
      <Form id={FORM_ID} className={styles.form} onSubmit={next}>
        <p className={styles.text}>{t.text}</p>
        <DateField
          label={t.day}
          data-autofocus
          value={day}
          error={attempted && day === '' ? t.missing : null}
          onDay={setDay}
        />
      </Form>
    </Dialog>
  )
}
