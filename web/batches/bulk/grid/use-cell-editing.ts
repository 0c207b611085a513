import { useEffect, useState } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import type { RowErrors } from '#contract/row-rules.ts'
import type { RowField } from '#contract/rows.ts'
import { withCell } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { enterSku, filledBefore } from '#web/skus/fill.ts'
import { splitSize, withReadMeasures } from './cell-values.ts'
import { columnByKey } from './columns.ts'
import type { GridColumn } from './columns.ts'
import type { BulkTableState } from './use-bulk-table.ts'
import { cellErrors } from './use-row-editing.ts'

/** Where the active cell goes after a save; null where the focus is elsewhere already. */
export type MoveAfterEdit = 'stay' | 'up' | 'down' | 'left' | 'right' | null

/** The cell in edit mode. `typed`: typing began it, so that arrow keys leave it. */
export type CellEditing = {
  id: GridRow['id']
  column: GridColumn
  typed: boolean
  edited: GridRow
  errors: RowErrors
  change: (name: RowField, value: string) => void
  save: (move: MoveAfterEdit) => void
  cancel: () => void
}

const NO_SERVICES: readonly AvailableService[] = []

/** The copy of the row while one of its cells is edited. `onMove` gets the move after a save. */
export function useCellEditing(
  table: BulkTableState,
  onMove: (move: MoveAfterEdit) => void,
): CellEditing | null {
  const { cellEdit } = table
  const [state, setState] = useState<{ of: object; edited: GridRow } | null>(null)
  const row = cellEdit ? table.draft.rows.find(({ id }) => id === cellEdit.id) : undefined
  // The row was deleted or replaced meanwhile.
  const isGone = cellEdit !== null && !row
  useEffect(() => {
    if (isGone) table.cancelCell()
  }, [isGone, table])
  if (!cellEdit || !row) return null

  const { typed } = cellEdit
  const column = columnByKey(cellEdit.key)
  const edited =
    state?.of === cellEdit
      ? state.edited
      : firstText(row, column, typed, table.services.data ?? NO_SERVICES)
  const change = (name: RowField, value: string) => {
    const sides = column.key === 'size' ? splitSize(value) : null
    const changed = sides
      ? column.fields.reduce((next, side, at) => withCell(next, side.name, sides[at]!), edited)
      : withCell(edited, name, value)
    setState({ of: cellEdit, edited: changed })
  }
  return {
    id: row.id,
    column,
    typed: typed !== null,
    edited,
    errors: cellErrors(withReadMeasures(edited), column.fields, table.rulesOf(edited.ServiceName)),
    change,
    save: move => {
      const { row: entered } = enterSku(edited, filledBefore(row, table.skus), table.skus)
      table.saveCell(row, entered, move === 'stay')
      if (move !== null && move !== 'stay') onMove(move)
    },
    cancel: table.cancelCell,
  }
}

/** Typing replaces the text of the cell, and chooses the first service with that letter. */
function firstText(
  row: GridRow,
  { fields }: GridColumn,
  typed: string | null,
  services: readonly AvailableService[],
): GridRow {
  const [field] = fields
  if (typed === null || !field) return row
  if (field.kind !== 'service') return withCell(row, field.name, typed)
  const letter = typed.toLowerCase()
  const service = services.find(({ name }) => name.toLowerCase().startsWith(letter))
  return service ? withCell(row, field.name, service.name) : row
}
