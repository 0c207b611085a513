/** Above the rows: who sends them, folded columns, search, and what is selected or filtered. */
import {
  IconArrowsDiff,
  IconArrowsSort,
  IconCheckbox,
  IconChevronDown,
  IconChevronRight,
  IconColumns,
  IconDownload,
  IconFilter,
  IconReplace,
  IconRowInsertBottom,
} from '@tabler/icons-react'
import type { RefObject } from 'react'
import { inTurns } from '#web/batches/bulk/checks/in-turns.ts'
import { useIsNarrow } from '#web/batches/bulk/use-is-narrow.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import type { MenuAction } from '#web/ui/ActionMenu.tsx'
import { Button } from '#web/ui/Button.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { pickedRowActions, rowActions } from './GridMenu.tsx'
import { HistoryButtons } from './HistoryButtons.tsx'
import { prepareSearch } from './row-filter.ts'
import { cellsIn } from './selection.ts'
import { gridTexts } from './texts.ts'
import type { GridModel } from './use-grid.ts'
import type { RowPicking } from './use-row-picking.ts'
import styles from './GridTools.module.css'

const t = gridTexts

type GridToolsProps = {
  grid: GridModel
  phone: boolean
  picking: RowPicking
  searchBox: RefObject<HTMLDivElement | null>
  /** What is done with the table as a whole; on phones it is in the menu of the rows. */
  tableMenu: MenuAction[]
}

export function GridTools({ grid, phone, picking, searchBox, tableMenu }: GridToolsProps) {
  const { sender, senderShown, emptyColumns, emptyShown, view, rows, isFiltered, sort } = grid
  const narrow = useIsNarrow()
  const emptyText = emptyShown ? t.hideEmpty : t.showEmpty(emptyColumns)
  const shown = t.shownOf(view.count, rows.length)
  return (
    <>
      <div className={styles.tools} data-tools>
        {sender !== null && !phone && (
          <button
            type="button"
            className={styles.sender}
            aria-expanded={senderShown}
            title={sender}
            onClick={({ currentTarget }) => {
              grid.toggleSender()
              if (!senderShown) requestAnimationFrame(() => showSenderColumns(currentTarget))
            }}
          >
            <span>{t.from}</span> <b>{sender}</b>
            {senderShown ? (
              <IconChevronDown aria-hidden="true" />
            ) : (
              <IconChevronRight aria-hidden="true" />
            )}
          </button>
        )}
        {emptyColumns > 0 && !phone && (
          <Button
            size="small"
            kind="quiet"
            icon={<IconColumns />}
            aria-label={emptyText}
            title={emptyText}
            onClick={grid.toggleEmpty}
          >
            {!narrow && (emptyShown ? t.fewerColumns : t.allColumns)}
          </Button>
        )}
        {!phone && (
          <Button
            size="small"
            kind="quiet"
            icon={<IconArrowsDiff />}
            aria-label={t.compareServices}
            title={t.compareServices}
            onClick={compareServices(grid, grid.isRange ? grid.chosen : [...rows.keys()])}
          >
            {!narrow && t.compareServices}
          </Button>
        )}
        <span className={styles.state}>
          {isFiltered && (
            <>
              <span>{shown}</span>
              <Button kind="quiet" size="small" onClick={grid.showAll}>
                {t.showAll}
              </Button>
            </>
          )}
          {sort !== null && (
            <Button kind="quiet" size="small" onClick={() => grid.sortBy(null)}>
              {t.unsort}
            </Button>
          )}
          {grid.isRange && !phone && <Chosen grid={grid} />}
        </span>
        <div ref={searchBox} className={styles.search}>
          <SearchField
            label={t.search}
            hint={phone ? t.searchShort : t.searchHint}
            search={grid.search}
            onSearch={grid.setSearch}
            foundText={isFiltered ? shown : ''}
            onFocus={() => void inTurns(rows, prepareSearch, () => {})}
          />
        </div>
        {phone && <HistoryButtons table={grid.table} />}
        {phone && (
          <ActionMenu
            name={t.tableMenu}
            actions={[
              ...tableActions(grid, picking.begin),
              ...tableMenu.map((action, index) => ({ ...action, dividerBefore: index === 0 })),
            ]}
          />
        )}
      </div>
      {phone && picking.ids && <PickedRows grid={grid} picking={picking} />}
    </>
  )
}

/** They are the last columns, so that nothing would seem to happen. */
function showSenderColumns(button: HTMLElement): void {
  const head = button.closest('section')?.querySelector('[data-head][data-group="From"]')
  head?.scrollIntoView({ block: 'nearest', inline: 'start' })
}

const compareServices = (grid: GridModel, indexes: readonly number[]) => () =>
  grid.openDialog({ kind: 'compare', column: 'ServiceName', anyColumn: false, rows: indexes })

/** How much is selected, and the menu of its rows. */
function Chosen({ grid }: { grid: GridModel }) {
  const { chosen, range, selection } = grid
  return (
    <>
      <span role="status">
        {selection.rows
          ? t.chosenRows(chosen.length)
          : t.chosenCells(cellsIn(range), chosen.length)}
      </span>
      <ActionMenu name={t.rowsMenu(chosen.length)} actions={rowActions(grid, chosen, true)} />
    </>
  )
}

/** How many cards are picked, and what can be done with their rows. */
function PickedRows({ grid, picking }: { grid: GridModel; picking: RowPicking }) {
  const { indexes } = picking
  const count = indexes.length
  return (
    <div className={styles.picked}>
      <span role="status">{t.chosenRows(count)}</span>
      <Button size="small" onClick={picking.pickAll}>
        {t.pickAll(grid.view.count)}
      </Button>
      {count > 0 && (
        <ActionMenu name={t.rowsMenu(count)} actions={pickedRowActions(grid, indexes)} />
      )}
      <Button size="small" kind="ink" onClick={picking.end}>
        {t.pickEnd}
      </Button>
    </div>
  )
}

/** What the heads of the columns offer on a wide screen. */
function tableActions(grid: GridModel, onPick: () => void): MenuAction[] {
  const open = (kind: 'filter' | 'set' | 'replace' | 'sort') => () =>
    grid.openDialog({
      kind,
      column: kind === 'set' ? 'ServiceName' : 'ToCity',
      anyColumn: true,
      rows: grid.shownIndexes(),
    })
  const { count } = grid.view
  return [
    { text: t.pickRows, icon: IconCheckbox, onClick: onPick },
    { text: t.sort, icon: IconArrowsSort, onClick: open('sort') },
    { text: t.filter, icon: IconFilter, onClick: open('filter') },
    {
      text: grid.isFiltered ? t.setShown(count) : t.setAll,
      icon: IconRowInsertBottom,
      onClick: open('set'),
    },
    {
      text: t.compareServices,
      icon: IconArrowsDiff,
      onClick: compareServices(grid, [...grid.rows.keys()]),
    },
    { text: t.replace, icon: IconReplace, onClick: open('replace') },
    {
      text: t.download,
      icon: IconDownload,
      onClick: () => grid.edits.download(grid.shownIndexes()),
    },
  ]
}
