/** The menu of a column or of the selected rows, at the place where it was asked for. */
import { Menu } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowsSplit,
  IconArrowUp,
  IconArrowsDiff,
  IconBulb,
  IconCopy,
  IconCopyPlus,
  IconDownload,
  IconEraser,
  IconFilter,
  IconFilterOff,
  IconPackages,
  IconPencil,
  IconReplace,
  IconRowInsertBottom,
  IconScale,
  IconSelectAll,
  IconSignature,
  IconTableRow,
  IconTrash,
  IconTruck,
  IconX,
} from '@tabler/icons-react'
import { OPTION_KINDS } from '#contract/label-options.ts'
import { canSplit, packagesOf } from '#web/batches/bulk/parcels/row-items.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { MENU_CLASS_NAMES, MENU_MIDDLEWARES, ActionMenuItem } from '#web/ui/ActionMenu.tsx'
import type { MenuAction } from '#web/ui/ActionMenu.tsx'
import { copyToClipboard } from '#web/ui/CopyText.tsx'
import { toastError } from '#web/ui/toasts.ts'
import { columnTitle } from './columns.ts'
import type { GridColumn } from './columns.ts'
import { gridTexts } from './texts.ts'
import type { GridDialogState, GridMenuState, GridModel } from './use-grid.ts'
import styles from './Grid.module.css'

const t = gridTexts

