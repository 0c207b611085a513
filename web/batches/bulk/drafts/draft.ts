/** The table before it is submitted. A draft is immutable, which makes Undo possible. */
import type { RowGrouping } from '#contract/imports.ts'
import { parseOptionCells } from '#contract/label-options.ts'
import { FIELDS, toBulkRow, tidyRow } from '#contract/rows.ts'
import type { BulkRow, RowField, RowItem, SubmittedRow } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { SourceId } from '#contract/sources.ts'
import { extraFields } from '#web/batches/bulk/grid/columns.ts'
import type { PasteAnchor } from '#web/batches/bulk/grid/paste.ts'
import { applyPaste } from '#web/batches/bulk/grid/paste.ts'
import type { ColumnKey } from '#web/batches/bulk/grid/row-filter.ts'
import { takeApart } from '#web/batches/bulk/parcels/combine.ts'
import { itemsOf } from '#web/batches/bulk/parcels/row-items.ts'
import { copyMeasures } from '#web/batches/bulk/parcels/sku-fill.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { sha256OfText } from '#web/client/sha256.ts'
import { fillFromSetSku, SKU_VALUES, withMeasuresOf } from '#web/skus/fill.ts'

/**
 * A file that rows were read from. `rows`: how many, before any were changed; `readMs`: how long
 * reading took; `leftOut`: lines that are not to be shipped, by reason; `columnsAt`: when the user last
 * matched columns like these, if they were remembered; `sheets`: of a workbook of several, `sheet` of them
 * was read.
 */
export type DraftFile = {
  name: string
  sha256: string
  source: SourceId
  rows: number
  readMs: number
  leftOut?: { reason: string; lines: number; orders: number }[]
  columnsAt?: string
  sheets?: string[]
  sheet?: string
}

/**
 * `service`: the service of the whole table, '' for none. `extra`: columns beside the usual ones.
 * `replaces`: by row id, the failed orders that these rows replace, of bulk order `failedOf`; parcels
 * of one split row replace the same ones. `orderId`: idempotency key of
 * the submission; it stays until the table is accepted, so a second Submit never buys twice. `lost`:
 * sent, and no response yet. `part`: ids of the lines that were sent; null before. `grouping`: what
 * one label is made for. `files`: empty for pasted and failed rows. `key`: identifies the same table
 * in another tab; '' while empty.
 */
export type BulkDraft = {
  key: string
  rows: GridRow[]
  extra: RowField[]
  service: string
  notices: string[]
  replaces: Record<string, string | string[]>
  failedOf: string | null
  edited: boolean
  orderId: string | null
  lost: boolean
  part: GridRow['id'][] | null
  files: DraftFile[]
  grouping: RowGrouping
}

export const EMPTY_BULK_DRAFT: BulkDraft = {
  key: '',
  rows: [],
  extra: [],
  service: '',
  notices: [],
  replaces: {},
  failedOf: null,
  edited: false,
  orderId: null,
  lost: false,
  part: null,
  files: [],
  grouping: 'line',
}

export type FailedRow = {
  orderId: string
  row: number
  reason: string
  data: Record<string, string>
  items?: RowItem[]
}

/** The failed rows of bulk order `failedOf` as a table. */
export function draftFromFailedRows(
  failed: readonly FailedRow[],
  failedOf: string | null = null,
): BulkDraft {
  const rows = failed.map(({ row: line, reason, data, items }, index): GridRow => ({
    ...tidyRow(toBulkRow(data)),
    ...parseOptionCells(data),
    ...(data.ToEmail && { ToEmail: data.ToEmail }),
    id: `row-${index}`,
    line,
    notices: reason === '' ? [] : [reason],
    ...(items && { items }),
  }))
  const names = new Set(rows.map(row => row.ServiceName))
  return {
    ...EMPTY_BULK_DRAFT,
    rows,
    extra: extraFields(rows),
    service: names.size === 1 ? (rows[0]?.ServiceName ?? '') : '',
    edited: true,
    replaces: Object.fromEntries(rows.map((row, index) => [row.id, failed[index]!.orderId])),
    failedOf,
  }
}

