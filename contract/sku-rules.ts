import { decodeText, fileExtension, notTextProblem } from '#web/client/decode-text.ts'
/** SKU records: the rules of the form and of the file, and how a row takes its measures from them (specification, 5 and 9). */
import {
  headerKey,
  unescapeCell,
  parseQuotedCells,
  trimLeadingLines,
} from '#web/client/delimited-text.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import { parseMeasure } from './row-rules.ts'
import { MEASURES, tidyText } from './rows.ts'
import type { BulkRow } from './rows.ts'

/** What is known of a SKU: at most `maxQty` pieces in one package; pounds and inches. */
export type SkuMeasures = {
  sku: string
  maxQty: number
  weight: number
  length: number
  width: number
  height: number
  description: string
}
export type SkuField = keyof SkuMeasures

/** A record as typed or read: numbers or numeric text. */
export type SkuInput = { sku: string; description?: string | null } & Partial<
  Record<'maxQty' | 'weight' | 'length' | 'width' | 'height', number | string | null>
>

type SkuFieldRule = {
  name: SkuField
  label: string
  kind: 'text' | 'count' | 'measure'
  max: number
  headers: string[]
}
export const SKU_FIELDS: readonly SkuFieldRule[] = [
  {
    name: 'sku',
    label: 'SKU',
    kind: 'text',
    max: 60,
    headers: ['sku', 'skunumber', 'sellersku', 'itemsku'],
  },
  {
    name: 'maxQty',
    label: 'Max Quantity',
    kind: 'count',
    max: 999_999,
    headers: ['maxqty', 'maxquantity', 'qty', 'quantity'],
  },
  {
    name: 'weight',
    label: 'Weight',
    kind: 'measure',
    max: 999,
    headers: ['weight', 'weightlb', 'weightlbs', 'packageweight'],
  },
  {
    name: 'length',
    label: 'Length',
    kind: 'measure',
    max: 999,
    headers: ['length', 'lengthin', 'packagelength'],
  },
  {
    name: 'width',
    label: 'Width',
    kind: 'measure',
    max: 999,
    headers: ['width', 'widthin', 'packagewidth'],
  },
  {
    name: 'height',
    label: 'Height',
    kind: 'measure',
    max: 999,
    headers: ['height', 'heightin', 'packageheight'],
  },
  {
    name: 'description',
    label: 'Description',
    kind: 'text',
    max: 200,
    headers: ['description', 'desc', 'packagedescription'],
  },
]

export type SkuErrors = Partial<Record<SkuField, string>>

const cellText = (value: unknown): string =>
  tidyText(value === null || value === undefined ? '' : String(value))

/** Wrong fields of a record, each with its sentence; empty when it can be saved. */
export function skuErrors(entry: SkuInput): SkuErrors {
  const errors: SkuErrors = {}
  for (const rule of SKU_FIELDS) {
    const message = skuError(rule, cellText(entry[rule.name]))
    if (message !== null) errors[rule.name] = message
  }
  return errors
}

function skuError({ name, label, kind, max }: SkuFieldRule, text: string): string | null {
  if (kind === 'text') {
    if (name === 'sku' && text === '') return `${label} is required`
    if (text.length > max) return `${label} must be at most ${max} characters long`
    return /[\p{Cc}\p{Cs}]/u.test(text)
      ? `${label} contains a character that cannot be printed`
      : null
  }
  const value = parseMeasure(text)
  if (value === null) return `${label} must be greater than 0`
  if (value > max) return `${label} must be at most ${max}`
  return kind === 'count' && !Number.isInteger(value) ? `${label} must be a whole number` : null
}

/** The record that an entry without errors stands for. */
export function toSkuMeasures(entry: SkuInput): SkuMeasures {
  const figure = (value: unknown) => parseMeasure(cellText(value)) ?? 0
  return {
    sku: cellText(entry.sku),
    maxQty: figure(entry.maxQty),
    weight: figure(entry.weight),
    length: figure(entry.length),
    width: figure(entry.width),
    height: figure(entry.height),
    description: cellText(entry.description),
  }
}

/** `row` counts the records of the file from 1. */
export type SkuFileError = { row: number; field: SkuField; message: string }
/** Of records with the same SKU the last one counts; `total` is how many the file has. */
export type SkuFile = {
  records: SkuMeasures[]
  invalid: SkuFileError[]
  total: number
  notices: string[]
}

