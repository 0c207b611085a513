/** The header row of a file and what the columns dialog shows of it. */
import { MAX_MAPPED_VALUES, MAX_MAPPING_TEXT } from '#contract/mapping-limits.ts'
import { shortenText } from '#contract/text.ts'
import { headerKey } from '#web/client/delimited-text.ts'
import { sha256OfText } from '#web/client/sha256.ts'
import { neededCells } from '#web/client/split-rows.ts'

/** The names of columns as they are, and as they are compared. */
export type Header = { header: string[]; keys: string[] }
/** `records`: the rows below the header. `cells`: the columns whose cells they have. */
export type Sheet = Header & { records: string[][]; cells: Header }

/**
 * A table whose columns are not known. `samples`: per column, the first three values; `values`: the
 * different ones, where they are few enough to be matched one by one; `first`: the cells of the first row; `rows`: the
 * header row and those below it, for `importSheet` once the columns are matched.
 */
export type SheetPreview = {
  headers: string[]
  samples: string[][]
  values: string[][]
  first: string[]
  fingerprint: string
  rows: string[][]
}

/** Titles, explanations and blank lines may stand above the header row. */
export const MAX_HEADER_ROWS = 10
/** A header has these columns at least: name, street, city, ZIP. */
const MIN_HEADER_CELLS = 4
const MAX_SAMPLE_LENGTH = 100

/** SHA-256 of the columns' names in order, in hexadecimal; case, spaces and punctuation do not count. */
export const fingerprintOf = (headers: readonly string[]): string =>
  sha256OfText(headers.map(columnKey).join('\n'))

/** As `headerKey`; a name without Latin letters is compared as it is. */
export const columnKey = (header: string): string =>
  headerKey(header) || header.trim().toLowerCase()

export function headerAt(rows: readonly string[][], at: number): Header {
  const header = (rows[at] ?? []).map(cell => cell.trim())
  return { header, keys: header.map(headerKey) }
}

/** `needed`: the columns that the rows below the top rows have; null for all. */
export function sheetAt(
  rows: readonly string[][],
  at: number,
  needed: readonly boolean[] | null = null,
): Sheet {
  const all = headerAt(rows, at)
  const records = rows.slice(at + 1)
  if (!needed) return { ...all, records, cells: all }
  const full = Math.min(records.length, MAX_HEADER_ROWS - at - 1)
  for (let one = 0; one < full; one += 1) records[one] = neededCells(records[one]!, needed)
  const cells = { header: neededCells(all.header, needed), keys: neededCells(all.keys, needed) }
  return { ...all, records, cells }
}

const isFilled = (cell: string): boolean => cell.trim() !== ''
const isBlankRow = (row: readonly string[]): boolean => !row.some(isFilled)

/** Rows of a workbook may be blank. */
export const withoutBlankRows = (rows: string[][]): string[][] =>
  rows.some(isBlankRow) ? rows.filter(row => !isBlankRow(row)) : rows

/**
 * Which row is likely the header of a table with unknown columns: the first of the top rows that is
 * nearly as wide as the widest of them and has no figures. Null if the rows are no table.
 */
export function guessHeaderRow(rows: readonly string[][]): number | null {
  const top = rows.slice(0, MAX_HEADER_ROWS)
  const widths = top.map(row => row.filter(isFilled).length)
  const wide = Math.max(MIN_HEADER_CELLS, Math.max(0, ...widths) * 0.6)
  const at = top.findIndex(
    (row, index) => widths[index]! >= wide && !row.some(cell => /^\s*[\d.,]+\s*$/.test(cell)),
  )
  return at < 0 || at + 1 >= rows.length ? null : at
}

/** Rows whose values are looked through. */
const MAX_VALUE_ROWS = 5_000

/** Empty where there are too many, or one is too long. */
function differentValues(records: readonly string[][], column: number): string[] {
  const values = new Set<string>()
  for (const record of records.slice(0, MAX_VALUE_ROWS)) {
    const value = (record[column] ?? '').trim()
    if (value !== '') values.add(value)
    if (values.size > MAX_MAPPED_VALUES || value.length > MAX_MAPPING_TEXT) return []
  }
  return [...values]
}

export function previewOf(rows: string[][], at: number): SheetPreview {
  const { header, records } = sheetAt(rows, at)
  const samples = header.map((_, column) => {
    const values: string[] = []
    for (const record of records) {
      const value = record[column] ?? ''
      if (isFilled(value)) values.push(shortenText(value.trim(), MAX_SAMPLE_LENGTH))
      if (values.length === 3) break
    }
    return values
  })
  const values = header.map((_, column) => differentValues(records, column))
  return {
    headers: header,
    samples,
    values,
    first: header.map((_, column) =>
      shortenText((records[0]?.[column] ?? '').trim(), MAX_SAMPLE_LENGTH),
    ),
    fingerprint: fingerprintOf(header),
    rows: rows.slice(at),
  }
}
