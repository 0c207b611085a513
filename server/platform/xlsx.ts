/** Workbooks of one sheet, written while they are sent. */
import { writeXlsxStream } from 'hucre/xlsx'
import type { CellValue } from 'hucre/xlsx'
import { yieldToOthers } from './process/turns.ts'
import type { Sink } from './storage/port.ts'

/** Texts stay texts: no spreadsheet takes one for a formula, a number or a date. */
export type SheetCell = string | number | null

/** `width` in characters; `decimals`: shown, of a column of numbers. */
export type SheetColumn = { header: string; width?: number; decimals?: number }

export type Sheet = { name: string; columns: readonly SheetColumn[] }

const DEFAULT_WIDTH = 16
/** Some 10 ms: a row of 30 cells takes 0.2 ms. */
const ROWS_A_TURN = 50

/**
 * Writes the sheet with a frozen header row, at the speed of `sink`. `pages`: rows in the order of
 * the columns. Throws what `pages` and `sink` throw.
 */
export async function writeWorkbook(
  sink: Sink,
  { name, columns }: Sheet,
  pages: AsyncIterable<readonly SheetCell[][]>,
): Promise<void> {
  const stream = writeXlsxStream(rowsInTurns(pages), {
    name,
    columns: columns.map(({ header, width = DEFAULT_WIDTH, decimals }) => ({
      header,
      width,
      ...(decimals !== undefined && { numFmt: `0.${'0'.repeat(decimals)}` }),
    })),
    freezePane: { rows: 1 },
  })
  for await (const chunk of stream) await sink.write(chunk)
}

async function* rowsInTurns(
  pages: AsyncIterable<readonly SheetCell[][]>,
): AsyncGenerator<CellValue[]> {
  let rows = 0
  for await (const page of pages) {
    for (const row of page) {
      yield row.map(toCellValue)
      rows += 1
      if (rows % ROWS_A_TURN === 0) await yieldToOthers()
    }
  }
}

/** In characters. Longer cells make spreadsheets repair the file; they are cut. */
export const MAX_CELL_LENGTH = 32_767

/** The library escapes control characters; XML has no U+FFFE and U+FFFF either. */
const NOT_IN_XML = /[\ufffe\uffff]/g
const escapeCharacter = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase()}_`

function toCellValue(cell: SheetCell): CellValue {
  if (typeof cell !== 'string') return cell
  // Readers take _x0041_ for an escaped character (ECMA-376, 22.9.2.19).
  const text = cell
    .slice(0, MAX_CELL_LENGTH)
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(NOT_IN_XML, escapeCharacter)
  return text === '' ? null : text
}
