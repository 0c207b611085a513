/** One entry for all rows of a cause. Pure: rows that do not change stay the same objects. */
import { MEASURES } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import { withLines } from '#web/batches/bulk/parcels/combine.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { senderFields } from '#web/batches/import/row-draft.ts'
import type { SenderAddress } from '#web/batches/import/row-draft.ts'
import { fillFromSku } from '#web/skus/fill.ts'
import { faultKeys, zipWithZeros } from './fault-causes.ts'
import type { RowValidator } from './validation.ts'

/** Inches and pounds, as typed. */
export type EnteredMeasures = Partial<Record<(typeof MEASURES)[number], string>>

/**
 * `measuredRow`: a row with the entered measures of its SKU, for the SKU record; null without a
 * SKU.
 */
type RemedyResult = { draft: BulkDraft; measuredRow: GridRow | null }

function withRows(draft: BulkDraft, change: (row: GridRow) => GridRow): BulkDraft {
  const rows = draft.rows.map(change)
  return rows.every((row, index) => row === draft.rows[index])
    ? draft
    : { ...draft, rows, edited: true }
}

/**
 * The entered measures in the blank cells of all rows of the SKU, or without a SKU of the rows of
 * this cause: what a file tells of a parcel wins. A combined row gets them in its lines and sums
 * them.
 */
export function withMeasures(
  draft: BulkDraft,
  { sku, key }: { sku: string; key: string },
  measures: EnteredMeasures,
  validateRow: RowValidator,
  skus: ReadonlyMap<string, SkuMeasures> = new Map(),
): RemedyResult {
  let measuredRow: GridRow | null = null
  const fillBlanks = (row: GridRow): GridRow => {
    const blank = Object.entries(measures).filter(([name]) => row[name as RowField].trim() === '')
    return blank.length === 0 ? row : { ...row, ...Object.fromEntries(blank), notices: [] }
  }
  const fillSku = (row: GridRow): GridRow => {
    const filled = row.skuNumber.trim() === sku ? fillBlanks(row) : row
    if (filled !== row) measuredRow ??= filled
    return filled
  }
  const next = withRows(draft, row => {
    if (sku !== '') return row.parts ? withLines(row, fillSku, skus, skus) : fillSku(row)
    return faultKeys(row, validateRow(row)).includes(key) ? fillBlanks(row) : row
  })
  return { draft: next, measuredRow }
}

/** The saved measures in the blank cells of rows whose SKU has a record by now. A row without blank cells stays as it is. */
export function withSavedSkus(draft: BulkDraft, skus: ReadonlyMap<string, SkuMeasures>): BulkDraft {
  const fill = (row: GridRow): GridRow =>
    MEASURES.some(name => row[name] === '') ? fillFromSku(row, skus.get(row.skuNumber)) : row
  return withRows(draft, row => (row.parts ? withLines(row, fill, skus, skus) : fill(row)))
}

/** Puts back the leading zeros that the states prove. */
export const withZipZeros = (draft: BulkDraft, field: 'FromZipPostal' | 'ToZipPostal'): BulkDraft =>
  withRows(draft, row => {
    const zip = zipWithZeros(row, field)
    return zip === null ? row : { ...row, [field]: zip }
  })

/** The saved address in the rows of this cause. */
export const withSender = (
  draft: BulkDraft,
  key: string,
  sender: SenderAddress,
  validateRow: RowValidator,
): BulkDraft =>
  withRows(draft, row =>
    faultKeys(row, validateRow(row)).includes(key) ? { ...row, ...senderFields(sender) } : row,
  )
