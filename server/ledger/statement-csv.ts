import { BYTE_ORDER_MARK, csvCell, csvLine, csvMoment } from '#contract/csv.ts'
import { decimal, dollars } from '#contract/money.ts'
import { movementText } from '#contract/wallet-movements.ts'
import type { Sheet, SheetCell } from '#server/platform/xlsx.ts'
import { ORDER_SLACK_MS } from './rules.ts'
import type { MonthRange, StatementLine } from './rules.ts'

/** Of the CSV file and the sheet. */
export const STATEMENT_SHEET: Sheet = {
  name: 'Statement',
  columns: [
    { header: 'Date (UTC)', width: 20 },
    { header: 'Reason', width: 30 },
    { header: 'Note', width: 30 },
    { header: 'Label', width: 12 },
    { header: 'Bulk order', width: 12 },
    { header: 'Invoice', width: 26 },
    { header: 'Amount', width: 12, decimals: 2 },
    { header: 'Balance', width: 12, decimals: 2 },
  ],
}

const id = (value: number | null): string => (value === null ? '' : String(value))

const textsOf = (entry: StatementLine): string[] => [
  csvMoment(entry.at),
  movementText(entry),
  entry.note ?? '',
  id(entry.orderId),
  id(entry.batchId),
  id(entry.invoiceId),
]

/** The entries of one month, from parts that are read only as far back as it. */
export async function* entriesOfMonth(
  parts: AsyncIterable<StatementLine[]>,
  { from, to }: MonthRange,
): AsyncGenerator<StatementLine[]> {
  for await (const entries of parts) {
    yield entries.filter(({ at }) => at >= from && at < to)
    const oldest = entries.at(-1)?.at ?? from
    if (oldest.getTime() < from.getTime() - ORDER_SLACK_MS) return
  }
}

export const statementHead = (): string =>
  BYTE_ORDER_MARK + csvLine(STATEMENT_SHEET.columns.map(({ header }) => header))

// Amounts skip csvCell's formula guard, so that spreadsheets read '-9.50' as a number.
export const statementLines = (entries: readonly StatementLine[]): string =>
  entries
    .map(
      entry =>
        `${[...textsOf(entry).map(csvCell), decimal(entry.amount), decimal(entry.balance)].join(',')}\r\n`,
    )
    .join('')

/** The same lines as cells of the sheet: amounts are numbers. */
export const statementCells = (entries: readonly StatementLine[]): SheetCell[][] =>
  entries.map(entry => [...textsOf(entry), dollars(entry.amount), dollars(entry.balance)])
