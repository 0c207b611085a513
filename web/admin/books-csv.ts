import type { BooksMonth } from '#contract/admin.ts'
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { texts } from './texts.ts'

const t = texts.months

/** In the order of the sum: opening + deposits - charged + refunded + adjusted = closing. */
export const BOOKS_AMOUNTS = [
  'opening',
  'deposits',
  'charged',
  'refunded',
  'adjusted',
  'closing',
  'carrierCost',
  'margin',
] as const

/** Oldest first, as ledgers are read. Amounts are numbers, also negative ones. */
export const booksCsv = (months: readonly BooksMonth[]): string =>
  BYTE_ORDER_MARK
  + csvLine([t.monthUtc, ...BOOKS_AMOUNTS.map(name => t[name]), t.labels, t.voided])
  + months
    .toReversed()
    .map(month => {
      const amounts = BOOKS_AMOUNTS.map(name => month[name].toFixed(2))
      return `${[month.from.slice(0, 7), ...amounts, month.labels, month.voided].join(',')}\r\n`
    })
    .join('')
