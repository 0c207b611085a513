/**
 * Rows that failed or have faults as a table that the bulk page reads again: the template's
 * columns, the order's, why each row is in it, and its service.
 */
import { BYTE_ORDER_MARK, csvLine, defuseFormula, readCsvCell } from './csv.ts'
import { OPTION_FIELDS } from './label-options.ts'
import type { OptionField } from './label-options.ts'
import { fieldByName, TEMPLATE_FIELDS } from './rows.ts'
import type { RowField, SubmittedRow } from './rows.ts'

const FIELDS_IN_FILE: readonly RowField[] = [
  ...TEMPLATE_FIELDS,
  'orderId',
  'orderItemId',
  'skuNumber',
  'quantity',
  'PackageDescription',
  'PackageReference1',
  'PackageReference2',
]

/** The column with the order items of a combined row, as JSON. */
export const ITEMS_HEADER = 'ITEMS'
/** The column with the receiver's email address. */
export const EMAIL_HEADER = 'TO EMAIL'
/** The columns with what a label asks for beside its service. */
export const OPTION_HEADERS: Record<OptionField, string> = {
  signature: 'SIGNATURE',
  saturday: 'SATURDAY DELIVERY',
}
/** The last column, with the name of the row's service. */
export const SERVICE_HEADER = 'SERVICE'

/** Columns of a row besides its fields and items. */
export const MORE_COLUMNS: readonly { header: string; cellOf: (row: SubmittedRow) => string }[] = [
  { header: EMAIL_HEADER, cellOf: row => row.ToEmail ?? '' },
  ...OPTION_FIELDS.map(name => ({
    header: OPTION_HEADERS[name],
    cellOf: (row: SubmittedRow) => row[name] ?? '',
  })),
]

const ROW_HEADERS: readonly string[] = [
  ...FIELDS_IN_FILE.map(name => fieldByName(name).header),
  ...MORE_COLUMNS.map(({ header }) => header),
  ITEMS_HEADER,
]
export const FAULTY_ROW_HEADERS: readonly string[] = [...ROW_HEADERS, 'REASON', SERVICE_HEADER]

const rowCells = (row: SubmittedRow): string[] => [
  ...FIELDS_IN_FILE.map(name => row[name]),
  ...MORE_COLUMNS.map(({ cellOf }) => cellOf(row)),
  row.items ? JSON.stringify(row.items) : '',
]

const faultyRowCells = (row: SubmittedRow, reason: string): string[] => [
  ...rowCells(row),
  reason,
  row.ServiceName,
]

/** The rows as such a table without the reasons. */
export const rowsCsv = (rows: readonly SubmittedRow[]): string =>
  BYTE_ORDER_MARK
  + [[...ROW_HEADERS, SERVICE_HEADER], ...rows.map(row => [...rowCells(row), row.ServiceName])]
    .map(csvLine)
    .join('')

/** Byte order mark and header. */
export const faultyRowsHead = (): string => BYTE_ORDER_MARK + csvLine(FAULTY_ROW_HEADERS)

export const faultyRowLine = (row: SubmittedRow, reason: string): string =>
  csvLine(faultyRowCells(row, reason))

/**
 * Cells of a workbook in the order of the headers. Texts that a reader would change get their
 * apostrophe; order items longer than `maxLength` characters are left out, and the reason says so.
 */
export function faultyRowSheetCells(
  row: SubmittedRow,
  reason: string,
  maxLength: number,
): string[] {
  const fits = !row.items || JSON.stringify(row.items).length <= maxLength
  const cells = fits
    ? faultyRowCells(row, reason)
    : faultyRowCells(
        { ...row, items: undefined },
        `${reason} Its order items are too long for a cell: the CSV file has them.`,
      )
  return cells.map(cell => (readCsvCell(cell) === cell ? cell : defuseFormula(cell)))
}
