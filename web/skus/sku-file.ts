/** SKU files: read before an upload, written for a download. Pure. */
import { BYTE_ORDER_MARK, csvLine, readCsvCell } from '#contract/csv.ts'
import { SKU_FIELDS, skuErrors, toSkuMeasures } from '#contract/sku-rules.ts'
import type { SkuField, SkuFieldRule, SkuInput, SkuMeasures } from '#contract/sku-rules.ts'
import { decodeText, fileExtension, notTextProblem } from '#web/client/decode-text.ts'
import { headerKey, parseQuotedCells, trimLeadingLines } from '#web/client/delimited-text.ts'
import { texts } from './texts.ts'

/** `row` counts the records of the file from 1. */
export type SkuFileError = { row: number; field: SkuField; message: string }
/** Of records with the same SKU the last one counts; `total` is how many the file has. */
type SkuFile = {
  records: SkuMeasures[]
  invalid: SkuFileError[]
  total: number
  notices: string[]
}

/** Spellings of each column in a file's header line, as `headerKey` gives them. */
const HEADER_KEYS: Record<SkuField, readonly string[]> = {
  sku: ['sku', 'skunumber', 'sellersku', 'itemsku'],
  maxQty: ['maxqty', 'maxquantity', 'qty', 'quantity'],
  weight: ['weight', 'weightlb', 'weightlbs', 'packageweight'],
  length: ['length', 'lengthin', 'packagelength'],
  width: ['width', 'widthin', 'packagewidth'],
  height: ['height', 'heightin', 'packageheight'],
  description: ['description', 'desc', 'packagedescription'],
}

/**
 * Reads a .csv with a header row; empty lines are skipped. Invalid records are listed beside the
 * valid ones.
 */
export function parseSkuFile(bytes: Uint8Array, fileName: string): SkuFile | { problem: string } {
  const unreadable = notTextProblem(bytes)
  if (unreadable !== null) return { problem: unreadable }
  if (fileExtension(fileName) !== 'csv') return { problem: texts.file.wrongType }
  const sheet = parseQuotedCells(trimLeadingLines(decodeText(bytes).text))
  if ('problem' in sheet) return sheet
  const keys = sheet.header.map(headerKey)
  const columns = SKU_FIELDS.map(rule => ({
    rule,
    at: keys.findIndex(key => HEADER_KEYS[rule.name].includes(key)),
  }))
  const missing = columns
    .filter(({ rule, at }) => at < 0 && rule.name !== 'description')
    .map(({ rule }) => rule.name)
  if (missing.length > 0) {
    const all = SKU_FIELDS.map(rule => rule.name).join(', ')
    return { problem: texts.file.missingColumns(missing.join(', '), all) }
  }
  if (sheet.records.length === 0) return { problem: texts.file.noRecords }
  return parseSkuRecords(sheet.records, columns, sheet.notices)
}

function parseSkuRecords(
  cells: string[][],
  columns: { rule: SkuFieldRule; at: number }[],
  notices: string[],
): SkuFile {
  const records = new Map<string, SkuMeasures>()
  const invalid: SkuFileError[] = []
  let repeated = 0
  cells.forEach((record, index) => {
    const entry: SkuInput = { sku: '' }
    for (const { rule, at } of columns) entry[rule.name] = readCsvCell(record[at] ?? '')
    const errors = skuErrors(entry)
    for (const { rule } of columns) {
      const message = errors[rule.name]
      if (message) invalid.push({ row: index + 1, field: rule.name, message })
    }
    if (Object.keys(errors).length > 0) return
    const known = toSkuMeasures(entry)
    if (records.has(known.sku)) repeated += 1
    records.set(known.sku, known)
  })
  const notice =
    repeated > 0 ? [`${repeated} record(s) repeat a SKU of this file; the last one counts.`] : []
  return {
    records: [...records.values()],
    invalid,
    total: cells.length,
    notices: [...notices, ...notice],
  }
}

/** A file that `parseSkuFile` reads back; without records only the header line, to fill in. */
export const skuCsv = (records: readonly SkuMeasures[]): string =>
  BYTE_ORDER_MARK
  + csvLine(SKU_FIELDS.map(rule => rule.name))
  + records.map(record => csvLine(SKU_FIELDS.map(rule => String(record[rule.name])))).join('')

/** The limit of one request (contract/skus.ts). */
const MAX_RECORDS = 20_000

/** Why nothing was uploaded; `invalid` lists each invalid field of each record. */
export type SkuFileProblem = { text: string; invalid: readonly SkuFileError[] }
export type SkuFileRecords = { records: SkuMeasures[]; notices: string[] }

/** One invalid record refuses the file: a partial upload would have to be completed manually. */
export function readSkuFile(bytes: Uint8Array, name: string): SkuFileRecords | SkuFileProblem {
  const file = parseSkuFile(bytes, name)
  if ('problem' in file) return { text: file.problem, invalid: [] }
  const { records, invalid, total, notices } = file
  if (invalid.length > 0)
    return { text: texts.file.nothing(new Set(invalid.map(({ row }) => row)).size, total), invalid }
  if (records.length > MAX_RECORDS)
    return { text: texts.file.tooMany(records.length, MAX_RECORDS), invalid: [] }
  return { records, notices }
}

/** How many of the records replace existing ones. */
export const countReplaced = (
  records: readonly SkuMeasures[],
  known: readonly { sku: string }[],
): number => {
  const skus = new Set(known.map(({ sku }) => sku))
  return records.filter(({ sku }) => skus.has(sku)).length
}
