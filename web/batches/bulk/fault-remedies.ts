/** One entry for all rows of a cause. Pure: rows that do not change stay the same objects. */
import { MEASURES } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { senderFields } from '#web/batches/import/row-draft.ts'
import type { SenderAddress } from '#web/batches/import/row-draft.ts'
import { withLines } from './combine.ts'
import type { BulkDraft } from './draft.ts'
import { faultKeys, zipWithZeros } from './fault-causes.ts'
import type { RowValidator } from './validation.ts'

/** Inches and pounds, as typed. */
export type EnteredMeasures = Partial<Record<(typeof MEASURES)[number], string>>

/**
 * `measuredRow`: a row with the entered measures of its SKU, for the SKU record; null without a
 * SKU.
 */
export type RemedyResult = { draft: BulkDraft; measuredRow: GridRow | null }

function withRows(draft: BulkDraft, change: (row: GridRow) => GridRow): BulkDraft {
  const rows = draft.rows.map(change)
  return rows.every((row, index) => row === draft.rows[index])
    ? draft
    : { ...draft, rows, edited: true }
}

/**
 * The entered measures in all rows of the SKU, as an edit of one of them would do; without a SKU in
 * the blank cells of the rows of this cause. A combined row gets them in its lines and sums them.
 */
export function withMeasures(
  draft: BulkDraft,
  { sku, key }: { sku: string; key: string },
  measures: EnteredMeasures,
  validateRow: RowValidator,
  skus: ReadonlyMap<string, SkuMeasures> = new Map(),
): RemedyResult {
  let measuredRow: GridRow | null = null
  const fillSku = (row: GridRow): GridRow => {
    if (row.skuNumber.trim() !== sku || isSame(row, measures)) return row
    const changed = { ...row, ...measures, notices: [] }
    measuredRow ??= changed
    return changed
  }
  const next = withRows(draft, row => {
    if (sku !== '') return row.parts ? withLines(row, fillSku, skus, skus) : fillSku(row)
    if (!faultKeys(row, validateRow(row)).includes(key)) return row
    const blank = Object.entries(measures).filter(([name]) => row[name as RowField].trim() === '')
    return { ...row, ...Object.fromEntries(blank), notices: [] }
  })
  return { draft: next, measuredRow }
}

const isSame = (row: GridRow, measures: EnteredMeasures): boolean =>
  MEASURES.every(name => measures[name] === undefined || row[name] === measures[name])

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
