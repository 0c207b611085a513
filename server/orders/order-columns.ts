/** The columns of files that list labels, for customers and for administrators. */
import { BYTE_ORDER_MARK, csvLine, csvMoment } from '#contract/csv.ts'
import { groupTracking } from '#contract/format.ts'
import { decimal, dollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { SheetCell, SheetColumn } from '#server/platform/xlsx.ts'
import { shownReasonOf } from './rules.ts'
import type { OrderRecord } from './rules.ts'

export type TableColumn<Row> = SheetColumn & {
  cell: (row: Row) => SheetCell
  /** Where a spreadsheet would read the plain text of the cell otherwise. */
  csv?: (row: Row) => string
}

const moment = (at: Date | null): string => (at === null ? '' : csvMoment(at))

/** An amount of money: a number in a sheet, '9.50' in CSV. */
export const amountColumn = <Row>(
  header: string,
  read: (row: Row) => Cents | null,
): TableColumn<Row> => ({
  header,
  width: 10,
  decimals: 2,
  cell: row => {
    const value = read(row)
    return value === null ? null : dollars(value)
  },
  csv: row => {
    const value = read(row)
    return value === null ? '' : decimal(value)
  },
})

/** Tracking numbers in CSV are in groups of four, so that a spreadsheet does not round them. */
export const ORDER_COLUMNS = {
  ordered: { header: 'Ordered (UTC)', width: 20, cell: order => moment(order.createdAt) },
  label: { header: 'Label', width: 12, cell: order => String(order.id) },
  service: { header: 'Service', width: 24, cell: order => order.serviceName },
  tracking: {
    header: 'Tracking',
    width: 26,
    cell: order => order.trackingNumber,
    csv: order => (order.trackingNumber === null ? '' : groupTracking(order.trackingNumber)),
  },
  price: amountColumn('Price', order => order.price),
  bought: { header: 'Bought (UTC)', width: 20, cell: order => moment(order.purchasedAt) },
  voided: { header: 'Voided (UTC)', width: 20, cell: order => moment(order.voidedAt) },
  batch: {
    header: 'Bulk order',
    width: 12,
    cell: order => (order.batchId === null ? null : String(order.batchId)),
  },
  row: { header: 'Row', width: 8, cell: order => order.rowNo },
  reference: { header: 'Order reference', width: 22, cell: order => order.orderRef },
  receiver: { header: 'Receiver', width: 24, cell: order => order.receiver.name },
  city: { header: 'City', cell: order => order.receiver.city },
  region: { header: 'Region', width: 8, cell: order => order.receiver.state },
  zip: { header: 'Zip', width: 12, cell: order => order.receiver.zip },
  reason: { header: 'Reason', width: 40, cell: order => shownReasonOf(order) },
} satisfies Record<string, TableColumn<OrderRecord>>

export const csvHead = (columns: readonly SheetColumn[]): string =>
  BYTE_ORDER_MARK + csvLine(columns.map(({ header }) => header))

export const csvLines = <Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string =>
  rows
    .map(row =>
      csvLine(
        columns.map(({ cell, csv }) => {
          const value = csv ? csv(row) : cell(row)
          return typeof value === 'number' ? String(value) : value
        }),
      ),
    )
    .join('')

/** The same table as cells of a sheet: tracking numbers whole, amounts as numbers. */
export const sheetCells = <Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
): SheetCell[][] => rows.map(row => columns.map(({ cell }) => cell(row)))
