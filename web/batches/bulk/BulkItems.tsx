/** The card 'Bulk Order Items': a grid, or cards on phones, and a status line. */
import { IconArrowBackUp } from '@tabler/icons-react'
import { withGroupName } from '#contract/row-rules.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/ListTable.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { useBulk } from './bulk-store.ts'
import { EditSheet } from './EditSheet.tsx'
import { Grid } from './Grid.tsx'
import { RowCards } from './RowCards.tsx'
import { texts } from './texts.ts'
import type { BulkTableState } from './use-bulk-table.ts'
import styles from './Bulk.module.css'

/** `disabled`: the rows are being submitted and can't be changed. */
type BulkItemsProps = { table: BulkTableState; disabled: boolean; onReset: () => void }

export function BulkItems({ table, disabled, onReset }: BulkItemsProps) {
  const { rows } = table.draft
  const canUndo = useBulk(bulk => bulk.history.length > 0)
  return (
    <section className={styles.items} aria-labelledby="bulk-items" inert={disabled}>
      <div className={styles.head}>
        <h2 id="bulk-items">{texts.title}</h2>
        {rows.length > 0 && <p>{texts.rowsHint(rows.length)}</p>}
        {canUndo && (
          <Button kind="quiet" size="small" icon={<IconArrowBackUp />} onClick={table.undo}>
            {texts.undo}
          </Button>
        )}
        {rows.length > 0 && (
          <Button size="small" onClick={onReset}>
            {texts.reset}
          </Button>
        )}
      </div>
      {rows.length > 0 ? (
        <GridOrCards table={table} />
      ) : (
        <EmptyState title={texts.empty.title} text={texts.empty.text} />
      )}
    </section>
  )
}

const NO_SERVICES: never[] = []

function GridOrCards({ table }: { table: BulkTableState }) {
  const phone = useIsPhone()
  const {
    draft: { rows },
    columns,
    validateRow,
    invalidRows,
    editing,
    active,
  } = table
  const services = table.services.data ?? NO_SERVICES
  if (!phone) {
    return (
      <>
        <Grid
          rows={rows}
          invalid={invalidRows}
          columns={columns}
          validateRow={validateRow}
          services={services}
          editing={editing}
          active={active}
          onActive={(cell, focus) => (focus ? table.moveTo(cell) : table.setActiveCell(cell))}
          onEdit={table.edit}
          onDelete={table.requestDelete}
          onPaste={table.paste}
          onUndo={table.undo}
        />
        <StatusLine table={table} />
      </>
    )
  }
  return (
    <>
      <RowCards
        rows={rows}
        validateRow={validateRow}
        goTo={active}
        onEdit={index => table.edit({ row: index, column: -1 })}
        onDelete={table.requestDelete}
      />
      {editing && (
        <EditSheet
          editing={editing}
          index={rows.findIndex(row => row.id === editing.id)}
          columns={columns}
          services={services}
        />
      )}
    </>
  )
}

/**
 * The full error or notice of the active cell, which a narrow column cuts off; otherwise the keys.
 */
function StatusLine({ table: { draft, columns, validateRow, active } }: { table: BulkTableState }) {
  const row = draft.rows[active.row]
  const field = columns[active.column]
  const error = row && field && validateRow(row)[field.name]
  const text = error ? withGroupName(field.name, error) : row?.notices.join(' ')
  return (
    <p className={styles.status} data-invalid={error ? true : undefined}>
      {text ? `${texts.rowName(active.row)}: ${text}` : texts.keysHint}
    </p>
  )
}
