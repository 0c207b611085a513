import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { fieldByName } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import type { SkuRecord } from '#contract/skus.ts'
import {
  invalidRowIndexes,
  rowValidatorFor,
  rulesFor,
} from '#web/batches/bulk/checks/validation.ts'
import {
  commitDraft,
  redoNextStep,
  undoLastStep,
  useBulk,
} from '#web/batches/bulk/drafts/bulk-store.ts'
import { useOfTable } from '#web/batches/bulk/drafts/use-of-table.ts'
import { saveSku } from '#web/batches/bulk/parcels/save-sku.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { servicesQuery, skusQuery } from '#web/client/queries.ts'
import { indexBySku } from '#web/skus/fill.ts'
import { announce } from '#web/ui/announce.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { columnOfField, columnOfKey, columnsOf } from './columns.ts'
import type { ColumnKey } from './row-filter.ts'
import { withoutRows } from './row-operations.ts'
import { gridTexts } from './texts.ts'
import { useRowEditing } from './use-row-editing.ts'

/** A cell, or one of the row's number and buttons. */
export type CellKey = ColumnKey | 'row' | 'edit' | 'delete'

/**
 * The cell with the tab stop. `row`: index in the table. `focusRequest` counts the moves that must
 * also move the focus.
 */
type ActiveCell = { row: number; key: CellKey; focusRequest: number }

/** The cell in edit mode. `typed`: the text that began it, null for Enter, F2 or a double click. */
type CellEdit = { id: GridRow['id']; key: ColumnKey; typed: string | null }

const FIRST_CELL: ActiveCell = { row: 0, key: 'ToRecipientName', focusRequest: 0 }
const NO_SKUS: SkuRecord[] = []

/** The operations on the rows, for the grid and for the cards of a phone. */
export function useBulkTable(userId: string) {
  const draft = useBulk(bulk => bulk.draft)
  const serverErrors = useBulk(bulk => bulk.serverErrors)
  const undoName = useBulk(bulk => bulk.history.at(-1)?.name ?? null)
  const redoName = useBulk(bulk => bulk.future.at(-1)?.name ?? null)
  const { rows, extra } = draft
  const services = useQuery(servicesQuery(userId))
  const skuRecords = useQuery(skusQuery(userId))
  /** After a first Submit, a missing service is an error of each row. */
  const [submitAttempted, setSubmitAttempted] = useState(false)
  const [active, setActive] = useState(FIRST_CELL)
  const [cellEdit, setCellEdit] = useState<CellEdit | null>(null)
  const [deleting, setDeleting] = useOfTable<readonly GridRow[]>(NO_ROWS)

  const needService = submitAttempted || draft.service !== ''
  const columns = useMemo(() => columnsOf(extra), [extra])
  const validateRow = useMemo(
    () => rowValidatorFor(services.data, needService, serverErrors),
    [services.data, needService, serverErrors],
  )
  const invalidRows = useMemo(() => invalidRowIndexes(rows, validateRow), [rows, validateRow])
  const skus = useMemo(() => indexBySku(skuRecords.data?.SkuData ?? NO_SKUS), [skuRecords.data])
  const rulesOf = useCallback(
    (service: string) => rulesFor(services.data, service, needService),
    [services.data, needService],
  )

  const activate = (row: number, key: CellKey, focus: boolean) =>
    setActive(now => ({ row, key, focusRequest: now.focusRequest + (focus ? 1 : 0) }))
  const refocus = () => setActive(now => ({ ...now, focusRequest: now.focusRequest + 1 }))
  const { editing, begin, saveRow, drop } = useRowEditing({
    columns,
    rulesOf,
    skus: skuRecords.data && skus,
    onSku: row => void saveSku(userId, row),
    onEnd: refocus,
  })
  // Another table has rows with the same ids, and a row may have been combined with another one.
  const [tableKey, setTableKey] = useState(draft.key)
  const isOther = tableKey !== draft.key
  if (isOther) {
    setTableKey(draft.key)
    setCellEdit(null)
  }
  if (editing && (isOther || rows.every(({ id }) => id !== editing.id))) drop()

  /** Edits the whole row, from its first invalid cell if it has one. */
  const edit = (rowIndex: number) => {
    const row = rows[rowIndex]
    if (!row) return
    const errors = validateRow(row)
    const field = columns.find(({ name }) => errors[name]) ?? fieldByName('ToRecipientName')
    setCellEdit(null)
    if (begin(row, field.name)) activate(rowIndex, columnOfField(field.name).key, false)
  }
  /** Edits one cell; false if it cannot be edited, or a row is being edited. */
  const editCell = (rowIndex: number, key: CellKey, typed: string | null): boolean => {
    const row = rows[rowIndex]
    const column = columnOfKey(key)
    if (!row || !column || column.fields.length === 0) return false
    if (editing) {
      toastError(texts.finishEditing)
      return false
    }
    activate(rowIndex, key, false)
    setCellEdit({ id: row.id, key: column.key, typed })
    return true
  }
  const saveCell = (before: GridRow, after: GridRow, focus: boolean) => {
    setCellEdit(null)
    saveRow(before, after, columnOfKey(cellEdit?.key))
    if (focus) refocus()
  }
  const cancelCell = () => {
    setCellEdit(null)
    refocus()
  }
  const remove = () => {
    if (deleting.length === 0) return
    const before = useBulk.getState().draft
    const next = withoutRows(before, new Set(deleting.map(({ id }) => id)))
    setDeleting(NO_ROWS)
    if (next === before) return toastError(texts.deleteFailed)
    const count = before.rows.length - next.rows.length
    commitDraft(next, gridTexts.changes.remove(count))
    toastSuccess(count === 1 ? texts.deleted : gridTexts.deleted(count))
    setActive(now => ({
      ...now,
      row: Math.max(0, Math.min(now.row, next.rows.length - 1)),
      focusRequest: now.focusRequest + 1,
    }))
  }
  /** After an undo or redo, the active cell is still in the table. */
  const afterStep = (name: string | null, sentence: (name: string) => string) => {
    if (name === null) return
    announce(sentence(name))
    const { length } = useBulk.getState().draft.rows
    activate(Math.max(0, Math.min(active.row, length - 1)), active.key, true)
  }
  return {
    draft,
    services,
    skuRecords,
    skus,
    columns,
    validateRow,
    rulesOf,
    invalidRows,
    editing,
    cellEdit,
    /** The row that has changes that are not saved yet, or a cell in edit mode. */
    unsavedRow: cellEdit?.id ?? (editing?.isChanged ? editing.id : null),
    active,
    deleting,
    submitAttempted,
    markSubmitAttempted: () => setSubmitAttempted(true),
    activate,
    refocus,
    /** Goes to the cell of a field, or to the beginning of the row. */
    goTo: (row: number, field: RowField | null) =>
      activate(row, columnOfField(field ?? 'ToRecipientName').key, true),
    edit,
    editCell,
    saveCell,
    cancelCell,
    remove,
    undoName,
    redoName,
    undo: () => afterStep(undoLastStep(), gridTexts.undone),
    redo: () => afterStep(redoNextStep(), gridTexts.redone),
    requestDelete: (indexes: readonly number[]) =>
      setDeleting(indexes.flatMap(index => rows[index] ?? [])),
    cancelDelete: () => setDeleting(NO_ROWS),
  }
}

const NO_ROWS: readonly GridRow[] = []

export type BulkTableState = ReturnType<typeof useBulkTable>