export const withService = (draft: BulkDraft, service: string): BulkDraft => ({
  ...draft,
  service,
  rows: draft.rows.map(row =>
    row.ServiceName === service ? row : { ...row, ServiceName: service },
  ),
})

const SKU_CELLS = ['skuNumber', ...SKU_VALUES] as const
/** Only an edit of the SKU's cells is copied to other rows. */
const changesSku = (before: BulkRow, after: BulkRow): boolean =>
  after.skuNumber !== '' && SKU_CELLS.some(name => before[name] !== after[name])

/**
 * `filledRows`: how many other rows got the measures. `skuRow`: the row whose SKU record is to be
 * saved, if any.
 */
type EditResult = { draft: BulkDraft; filledRows: number; skuRow: GridRow | null }

/**
 * Applies only the cells that changed from `before` to `after`: the row may have changed meanwhile.
 */
function mergeEdit(current: GridRow, before: BulkRow, after: BulkRow): GridRow {
  const row: GridRow = { ...current, notices: [] }
  for (const { name } of FIELDS) {
    if (after[name] !== before[name]) row[name] = after[name]
  }
  return tidyRow(row)
}

/**
 * Saves an edit and copies its measures to the other rows of its SKU. Other edits leave those rows
 * alone, because their measures may come from the file. Null if the row no longer exists.
 */
export function withEdit(
  draft: BulkDraft,
  before: GridRow,
  after: GridRow,
  skus?: ReadonlyMap<string, SkuMeasures>,
): EditResult | null {
  const index = draft.rows.findIndex(row => row.id === after.id)
  const current = draft.rows[index]
  if (!current) return null
  const row = withMeasuresOf(current, mergeEdit(current, before, after), skus)
  const rows = draft.rows.with(index, row)
  if (!changesSku(before, row))
    return { draft: { ...draft, rows, edited: true }, filledRows: 0, skuRow: null }
  const copied = copyMeasures(rows, row, skus)
  const filledRows = copied.reduce(
    (count, one, index) => (one === rows[index] ? count : count + 1),
    0,
  )
  return { draft: { ...draft, rows: copied, edited: true }, filledRows, skuRow: row }
}

/** The table with these of its rows. The others and their parts replace no failed order any more. */
export function withOnlyRows(draft: BulkDraft, rows: GridRow[]): BulkDraft {
  const ids = new Set<string>(rows.flatMap(row => [row, ...(row.parts ?? [])]).map(({ id }) => id))
  const replaces = Object.entries(draft.replaces).filter(([id]) => ids.has(id))
  return { ...draft, rows, replaces: Object.fromEntries(replaces) }
}

/** `droppedCells`: cells beyond the table. */
export type PasteResult = {
  draft: BulkDraft
  changedRows: number
  changedCells: number
  droppedCells: number
}

/** Pastes cells, normalizes the changed rows and fills measures from known SKUs. */
export function withPaste(
  draft: BulkDraft,
  anchor: PasteAnchor,
  cells: string[][],
  columns: readonly ColumnKey[],
  skus: ReadonlyMap<string, SkuMeasures>,
  order: readonly number[] | null = null,
): PasteResult {
  const {
    rows,
    changedIndexes,
    changedCells,
    ignoredCells: droppedCells,
    setFields,
  } = applyPaste(draft.rows, anchor, cells, columns, order)
  for (const index of changedIndexes)
    rows[index] = fillFromSetSku(draft.rows[index]!, tidyRow(rows[index]!), skus, setFields)
  return {
    draft: changedIndexes.length > 0 ? { ...draft, rows, edited: true } : draft,
    changedRows: changedIndexes.length,
    changedCells,
    droppedCells,
  }
}

/** A row as sent: its fields, and its items if it has any. */
export function toSubmittedRow(row: GridRow): SubmittedRow {
  const { id: _id, line: _line, notices: _notices, parts: _parts, ...more } = row
  const { file: _file, fileName: _fileName, measuresOf: _measuresOf, ...sent } = more
  return row.items ? { ...sent, items: itemsOf(row) } : sent
}

