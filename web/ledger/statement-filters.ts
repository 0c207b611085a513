/** What a statement and its files show, in the URL (`?show=hold&month=2026-10`). */
import { STATEMENT_FILTERS } from '#contract/wallet-movements.ts'
import type { StatementFilter } from '#contract/wallet-movements.ts'
import { monthText } from '#web/ui/date-text.ts'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'

const MONTHS = 24
const MONTH = /^20\d\d-(?:0[1-9]|1[0-2])$/

const isFilter = (word: string): word is StatementFilter =>
  (STATEMENT_FILTERS as readonly string[]).includes(word)

/** `month`: 'YYYY-MM' in UTC, as in the files; '' for all. */
export function useStatementFilters() {
  const { values, ...filters } = useUrlFilters(['show', 'month'])
  return {
    ...filters,
    filter: isFilter(values.show) ? values.show : ('all' as const),
    month: MONTH.test(values.month) ? values.month : '',
  }
}

/** The last months, the newest first, and the `chosen` one. */
export function monthsToChoose(chosen: string, now = new Date()): string[] {
  const months = Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  )
  return chosen === '' || months.includes(chosen) ? months : [...months, chosen]
}

const middleOf = (month: string): string => `${month}-15T12:00:00Z`

/** 'October 2026' of '2026-10'. */
export const nameOfMonth = (month: string): string => monthText(middleOf(month))

const SHORT_MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric' })

/** 'Oct 2026' of '2026-10'. */
export const shortNameOfMonth = (month: string): string =>
  SHORT_MONTH.format(new Date(middleOf(month)))
