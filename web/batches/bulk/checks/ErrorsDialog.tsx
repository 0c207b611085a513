import { invalidRowsText, withGroupName } from '#contract/row-rules.ts'
import { FIELDS } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import type { BulkTableState } from '#web/batches/bulk/grid/use-bulk-table.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { RowValidator } from './validation.ts'
import styles from '#web/batches/bulk/Bulk.module.css'

/** More would be unreadable, and 10,000 would block the browser. */
const MAX_LISTED_ROWS = 100

type ErrorsDialogProps = {
  opened: boolean
  table: BulkTableState
  onGo: (row: number, field: RowField | null) => void
  onClose: () => void
}

export function ErrorsDialog({ opened, table, onGo, onClose }: ErrorsDialogProps) {
  const {
    draft: { rows },
    invalidRows: invalid,
    validateRow,
  } = table
  const goTo = (index: number | undefined) => {
    const row = index === undefined ? undefined : rows[index]
    onClose()
    if (index === undefined || !row) return
    const errors = validateRow(row)
    const field = FIELDS.find(({ name }) => errors[name])?.name ?? null
    // The dialog is still open now and would keep the focus.
    setTimeout(() => onGo(index, field))
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={texts.invalidTitle}
      closeButton={false}
      actions={
        <>
          <Button onClick={onClose}>{texts.close}</Button>
          <Button kind="ink" data-autofocus onClick={() => goTo(invalid[0])}>
            {texts.fix}
          </Button>
        </>
      }
    >
      <p className={styles.invalidCount}>{invalidRowsText(invalid.length)}</p>
      <div
        className={styles.invalidRows}
        role="region"
        aria-label={texts.invalidTitle}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must reach a scrolling box
        tabIndex={0}
      >
        {invalid.slice(0, MAX_LISTED_ROWS).map(index => {
          const row = rows[index]
          return (
            row && (
              <InvalidRow
                key={row.id}
                row={row}
                index={index}
                validateRow={validateRow}
                onGo={() => goTo(index)}
              />
            )
          )
        })}
        {invalid.length > MAX_LISTED_ROWS && (
          <p>{texts.moreRows(invalid.length - MAX_LISTED_ROWS)}</p>
        )}
      </div>
    </Dialog>
  )
}

function InvalidRow({
  row,
  index,
  validateRow,
  onGo,
}: {
  row: GridRow
  index: number
  validateRow: RowValidator
  onGo: () => void
}) {
  const errors = validateRow(row)
  return (
    <section>
      <h3>
        <button type="button" className={styles.linkButton} onClick={onGo}>
          {texts.rowName(index)}
        </button>{' '}
        <span>{row.orderId || row.ToRecipientName}</span>
      </h3>
      <ul>
        {FIELDS.map(({ name }) => {
          const message = errors[name]
          return message && <li key={name}>{withGroupName(name, message)}</li>
        })}
      </ul>
    </section>
  )
}
