// The result CSV of a batch: what became of each row, next to the submitted row.
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { groupTracking } from '#contract/format.ts'
import { OPTION_FIELDS } from '#contract/label-options.ts'
import { TEMPLATE_FIELDS, TEMPLATE_HEADERS, type SubmittedRow } from '#contract/rows.ts'
import type { Sheet, SheetCell, SheetColumn } from '#server/platform/xlsx.ts'

/**
 * In table order. `status` as over HTTP, `reason` of a failure, `input` as submitted. `trackingPage`:
 * a whole address, null without a page.
 */
export type ResultRow = {
  row: number
  orderId: string | null
  orderItemId: string | null
  status: string
  trackingNumber: string | null
  priceCents: number | null
  reason: string | null
  input: Partial<SubmittedRow>
  trackingPage: string | null
}

type ResultColumn = SheetColumn & {
  cell: (row: ResultRow) => SheetCell
  /** Where a spreadsheet would read the plain text of the cell otherwise. */
  csv?: (row: ResultRow) => string | null
}

/** In order (docs/requirements.md#files). */
const COLUMNS: readonly ResultColumn[] = [
  { header: 'row', width: 8, cell: ({ row }) => row },
  { header: 'order_id', width: 22, cell: ({ orderId }) => orderId },
  { header: 'order_item_id', width: 22, cell: ({ orderItemId }) => orderItemId },
  { header: 'status', cell: ({ status }) => status },
  {
    header: 'tracking_number',
    width: 26,
    cell: ({ trackingNumber }) => trackingNumber,
    csv: ({ trackingNumber }) => trackingNumber && groupTracking(trackingNumber),
  },
  {
    header: 'price',
    width: 10,
    decimals: 2,
    cell: ({ priceCents }) => priceCents && priceCents / 100,
    csv: ({ priceCents }) => (priceCents === null ? '' : (priceCents / 100).toFixed(2)),
  },
  { header: 'reason', width: 40, cell: ({ reason }) => reason },
  ...TEMPLATE_HEADERS.map((header, at) => ({
    header,
    cell: ({ input }: ResultRow) => input[TEMPLATE_FIELDS[at]!] ?? null,
  })),
  { header: 'tracking_page', width: 48, cell: ({ trackingPage }) => trackingPage },
  ...OPTION_FIELDS.map(name => ({
    header: name,
    cell: ({ input }: ResultRow) => input[name] ?? null,
  })),
]

/** Byte order mark and header. */
export const resultHeaderLine = (): string =>
  BYTE_ORDER_MARK + csvLine(COLUMNS.map(({ header }) => header))

/**
 * UTF-8, CRLF, RFC 4180 quotes. Tracking numbers in groups of four, so that spreadsheets keep their
 * digits; prices in dollars with two decimals and no sign.
 */
export const resultLine = (row: ResultRow): string =>
  csvLine(
    COLUMNS.map(({ cell, csv }) => {
      const value = csv ? csv(row) : cell(row)
      return typeof value === 'number' ? String(value) : value
    }),
  )

/** The same table as a sheet: tracking numbers whole, prices as numbers. */
export const RESULT_SHEET: Sheet = { name: 'Results', columns: COLUMNS }
export const resultCells = (row: ResultRow): SheetCell[] => COLUMNS.map(({ cell }) => cell(row))
