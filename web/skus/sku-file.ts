/** SKU files: read before an upload, written for a download. Pure. */
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { measureUnit, parseMeasureWithUnit } from '#contract/measures.ts'
import type { ColumnUnit, MeasureKind } from '#contract/measures.ts'
import { SKU_FIELDS, skuErrors, toSkuMeasures } from '#contract/sku-rules.ts'
import type { SkuField, SkuFieldRule, SkuInput, SkuMeasures } from '#contract/sku-rules.ts'
import {
  decodeText,
  fileExtension,
  letterNotices,
  notTextProblem,
} from '#web/client/decode-text.ts'
import { headerKey, parseQuotedCells, trimLeadingLines } from '#web/client/delimited-text.ts'
import { readCell } from '#web/client/read-cell.ts'
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
  const decoded = decodeText(bytes)
  const sheet = parseQuotedCells(trimLeadingLines(decoded.text))
  if ('problem' in sheet) return sheet
  const columns = SKU_FIELDS.map(rule => skuColumn(sheet.header, rule))
  const missing = columns
    .filter(({ rule, at }) => at < 0 && rule.name !== 'description')
    .map(({ rule }) => rule.name)
  if (missing.length > 0) {
    const all = SKU_FIELDS.map(rule => rule.name).join(', ')
    return { problem: texts.file.missingColumns(missing.join(', '), all) }
  }
  if (sheet.records.length === 0) return { problem: texts.file.noRecords }
  const notices = [...letterNotices(decoded), ...sheet.notices]
  return parseSkuRecords(sheet.records, columns, notices)
}

/** `at`: -1 where the header lacks it. `unit`: of a measure, by the header; `unitAt`: its column. */
type SkuColumn = { rule: SkuFieldRule; at: number; unit?: ColumnUnit; unitAt: number }

const MEASURE_KINDS: Partial<Record<SkuField, MeasureKind>> = {
  weight: 'weight',
  length: 'length',
  width: 'length',
  height: 'length',
}
const UNIT_COLUMN_KEYS: Record<MeasureKind, readonly string[]> = {
  weight: ['weightunit', 'weightunits'],
  length: ['sizeunit', 'dimensionunit', 'dimensionsunit'],
}
const HEADER_WITH_UNIT = /^(.+?)[\s([_-]+([a-z]+|["”″])\W*$/i

function skuColumn(header: readonly string[], rule: SkuFieldRule): SkuColumn {
  const keys = header.map(headerKey)
  const names = HEADER_KEYS[rule.name]
  const kind = MEASURE_KINDS[rule.name]
  const at = keys.findIndex(key => names.includes(key))
  if (!kind) return { rule, at, unitAt: -1 }
  const unitAt = keys.findIndex(key => UNIT_COLUMN_KEYS[kind].includes(key))
  if (at >= 0) return { rule, at, unitAt }
  for (const [place, name] of header.entries()) {
    const [, measure = '', word = ''] = HEADER_WITH_UNIT.exec(name.slice(0, 100).trim()) ?? []
    const unit = measureUnit(word, kind)
    if (unit && names.includes(headerKey(measure))) return { rule, at: place, unit, unitAt }
  }
  return { rule, at, unitAt }
}

const FIGURE = /^[\d.\s]+$/

/** The cell; a measure in pounds or inches, with what it was read from if that changed it. */
function skuCell(
  record: string[],
  { rule, at, unit, unitAt }: SkuColumn,
): { value: string; note: string | null } {
  // As in files of orders, where the same SKU has to be found.
  const cell = readCell(record[at], rule.name !== 'description')
  const kind = MEASURE_KINDS[rule.name]
  if (!kind) return { value: cell, note: null }
  const own = readCell(record[unitAt])
  const given = own !== '' && FIGURE.test(cell) ? `${cell} ${own}` : cell
  const read = parseMeasureWithUnit(given, kind, unit)
  return 'note' in read ? read : { value: read.value, note: null }
}

function parseSkuRecords(cells: string[][], columns: SkuColumn[], notices: string[]): SkuFile {
  const records = new Map<string, SkuMeasures>()
  const invalid: SkuFileError[] = []
  let repeated = 0
  let converted = 0
  let example = ''
  cells.forEach((record, index) => {
    const entry: SkuInput = { sku: '' }
    for (const column of columns) {
      const { value, note } = skuCell(record, column)
      entry[column.rule.name] = value
      if (note === null) continue
      converted += 1
      example ||= note
    }
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
    notices: [
      ...notices,
      ...(converted > 0 ? [texts.file.measuresRead(converted, example)] : []),
      ...notice,
    ],
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
type SkuFileRecords = { records: SkuMeasures[]; notices: string[] }

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
