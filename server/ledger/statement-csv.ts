/** The statement as a file for spreadsheets. Pure. */
import { BYTE_ORDER_MARK, csvCell, csvLine, csvMoment } from '#contract/csv.ts'
import { decimal } from '#contract/money.ts'
import { movementText } from '#contract/wallet-movements.ts'
import type { StatementLine } from './rules.ts'

const HEAD = ['Date (UTC)', 'Reason', 'Note', 'Label', 'Bulk order', 'Invoice', 'Amount', 'Balance']

const id = (value: number | null): string => (value === null ? '' : String(value))

/** The line of column names, behind the mark that tells spreadsheets the letters are UTF-8. */
export const statementHead = (): string => BYTE_ORDER_MARK + csvLine(HEAD)

/** Lines of entries in their order. */
export const statementLines = (entries: readonly StatementLine[]): string =>
  entries
    .map(entry => {
      const texts = [
        csvMoment(entry.at),
        movementText(entry),
        entry.note ?? '',
        id(entry.orderId),
        id(entry.batchId),
        id(entry.invoiceId),
      ]
      // Numbers of ours, which a spreadsheet must read as such to add them up; nobody's text gets here unguarded.
      return `${[...texts.map(csvCell), decimal(entry.amount), decimal(entry.balance)].join(',')}\r\n`
    })
    .join('')