/** Reads a SKU upload: .csv with a header row, empty lines skipped. Wrong records are named and the others are kept. */
export function parseSkuFile(bytes: Uint8Array, fileName: string): SkuFile | { problem: string } {
  const unreadable = notTextProblem(bytes)
  if (unreadable !== null) return { problem: unreadable }
  if (fileExtension(fileName) !== 'csv') return { problem: 'Only .csv files are accepted here.' }
  const sheet = parseQuotedCells(trimLeadingLines(decodeText(bytes).text))
  if ('problem' in sheet) return sheet
  const keys = sheet.header.map(headerKey)
  const columns = SKU_FIELDS.map(rule => ({
    rule,
    at: keys.findIndex(key => rule.headers.includes(key)),
  }))
  const missing = columns
    .filter(({ rule, at }) => at < 0 && rule.name !== 'description')
    .map(({ rule }) => rule.name)
  if (missing.length > 0) {
    const all = SKU_FIELDS.map(rule => rule.name).join(', ')
    return {
      problem: `This file has no column ${missing.join(', ')}. The first line must name ${all}.`,
    }
  }
  if (sheet.records.length === 0)
    return { problem: 'The file has a header line and no records below it.' }
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
    for (const { rule, at } of columns) entry[rule.name] = unescapeCell(record[at] ?? '')
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

/** Records as a file that parseSkuFile reads again; without records its header line, to be filled in. */
export const skuCsv = (records: readonly SkuMeasures[]): string =>
  BYTE_ORDER_MARK
  + csvLine(SKU_FIELDS.map(rule => rule.name))
  + records.map(record => csvLine(SKU_FIELDS.map(rule => String(record[rule.name])))).join('')

/** SKU records by their SKU, for `fillFromSku`. */
export const indexBySku = (skus: Iterable<SkuMeasures>): Map<string, SkuMeasures> =>
  new Map(Array.from(skus, known => [known.sku, known]))

/**
 * A known SKU fills weight, dimensions and description (specification, 9). What the file itself says is kept: it knows this
 * parcel, the record only the usual one. Gives back the same row when there is nothing to fill.
 */
export function fillFromSku<Row extends BulkRow>(row: Row, known: SkuMeasures | undefined): Row {
  if (!known || row.skuNumber === '') return row
  return {
    ...row,
    PackageWeight: row.PackageWeight || String(known.weight),
    PackageLength: row.PackageLength || String(known.length),
    PackageWidth: row.PackageWidth || String(known.width),
    PackageHeight: row.PackageHeight || String(known.height),
    PackageDescription: row.PackageDescription || known.description,
  }
}

/** Rows with a SKU first, by SKU, then larger quantities before smaller; equal ones keep their order (specification, 9). */
export function sortBySku<Row extends BulkRow>(rows: readonly Row[]): Row[] {
  const quantity = (row: Row) => Number(row.quantity) || 0
  return rows.toSorted((a, b) => {
    if (a.skuNumber === '' || b.skuNumber === '')
      return Number(a.skuNumber === '') - Number(b.skuNumber === '')
    if (a.skuNumber !== b.skuNumber) return a.skuNumber < b.skuNumber ? -1 : 1
    return quantity(b) - quantity(a)
  })
}

const COPIED_FIELDS = [...MEASURES, 'PackageDescription'] as const

/** After a row with a SKU was saved: its measures in all rows of that SKU. Rows that do not change stay the same objects. */
export function copyMeasures<Row extends BulkRow>(rows: readonly Row[], edited: BulkRow): Row[] {
  if (edited.skuNumber === '') return [...rows]
  return rows.map(row => {
    if (
      row.skuNumber !== edited.skuNumber
      || COPIED_FIELDS.every(name => row[name] === edited[name])
    )
      return row
    const next: Row = { ...row }
    const cells: BulkRow = next
    for (const name of COPIED_FIELDS) cells[name] = edited[name]
    return next
  })
}

/** The record to create or update when an edited row is saved; null without a SKU or without sound measures. */
export function skuFromRow(row: BulkRow, known?: SkuMeasures): SkuMeasures | null {
  const entry: SkuInput = {
    sku: row.skuNumber,
    maxQty: known?.maxQty ?? (row.quantity || 1),
    weight: row.PackageWeight,
    length: row.PackageLength,
    width: row.PackageWidth,
    height: row.PackageHeight,
    description: row.PackageDescription,
  }
  return Object.keys(skuErrors(entry)).length > 0 ? null : toSkuMeasures(entry)
}
