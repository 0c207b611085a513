/** Texts about an uploaded file: why it can't be read, and what to check in it. */
import { countText, numberText, plural } from '#contract/format.ts'

const UNSHIPPED_REPORT_HINT =
  'Download the "Unshipped orders" report from Seller Central (Orders, Order Reports) and upload that file.'

const columns = (names: readonly string[]): string =>
  `${plural(names.length, 'the column', 'the columns')} ${names.join(', ')}`

export const texts = {
  senderMissing: 'Please add an address first',
  wrongExtension: 'Only .csv and .txt files are accepted.',
  skuFile: 'This is a SKU file. Upload it in SKU Management.',
  unknownColumns: 'We don’t recognize the columns in this file. Use the Bulk Template CSV.',
  tooManyRows: (rows: number, most: number) =>
    `This file has ${numberText(rows)} rows. A bulk order takes up to ${numberText(most)}. Split the file.`,
  noRows: 'This file has a header line but no rows.',
  noOrders: 'This report has a header line but no orders.',
  nothingToShip: 'Nothing in this report is left to ship: every line has 0 to ship.',
  notUnicode: 'This file is not Unicode and was read as Windows-1252. Check names with accents.',
  wontFit: (quantity: string, sku: string, most: number) =>
    `${quantity} x ${sku} won’t fit: this SKU ships at most ${most} per package.`,
  mangledPhone: (phone: string) => `Phone '${phone}' was changed by a spreadsheet.`,
  mangledItemId: (id: string) => `Item ID '${id}' was changed by a spreadsheet and is left out.`,
  csv: {
    missingColumns: (names: readonly string[]) =>
      `This file is missing ${columns(names)}. Download the Bulk Template CSV to see all columns.`,
    ignoredColumns: (names: string) => `Ignored columns: ${names}.`,
    senderFilled: 'The file has no sender columns, so your saved address is used.',
    extraCells:
      'This row has more cells than the header. A value with a comma needs quotation marks around it.',
    hasLabel: (tracking: string) => `This row already has a label: ${tracking}.`,
  },
  amazon: {
    allOrders: `This is the "All orders" report, which has no street addresses. ${UNSHIPPED_REPORT_HINT}`,
    confirmation: `This is a shipping confirmation, not a list of orders. ${UNSHIPPED_REPORT_HINT}`,
    missingColumns: (names: readonly string[]) =>
      `This report is missing ${columns(names)}. ${UNSHIPPED_REPORT_HINT}`,
    line2MovedUp: 'Address line 1 was empty, so line 2 was moved up.',
    line3Joined: (line3: string) => `Address line 3 ('${line3}') was added to line 2.`,
    partlyShipped: (left: string, bought: string) =>
      `${left} of ${bought} items are still to ship.`,
    extraCells: (cells: number, width: number) =>
      `This line has ${cells} cells, but the header has ${width}. Check that no value is in the wrong column.`,
    duplicateItem: (line: number) =>
      `Line ${line} has the same order item. Both would get a label.`,
    leftOut: (lines: number, named: string) =>
      `${countText(lines, 'line')} with nothing left to ship ${plural(lines, 'was', 'were')} left out: ${named}.`,
    severalItems: (orders: number, lines: number) =>
      `${countText(orders, 'order')} with several items: each of the ${lines} lines gets its own label.`,
  },
}
