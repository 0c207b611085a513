import { tidyRow } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { shortenText } from '#contract/text.ts'
import { indexBySku, fillFromSku, sortBySku } from '#web/batches/bulk/sku-fill.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { decodeText, fileExtension, notTextProblem } from '#web/client/decode-text.ts'
import type { Encoding } from '#web/client/decode-text.ts'
/**
 * Imports a file as rows: bulk .csv or marketplace .txt, told apart by content. A problem with the
 * whole file is one sentence; errors of rows are left to row-rules.ts, so one bad row does not
 * affect the others.
 */
import {
  headerKey,
  parseHeaderLine,
  detectDelimiter,
  parseQuotedCells,
  parseTabbedCells,
  trimLeadingLines,
} from '#web/client/delimited-text.ts'
import { looksLikeAmazon, draftsFromAmazon, amazonReportProblem } from './import-amazon.ts'
import { looksLikeTemplate, draftsFromCsv } from './import-csv.ts'
import type { RowDraft, SenderAddress } from './row-draft.ts'
import { texts } from './texts.ts'

/** `maxRows`: the limit of one batch (BULK_MAX_ROWS). */
export type ImportContext = {
  senderAddress?: SenderAddress
  skus: Iterable<SkuMeasures>
  maxRows: number
}

export type ImportResult = {
  kind: 'csv' | 'amazon'
  rows: GridRow[]
  notices: string[]
  encoding: Encoding
}
export type ImportProblem = { problem: string }

export const NO_SENDER_PROBLEM = texts.senderMissing

/**
 * Never throws, for any content. Rows are sorted, filled from the SKU records, with ids row-0,
 * row-1 …
 */
export function importFile(
  bytes: Uint8Array,
  fileName: string,
  context: ImportContext,
): ImportResult | ImportProblem {
  const unreadable = notTextProblem(bytes)
  if (unreadable !== null) return { problem: unreadable }
  if (!['csv', 'txt'].includes(fileExtension(fileName))) return { problem: texts.wrongExtension }
  const { text, encoding } = decodeText(bytes)
  const read = readDrafts(trimLeadingLines(text), context)
  if ('problem' in read) return read
  const notices = encoding === 'windows-1252' ? [texts.notUnicode, ...read.notices] : read.notices
  return { kind: read.kind, rows: toGridRows(read.drafts, context), notices, encoding }
}

type DraftsResult = { kind: ImportResult['kind']; drafts: RowDraft[]; notices: string[] }

function readDrafts(text: string, context: ImportContext): DraftsResult | ImportProblem {
  const keys = parseHeaderLine(text).map(headerKey)
  const template = looksLikeTemplate(keys)
  const amazon = !template && looksLikeAmazon(keys)
  const unknown = template || amazon ? null : unknownFileProblem(keys)
  if (unknown !== null) return { problem: unknown }
  const wrong = amazon ? amazonReportProblem(keys) : null
  if (wrong !== null) return { problem: wrong }

  const sheet =
    amazon && detectDelimiter(text) === '\t' ? parseTabbedCells(text) : parseQuotedCells(text)
  if ('problem' in sheet) return sheet
  const count = sheet.records.length
  if (count > context.maxRows) return { problem: texts.tooManyRows(count, context.maxRows) }
  if (!amazon) {
    const read = draftsFromCsv(sheet, context.senderAddress)
    if ('problem' in read) return read
    return count === 0 ? { problem: texts.noRows } : { kind: 'csv', ...read }
  }
  if (count === 0) return { problem: texts.noOrders }
  if (!context.senderAddress) return { problem: NO_SENDER_PROBLEM }
  const read = draftsFromAmazon(sheet, context.senderAddress)
  if (read.drafts.length === 0) return { problem: texts.nothingToShip }
  return { kind: 'amazon', ...read }
}

function unknownFileProblem(keys: string[]): string {
  return keys.includes('sku') && keys.includes('maxqty') ? texts.skuFile : texts.unknownColumns
}

function toGridRows(drafts: RowDraft[], context: ImportContext): GridRow[] {
  const skus = indexBySku(context.skus)
  const filled = drafts.map(draft => {
    const row = tidyRow(draft)
    const known = skus.get(row.skuNumber)
    if (known && Number(row.quantity) > known.maxQty) {
      row.notices.push(texts.wontFit(shortenText(row.quantity), known.sku, known.maxQty))
    }
    return fillFromSku(row, known)
  })
  return sortBySku(filled).map((row, index) => ({ ...row, id: `row-${index}` }))
}
