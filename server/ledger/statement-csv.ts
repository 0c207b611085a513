/** The statement as a file for spreadsheets. Pure. */
import { BYTE_ORDER_MARK, csvCell, csvLine } from '#contract/csv.ts'
import type { Cents } from '#contract/money.ts'
import { movementText } from '#contract/statement.ts'
import type { Entry } from './rules.ts'

const HEAD = ['Date (UTC)', 'Reason', 'Note', 'Label', 'Bulk order', 'Invoice', 'Amount', 'Balance']

/** '-6.50': a number of ours, which a spreadsheet must read as one to add it up; nobody's text gets here unguarded. */
const amount = (value: Cents): string => (value / 100).toFixed(2)
const id = (value: number | null): string => value === null ? '' : String(value)

/** '2026-11-20 11:42:07', which sorts and is understood everywhere. */
const moment = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')

/** The line of column names, behind the mark that tells spreadsheets the letters are UTF-8. */
export const statementHead = (): string => BYTE_ORDER_MARK + csvLine(HEAD)

/** Lines of entries in their order. */
export const statementLines = (entries: readonly Entry[]): string => entries.map(entry => {
  const texts = [moment(entry.at), movementText(entry), entry.note ?? '', id(entry.orderId), id(entry.batchId), id(entry.invoiceId)]
  return `${[...texts.map(csvCell), amount(entry.amount), amount(entry.balance)].join(',')}\r\n`
}).join('')
