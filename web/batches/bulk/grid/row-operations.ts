/** Changes of many cells or rows at once. Pure; unchanged rows stay the same objects. */
import { OPTION_FIELDS } from '#contract/label-options.ts'
import type { OptionCells } from '#contract/label-options.ts'
import { tidyRow } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { replacedOrders, withOnlyRows } from '#web/batches/bulk/drafts/draft.ts'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import { takeApart } from '#web/batches/bulk/parcels/combine.ts'
import { nextRowNumber, splitByMaxQty } from '#web/batches/bulk/parcels/row-items.ts'
import { withCell, withOptions } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { fillFromSetSku } from '#web/skus/fill.ts'
import { typedValue } from './cell-values.ts'

type Skus = ReadonlyMap<string, SkuMeasures>

/** `changedCells` counts the cells that now have another text. */
export type RowsResult = { draft: BulkDraft; changedRows: number; changedCells: number }

export type CellValues = Partial<Record<RowField, string>>

/**
 * Writes cells of the rows of these indexes. `valuesOf` gives the new texts of a row, which are read
 * as if they were typed; another SKU that is known brings its measures.
 */
export function withCells(
  draft: BulkDraft,
  indexes: readonly number[],
  valuesOf: (row: GridRow) => CellValues,
  skus: Skus,
): RowsResult {
  const rows = [...draft.rows]
  let changedRows = 0
  let changedCells = 0
  for (const index of indexes) {
    const old = rows[index]
    if (!old) continue
    let row = old
    const set: RowField[] = []
    for (const [name, text] of Object.entries(valuesOf(old)) as [RowField, string][]) {
      set.push(name)
      const value = typedValue(name, text)
      if (value === row[name]) continue
      row = withCell(row, name, value)
      changedCells += 1
    }
    if (row === old) continue
    const tidy = tidyRow(row)
    rows[index] = row.skuNumber === old.skuNumber ? tidy : fillFromSetSku(old, tidy, skus, set)
    changedRows += 1
  }
  return {
    draft: changedRows > 0 ? { ...draft, rows, edited: true } : draft,
    changedRows,
    changedCells,
  }
}

const pick = (row: BulkRow, names: readonly RowField[]): CellValues =>
  Object.fromEntries(names.map(name => [name, row[name]]))

/** `names`: of services, by index of the row. */
export function withEachService(
  draft: BulkDraft,
  names: ReadonlyMap<number, string>,
): { draft: BulkDraft; changedRows: number } {
  let changedRows = 0
  const rows = draft.rows.map((row, index) => {
    const name = names.get(index)
    if (name === undefined || name === row.ServiceName) return row
    changedRows += 1
    return withCell(row, 'ServiceName', name)
  })
  return { draft: changedRows > 0 ? { ...draft, rows, edited: true } : draft, changedRows }
}

/** The rows with these options, and without others. */
export function withRowOptions(
  draft: BulkDraft,
  indexes: readonly number[],
  options: OptionCells,
): { draft: BulkDraft; changedRows: number } {
  const chosen = new Set(indexes)
  let changedRows = 0
  const rows = draft.rows.map((row, index) => {
    if (!chosen.has(index) || OPTION_FIELDS.every(name => row[name] === options[name])) return row
    changedRows += 1
    return withOptions(row, options)
  })
  return { draft: changedRows > 0 ? { ...draft, rows, edited: true } : draft, changedRows }
}

/** Copies the cells of the row `from` to the rows of the indexes. */
export function withFill(
  draft: BulkDraft,
  from: number,
  indexes: readonly number[],
  names: readonly RowField[],
  skus: Skus,
): RowsResult {
  const source = draft.rows[from]
  const values = source ? pick(source, names) : {}
  return withCells(draft, indexes, () => values, skus)
}

/** `find` is not empty. */
export type Replacement = {
  find: string
  replace: string
  matchCase: boolean
  wholeCell: boolean
}

const SPECIAL_SIGNS = /[.*+?^${}()|[\]\\]/g

export function replacerFor(replacement: Replacement): (text: string) => string {
  const { find, replace, matchCase, wholeCell } = replacement
  const escaped = find.replace(SPECIAL_SIGNS, '\\$&')
  const pattern = new RegExp(wholeCell ? `^${escaped}$` : escaped, matchCase ? 'gu' : 'giu')
  return text => text.replace(pattern, () => replace)
}

/** Finds and replaces in the cells of these fields. */
export function withReplacement(
  draft: BulkDraft,
  indexes: readonly number[],
  names: readonly RowField[],
  replacement: Replacement,
  skus: Skus,
): RowsResult {
  const replaced = replacerFor(replacement)
  return withCells(
    draft,
    indexes,
    row =>
      Object.fromEntries(
        names
          .map(name => [name, replaced(row[name])] as const)
          .filter(([name, text]) => text !== row[name]),
      ),
    skus,
  )
}

type RowIds = ReadonlySet<GridRow['id']>

/** The same draft if none of the rows exists. */
export function withoutRows(draft: BulkDraft, ids: RowIds): BulkDraft {
  const rows = draft.rows.filter(row => !ids.has(row.id))
  if (rows.length === draft.rows.length) return draft
  return { ...withOnlyRows(draft, rows), edited: true }
}

/** Each of the rows a second time, below itself. */
export function withCopies(draft: BulkDraft, ids: RowIds): BulkDraft {
  let next = nextRowNumber(draft.rows)
  const rows = draft.rows.flatMap(row => {
    if (!ids.has(row.id)) return [row]
    const { parts: _parts, ...rest } = row
    return [row, { ...rest, id: `row-${next++}` as const, notices: [] }]
  })
  return rows.length === draft.rows.length ? draft : { ...draft, rows, edited: true }
}

/** The lines of combined rows in their place. */
export function withRowsApart(draft: BulkDraft, ids: RowIds): BulkDraft {
  const rows = draft.rows.flatMap(row => (ids.has(row.id) ? takeApart([row], row.id) : [row]))
  return rows.length === draft.rows.length ? draft : { ...draft, rows, edited: true }
}

/**
 * Rows with a larger quantity than their SKU's package holds as several rows. Each parcel of a row
 * replaces the failed orders of all its lines.
 */
export function withSplit(draft: BulkDraft, ids: RowIds, skus: Skus): BulkDraft {
  let next = nextRowNumber(draft.rows)
  const replaces = { ...draft.replaces }
  const rows = draft.rows.flatMap(row => {
    const sku = ids.has(row.id) ? skus.get(row.skuNumber) : undefined
    if (!sku) return [row]
    const parcels = splitByMaxQty(row, sku, next)
    next += parcels.length - 1
    const replaced = parcels.length > 1 ? replacedOrders(draft, [row]) : []
    if (replaced.length > 0) for (const { id } of parcels) replaces[id] = replaced
    return parcels
  })
  return rows.length === draft.rows.length ? draft : { ...draft, rows, replaces, edited: true }
}