/** The failed orders that these rows replace, each once. */
export const replacedOrders = (
  draft: BulkDraft,
  rows: readonly GridRow[] = draft.rows,
): string[] => [...new Set(lineIdsOf(rows).flatMap(id => draft.replaces[id] ?? []))]

/** The hash that a file has after a part of it was accepted as `orderId`. */
export const restHash = (hash: string, orderId: string): string =>
  sha256OfText(`${hash} ${orderId}`)

export const linesOf = (row: GridRow): readonly GridRow[] => row.parts ?? [row]

/** Ids of the lines of these rows; a combined row has several. */
export const lineIdsOf = (rows: readonly GridRow[]): GridRow['id'][] =>
  rows.flatMap(row => linesOf(row).map(({ id }) => id))

/** The rows of the table with lines that are to be sent. */
export function sentRows({ rows, part }: Pick<BulkDraft, 'rows' | 'part'>): GridRow[] {
  if (part === null) return rows
  const ids = new Set(part)
  return rows.filter(row => linesOf(row).some(({ id }) => ids.has(id)))
}

/** These rows with only these lines: combined rows with others too are taken apart. */
export function onlyLines(rows: readonly GridRow[], lines: BulkDraft['part']): GridRow[] {
  if (lines === null) return [...rows]
  const ids = new Set(lines)
  return rows.flatMap(row =>
    linesOf(row).every(({ id }) => ids.has(id))
      ? [row]
      : takeApart([row], row.id).filter(({ id }) => ids.has(id)),
  )
}

/**
 * The lines of `named` that are lines of `sent`: of the same id, file and place in it. Ids alone are
 * not enough, because an undone file leaves its ids to the next one.
 */
export function sharedLines(
  named: Pick<BulkDraft, 'rows' | 'files'>,
  sent: Pick<BulkDraft, 'rows' | 'files'>,
): GridRow['id'][] {
  const placeOf = (files: readonly DraftFile[], { line, file }: GridRow): string =>
    `${line} ${file === undefined ? '' : (files[file]?.sha256 ?? '')}`
  const places = new Map(
    sent.rows.flatMap(linesOf).map(line => [line.id, placeOf(sent.files, line)]),
  )
  return named.rows
    .flatMap(linesOf)
    .filter(line => places.get(line.id) === placeOf(named.files, line))
    .map(({ id }) => id)
}

/** The draft whose other lines do not replace the failed orders that these lines have replaced. */
function withoutReplaced(draft: BulkDraft, accepted: readonly GridRow['id'][]): BulkDraft {
  const done = new Set(accepted.flatMap(id => draft.replaces[id] ?? []))
  if (done.size === 0) return draft
  const open = Object.entries(draft.replaces).flatMap(([id, orders]) => {
    const left = [orders].flat().filter(order => !done.has(order))
    return left.length > 0 ? [[id, typeof orders === 'string' ? orders : left] as const] : []
  })
  return { ...draft, replaces: Object.fromEntries(open) }
}

/**
 * The rows that are left after these lines were accepted as `orderId`, as a table of its own. A
 * combined row with other lines too is taken apart and keeps those. Its files get other hashes: by
 * their own, these rows would count as bought before.
 */
export function withoutAccepted(
  draft: BulkDraft,
  accepted: readonly GridRow['id'][],
  orderId: string,
): BulkDraft {
  const ids = new Set(accepted)
  return {
    ...withOnlyRows(
      withoutReplaced(draft, accepted),
      draft.rows.flatMap(row =>
        linesOf(row).some(({ id }) => ids.has(id))
          ? takeApart([row], row.id).filter(({ id }) => !ids.has(id))
          : [row],
      ),
    ),
    files: draft.files.map(file => ({ ...file, sha256: restHash(file.sha256, orderId) })),
    orderId: null,
    lost: false,
    part: null,
  }
}
