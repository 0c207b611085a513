/** The card 'Bulk Order Items': a grid, or cards on phones, and a status line. */
import { IconArrowBackUp } from '@tabler/icons-react'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/ListTable.tsx'
import { useBulk } from './bulk-store.ts'
import { BulkGrid } from './BulkGrid.tsx'
import { texts } from './texts.ts'
import type { BulkTableState } from './use-bulk-table.ts'
import type { GridSources } from './use-grid.ts'
import styles from './Bulk.module.css'

/** `disabled`: the rows are being submitted and can't be changed. */
type BulkItemsProps = {
  table: BulkTableState
  /** Prices, warnings and the filter of the page. */
  sources: GridSources
  disabled: boolean
  onReset: () => void
}

export function BulkItems({ table, sources, disabled, onReset }: BulkItemsProps) {
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
        <BulkGrid table={table} sources={sources} />
      ) : (
        <EmptyState title={texts.empty.title} text={texts.empty.text} />
      )}
    </section>
  )
}
