/** Measures that are entered once for all rows of a cause. */
import { useState } from 'react'
import { cellError } from '#contract/row-rules.ts'
import { emptyRow, fieldByName, MEASURES } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import type { FaultCause, FaultRemedy } from './fault-causes.ts'
import type { EnteredMeasures } from './fault-remedies.ts'
import styles from './EnterOnceDialog.module.css'

const t = texts.enterOnce

export type MeasuresCause = FaultCause & { remedy: FaultRemedy & { kind: 'measures' } }

type EnterOnceDialogProps = {
  cause: MeasuresCause | null
  onFill: (cause: MeasuresCause, measures: EnteredMeasures) => void
  onClose: () => void
}

export function EnterOnceDialog({ cause, onFill, onClose }: EnterOnceDialogProps) {
  return (
    <Dialog
      isForm
      opened={cause !== null}
      onClose={onClose}
      title={cause ? t.title(cause.text) : ''}
      size="small"
    >
      {cause && <MeasuresForm key={cause.key} cause={cause} onFill={onFill} onClose={onClose} />}
    </Dialog>
  )
}

function MeasuresForm({ cause, onFill, onClose }: EnterOnceDialogProps & { cause: MeasuresCause }) {
  const { sku, fields } = cause.remedy
  const names = MEASURES.filter(name => fields.includes(name))
  const [entered, setEntered] = useState<EnteredMeasures>({})
  const [tried, setTried] = useState(false)
  const errorOf = (name: RowField) =>
    cellError(name, entered[name as keyof EnteredMeasures] ?? '', emptyRow())
  const fill = () => {
    setTried(true)
    if (names.every(name => errorOf(name) === null)) onFill(cause, entered)
  }
  return (
    <Form onSubmit={fill} className={styles.form}>
      <p>{sku === '' ? t.text(cause.rows) : t.forSku(sku)}</p>
      <div className={styles.fields}>
        {names.map((name, index) => (
          <TextField
            key={name}
            label={`${fieldByName(name).label}, ${name === 'PackageWeight' ? 'lb' : 'in'}`}
            inputMode="decimal"
            required
            data-autofocus={index === 0 || undefined}
            error={tried ? errorOf(name) : null}
            value={entered[name] ?? ''}
            onChange={({ currentTarget }) => {
              const { value } = currentTarget
              setEntered(before => ({ ...before, [name]: value.trim() }))
            }}
          />
        ))}
      </div>
      <div className={styles.actions}>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button kind="ink" type="submit">
          {t.fill(cause.rows)}
        </Button>
      </div>
    </Form>
  )
}
