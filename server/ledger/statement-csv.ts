import { BYTE_ORDER_MARK, csvCell, csvLine, csvMoment } from '#contract/csv.ts'
import { decimal } from '#contract/money.ts'
import { movementText } from '#contract/wallet-movements.ts'
import type { StatementLine } from './rules.ts'

const HEAD = ['Date (UTC)', 'Reason', 'Note', 'Label', 'Bulk order', 'Invoice', 'Amount', 'Balance']

const id = (value: number | null): string => (value === null ? '' : String(value))

export const statementHead = (): string => BYTE_ORDER_MARK + csvLine(HEAD)

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
      // Amounts skip csvCell's formula guard, so that spreadsheets read '-9.50' as a number.
      return `${[...texts.map(csvCell), decimal(entry.amount), decimal(entry.balance)].join(',')}\r\n`
    })
    .join('')
