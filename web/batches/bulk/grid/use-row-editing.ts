import { useCallback, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { cellError } from '#contract/row-rules.ts'
import type { RowErrors, RowRuleOptions } from '#contract/row-rules.ts'
import type { Field, RowField } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { commitDraft, useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import { withEdit } from '#web/batches/bulk/drafts/draft.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { withCell } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { enterSku, filledBefore } from '#web/skus/fill.ts'
import type { SkuFill } from '#web/skus/fill.ts'
import { announce } from '#web/ui/announce.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { withReadMeasures } from './cell-values.ts'
import { columnTitle, errorIn } from './columns.ts'
import type { GridColumn } from './columns.ts'
import { gridTexts } from './texts.ts'

/** The row in edit mode: its copy, its errors, and the field to focus. */
export type RowEditing = {
  id: GridRow['id']
  edited: GridRow
  errors: RowErrors
  isChanged: boolean
  focus: RowField
  change: (name: RowField, value: string) => void
  /** The focus has left a field: a SKU has been entered, and fills the row. */
  leave: (name: RowField) => void
  /** False if there are errors. */
  save: () => boolean
  cancel: () => void
}

/** Errors of the visible cells, in the wording of a cell. */
export function cellErrors(
  row: GridRow,
  columns: readonly Field[],
  rules: RowRuleOptions,
): RowErrors {
  const errors: RowErrors = {}
  for (const { name } of columns) {
    const message = cellError(name, row[name], row, rules)
    if (message !== null) errors[name] = message
  }
  return errors
}

type EditingOptions = {
  columns: readonly Field[]
  rulesOf: (service: string) => RowRuleOptions
  /** Undefined while they are loading. */
  skus: ReadonlyMap<string, SkuMeasures> | undefined
  /** The saved row has SKU data. */
  onSku: (row: GridRow) => void
  /** Saved or cancelled. */
  onEnd: () => void
}

/**
 * `begin` returns false if another row must be saved or cancelled first. `saveRow` saves the changes
 * from `before` to `after`; `column` is the only one that was edited, if it was one. `drop` ends the edit of a row that is gone.
 */
type EditingState = {
  editing: RowEditing | null
  begin: (row: GridRow, focus: RowField) => boolean
  saveRow: (before: GridRow, after: GridRow, column?: GridColumn) => void
  drop: () => void
}

/** `fill`: what its SKU has filled in; null until one was entered. `isWaiting`: one was entered, but the list of SKUs is loading. */
type EditedRow = {
  copy: GridRow
  before: GridRow
  focus: RowField
  fill: SkuFill | null
  isWaiting: boolean
}

/** Edits one row at a time, on a copy, so scrolling and other rows do not affect it. */
export function useRowEditing({
  columns,
  rulesOf,
  skus,
  onSku,
  onEnd,
}: EditingOptions): EditingState {
  const [state, setState] = useState<EditedRow | null>(null)
  const errorsOf = useCallback(
    ({ copy }: EditedRow) => cellErrors(withReadMeasures(copy), columns, rulesOf(copy.ServiceName)),
    [columns, rulesOf],
  )
  const errors = useMemo(() => (state ? errorsOf(state) : {}), [state, errorsOf])

  const begin = (row: GridRow, focus: RowField): boolean => {
    if (state && state.copy !== state.before && state.copy.id !== row.id) {
      toastError(texts.finishEditing)
      return false
    }
    if (state?.copy.id !== row.id) {
      setState({ copy: row, before: row, focus, fill: null, isWaiting: false })
    }
    return true
  }
  const saveRow = (before: GridRow, after: GridRow, column?: GridColumn) => {
    const { draft } = useBulk.getState()
    const saved = after === before ? null : withEdit(draft, before, withReadMeasures(after), skus)
    if (after !== before && !saved) return toastError(texts.updateFailed)
    if (!saved) return
    const index = draft.rows.findIndex(row => row.id === before.id)
    commitDraft(
      saved.draft,
      column ? gridTexts.changes.cell(columnTitle(column), index) : gridTexts.changes.row(index),
    )
    const row = saved.draft.rows[index]!
    const problem =
      column && errorIn(cellErrors(row, column.fields, rulesOf(row.ServiceName)), column)
    if (problem) announce(problem)
    else toastSuccess(texts.updated)
    if (saved.filledRows > 0 && saved.skuRow)
      toastSuccess(texts.copied(saved.filledRows, saved.skuRow.skuNumber))
    if (saved.skuRow) onSku(saved.skuRow)
  }
  const withSkuEntered = (now: EditedRow): EditedRow => {
    if (!skus) return { ...now, isWaiting: true }
    const last = now.fill ?? filledBefore(now.before, skus)
    const { row: copy, fill } = enterSku(now.copy, last, skus)
    return { ...now, copy, fill, isWaiting: false }
  }
  if (state?.isWaiting && skus) setState(withSkuEntered(state))
  const drop = () => setState(null)
  if (!state) return { editing: null, begin, saveRow, drop }

  const end = () => {
    setState(null)
    onEnd()
  }
  const change = (name: RowField, value: string) => {
    const isWaiting = state.isWaiting && name !== 'skuNumber'
    setState({ ...state, copy: withCell(state.copy, name, value), isWaiting })
  }
  const leave = (name: RowField) => {
    if (name === 'skuNumber') setState(now => now && withSkuEntered(now))
  }
  const save = (): boolean => {
    // Enter saves from within the SKU's field.
    const entered = withSkuEntered(state)
    if (Object.keys(errorsOf(entered)).length > 0) {
      // The fields must show their errors before the first of them gets the focus.
      flushSync(() => setState(entered))
      return false
    }
    end()
    saveRow(entered.before, entered.copy)
    return true
  }
  return {
    editing: {
      id: state.copy.id,
      edited: state.copy,
      focus: state.focus,
      errors,
      isChanged: state.copy !== state.before,
      change,
      leave,
      save,
      cancel: end,
    },
    begin,
    saveRow,
    drop,
  }
}
