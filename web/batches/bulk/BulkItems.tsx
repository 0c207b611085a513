/** The card 'Bulk Order Items': a grid, or cards on phones, and a status line. */
import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { GridRow } from '#web/batches/grid-row.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import type { MenuAction } from '#web/ui/ActionMenu.tsx'
import { Button } from '#web/ui/Button.tsx'
import { useBoxWidth } from '#web/ui/use-box-width.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { BulkGrid } from './grid/BulkGrid.tsx'
import { FirstRows } from './grid/FirstRows.tsx'
import { HistoryButtons } from './grid/HistoryButtons.tsx'
import type { BulkTableState } from './grid/use-bulk-table.ts'
import type { GridSources } from './grid/use-grid.ts'
import { texts } from './texts.ts'
import styles from './Bulk.module.css'

export const ITEMS_HEADING_ID = 'bulk-items'

type BulkItemsProps = {
  table: BulkTableState
  /** Prices, warnings and the filter of the page. */
  sources: GridSources
  /** The rows are being submitted and can't be changed. */
  disabled: boolean
  /** The rows may be bought and stay as they were sent; the table may still be reset. */
  frozen: boolean
  /** Shown without rows. */
  empty: ReactNode
  /** The beginning of a file that is being read, in place of the table. */
  firstRows: readonly GridRow[] | null
  /** Opens the drafts; null while there are none. */
  onDrafts: (() => void) | null
  onReset: () => void
}

export function BulkItems(props: BulkItemsProps) {
  const { table, sources, disabled, frozen, empty, firstRows, onDrafts, onReset } = props
  const { rows } = table.draft
  // On phones, undo and the menu are beside the search.
  const phone = useIsPhone()
  const inTools = phone && rows.length > 0 && !frozen
  const menu = menuActions(onDrafts, onReset)
  const { box, width } = useBoxWidth<HTMLElement>()
  return (
    <section
      ref={box}
      className={styles.items}
      data-empty={(rows.length === 0 && !firstRows) || undefined}
      aria-labelledby={ITEMS_HEADING_ID}
      inert={disabled}
    >
      <div className={styles.head}>
        <h2 id={ITEMS_HEADING_ID} tabIndex={-1}>
          {texts.title}
        </h2>
        {firstRows ? (
          <p>{texts.reading.firstRows}</p>
        ) : (
          rows.length > 0 && <p>{texts.rowsHint(rows.length)}</p>
        )}
        {!frozen && !inTools && <HistoryButtons table={table} />}
        {rows.length > 0
          ? !inTools && <ActionMenu name={texts.tableMenu} actions={menu} />
          : onDrafts && (
              <Button size="small" onClick={onDrafts}>
                {texts.drafts.button}
              </Button>
            )}
      </div>
      {firstRows ? (
        <FirstRows rows={firstRows} width={width} />
      ) : rows.length > 0 ? (
        <div className={styles.part} inert={frozen}>
          <BulkGrid table={table} sources={sources} width={width} tableMenu={menu} />
        </div>
      ) : (
        empty
      )}
    </section>
  )
}

/** What is done with the table as a whole, and seldom. */
const menuActions = (onDrafts: (() => void) | null, onReset: () => void): MenuAction[] => [
  ...(onDrafts ? [{ text: texts.drafts.saveAs, icon: IconDeviceFloppy, onClick: onDrafts }] : []),
  { text: texts.reset, icon: IconTrash, danger: true, dividerBefore: true, onClick: onReset },
]