export function GridMenu({ grid }: { grid: GridModel }) {
  const { menu } = grid
  const close = () => {
    if (!menu) return
    grid.openMenu(null)
    // A dialog that the menu opened takes the focus from there.
    if (menu.kind === 'rows') grid.table.refocus()
    else menu.opener.focus({ preventScroll: true })
  }
  if (!menu) return null
  const { name, actions } = contentOf(grid, menu)
  return (
    <Menu
      opened
      onClose={close}
      portalProps={{ target: 'main' }}
      position="bottom-start"
      // The key press that opened it would close it.
      clickOutsideEvents={['mousedown', 'touchstart']}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 0 }}
      classNames={MENU_CLASS_NAMES}
      middlewares={MENU_MIDDLEWARES}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={name}
          className={styles.menuAnchor}
          style={menu.place}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={name}>
        {actions.map(action => (
          <ActionMenuItem key={action.text} {...action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function contentOf(grid: GridModel, menu: GridMenuState): { name: string; actions: MenuAction[] } {
  if (menu.kind === 'column')
    return {
      name: t.columnMenu(columnTitle(menu.column)),
      actions: columnActions(grid, menu.column),
    }
  if (menu.kind === 'card')
    return { name: t.menuOfRow(menu.row), actions: rowActions(grid, [menu.row], false) }
  return { name: t.rowsMenu(grid.chosen.length), actions: rowActions(grid, grid.chosen, true) }
}

/** Opens a dialog for one column; `rows` are those that it changes. */
function dialogFor(
  grid: GridModel,
  kind: GridDialogState['kind'],
  { key }: Pick<GridColumn, 'key'>,
  rows: readonly number[],
): () => void {
  return () => grid.openDialog({ kind, column: key, anyColumn: false, rows })
}

function columnActions(grid: GridModel, column: GridColumn): MenuAction[] {
  const { sort, chosen, isRange, isFiltered } = grid
  const { key } = column
  const isEdited = column.fields.length > 0
  const order = sort?.column === key ? sort : null
  const shown = grid.shownIndexes()
  const actions: (MenuAction | false)[] = [
    order?.descending !== false && {
      text: t.sortUp,
      icon: IconArrowUp,
      onClick: () => grid.sortBy({ column: key, descending: false }),
    },
    order?.descending !== true && {
      text: t.sortDown,
      icon: IconArrowDown,
      onClick: () => grid.sortBy({ column: key, descending: true }),
    },
    sort !== null && { text: t.unsort, icon: IconX, onClick: () => grid.sortBy(null) },
    {
      text: t.filter,
      icon: IconFilter,
      dividerBefore: true,
      onClick: dialogFor(grid, 'filter', column, shown),
    },
    grid.columnFilter(key) !== '' && {
      text: t.clearFilter,
      icon: IconFilterOff,
      onClick: () => grid.filterColumn(key, ''),
    },
    isEdited && {
      text: isFiltered ? t.setShown(shown.length) : t.setAll,
      icon: IconRowInsertBottom,
      dividerBefore: true,
      onClick: dialogFor(grid, 'set', column, shown),
    },
    isEdited
      && isRange && {
        text: t.setChosen(chosen.length),
        icon: IconTableRow,
        onClick: dialogFor(grid, 'set', column, chosen),
      },
    isEdited && {
      text: t.replace,
      icon: IconReplace,
      onClick: dialogFor(grid, 'replace', column, shown),
    },
    { text: t.selectColumn, icon: IconSelectAll, onClick: () => grid.selectColumn(column) },
  ]
  return actions.filter(action => action !== false)
}

/** What can be done with these rows; `withCells`: and with the selected cells in them. */
export function rowActions(
  grid: GridModel,
  chosen: readonly number[],
  withCells: boolean,
): MenuAction[] {
  const { table, range, edits, selection } = grid
  const [only] = chosen
  const rows = edits.rowsAt(chosen)
  const skuOf = (row: GridRow) => table.skus.get(row.skuNumber)
  const fillsSeveral = rows.some(row => packagesOf(row, skuOf(row)) > 1)
  const splits = rows.some(row => canSplit(row, skuOf(row)))
  const canTakeApart = rows.some(row => row.parts)
  const actions: (MenuAction | false)[] = [
    chosen.length === 1
      && only !== undefined && {
        text: t.editRow,
        icon: IconPencil,
        onClick: () => table.edit(only),
      },
    ...suggestionActions(grid, chosen),
    {
      text: t.setService,
      icon: IconTruck,
      onClick: dialogFor(grid, 'set', { key: 'ServiceName' }, chosen),
    },
    {
      text: t.compareServices,
      icon: IconArrowsDiff,
      onClick: dialogFor(grid, 'compare', { key: 'ServiceName' }, chosen),
    },
    offersOptions(grid, rows) && {
      text: t.setOptions,
      icon: IconSignature,
      onClick: dialogFor(grid, 'options', { key: 'ServiceName' }, chosen),
    },
    {
      text: t.setWeight,
      icon: IconScale,
      onClick: dialogFor(grid, 'set', { key: 'PackageWeight' }, chosen),
    },
    {
      text: t.setColumn,
      icon: IconTableRow,
      onClick: () =>
        grid.openDialog({ kind: 'set', column: 'ToCity', anyColumn: true, rows: chosen }),
    },
    withCells && {
      text: t.copyCells,
      icon: IconCopy,
      dividerBefore: true,
      onClick: () => void copyText(edits.copy(chosen, range).text),
    },
    withCells && {
      text: t.fillDown,
      icon: IconRowInsertBottom,
      onClick: () => edits.fillDown(chosen, range),
    },
    withCells
      && !selection.rows && {
        text: t.clearCells,
        icon: IconEraser,
        onClick: () => edits.clear(chosen, range),
      },
    {
      text: t.duplicate,
      icon: IconCopyPlus,
      dividerBefore: true,
      onClick: () => edits.duplicate(chosen),
    },
    {
      text: t.splitRows,
      icon: IconPackages,
      disabledReason: splits ? null : fillsSeveral ? t.cannotSplit : t.nothingToSplit,
      onClick: () => edits.split(chosen),
    },
    {
      text: t.takeApart,
      icon: IconArrowsSplit,
      disabledReason: canTakeApart ? null : t.nothingApart,
      onClick: () => edits.takeApart(chosen),
    },
    { text: t.download, icon: IconDownload, onClick: () => edits.download(chosen) },
    {
      text: t.deleteRows(chosen.length),
      icon: IconTrash,
      danger: true,
      dividerBefore: true,
      onClick: () => table.requestDelete(chosen),
    },
  ]
  return actions.filter(action => action !== false)
}

/** Where a service sells any, and for rows that ask for one. */
const offersOptions = ({ table }: GridModel, rows: readonly GridRow[]): boolean =>
  rows.some(({ signature, saturday }) => signature || saturday)
  || (table.services.data ?? []).some(({ options }) =>
    OPTION_KINDS.some(kind => typeof options?.[kind].price === 'number'),
  )

/** What can be done with rows that were picked one by one. */
export const pickedRowActions = (grid: GridModel, picked: readonly number[]): MenuAction[] => {
  const actions = rowActions(grid, picked, false)
  const all = { top: 0, bottom: picked.length - 1, left: 1, right: grid.columns.length }
  const copyRows = {
    text: t.copyRows(picked.length),
    icon: IconCopy,
    onClick: () => void copyText(grid.edits.copy(picked, all).text),
  }
  return actions.toSpliced(
    actions.findIndex(({ text }) => text === t.duplicate),
    0,
    copyRows,
  )
}

/** The likely values of a row with warnings. */
const suggestionActions = (grid: GridModel, [index, ...others]: readonly number[]): MenuAction[] =>
  index === undefined || others.length > 0
    ? []
    : grid.edits
        .rowsAt([index])
        .flatMap(row => grid.warningsOf(row))
        .flatMap(warning =>
          warning.suggestion
            ? {
                text: warning.suggestion.label,
                icon: IconBulb,
                onClick: () => grid.edits.takeSuggestion(index, warning),
              }
            : [],
        )

async function copyText(text: string): Promise<void> {
  if (!(await copyToClipboard(text))) toastError(t.copyByHand)
}
