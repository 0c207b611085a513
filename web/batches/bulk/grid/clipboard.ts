/** Copies cells of the table for spreadsheets, so that they can be pasted back unchanged. */
import { defuseFormula } from '#contract/csv.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import type { ColumnKey } from './row-filter.ts'
import { columnText } from './row-filter.ts'

const NEEDS_QUOTES = /[\t\r\n]|^"/

const copiedCell = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** `cellText` gives the text of a cell: of a price, dollars and cents. */
export type CellText = (row: GridRow, column: ColumnKey) => string

/** Tab-separated text of the cells, a line for each row. */
export const toClipboardText = (
  rows: readonly GridRow[],
  columns: readonly ColumnKey[],
  cellText: CellText = columnText,
): string =>
  rows
    .map(row => columns.map(column => copiedCell(defuseFormula(cellText(row, column)))).join('\t'))
    .join('\r\n')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, sign => ENTITIES[sign]!)

/** The same cells as a table whose cells spreadsheets read as text, so that ZIP 04101 keeps its zero. */
export const toClipboardTable = (
  rows: readonly GridRow[],
  columns: readonly ColumnKey[],
  cellText: CellText = columnText,
): string =>
  `<table>${rows
    .map(
      row =>
        `<tr>${columns
          .map(
            column =>
              `<td style="mso-number-format:'\\@'">${escapeHtml(defuseFormula(cellText(row, column)))}</td>`,
          )
          .join('')}</tr>`,
    )
    .join('')}</table>`
