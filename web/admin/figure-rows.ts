/** The figures of a period as text. Pure. */
import type { DashboardPeriod } from '#contract/admin.ts'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { texts } from './texts.ts'

const t = texts.sales

const PERCENT_FORMAT = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 1,
})
const SMALLEST_SHOWN_SHARE = 0.001

/** 0.0214 becomes '2.1%'. A share too small to show is '<0.1%', because it is not zero. */
export function shareText(part: number): string {
  if (part !== 0 && Math.abs(part) < SMALLEST_SHOWN_SHARE / 2)
    return part > 0
      ? `<${PERCENT_FORMAT.format(SMALLEST_SHOWN_SHARE)}`
      : `>${PERCENT_FORMAT.format(-SMALLEST_SHOWN_SHARE)}`
  return PERCENT_FORMAT.format(part)
}

export type FigureRow = {
  name: string
  value: (period: DashboardPeriod) => string
  /** The line below the value; null for none. */
  detail?: (period: DashboardPeriod) => string | null
}

/** Rows in the order an operator reads them: volume, quality, earnings, income. */
export const FIGURE_ROWS: readonly FigureRow[] = [
  {
    name: t.labels,
    value: ({ labels }) => numberText(labels),
    detail: ({ voided }) => (voided > 0 ? t.voided(voided) : null),
  },
  {
    name: t.failureRate,
    value: ({ failureRate }) => (failureRate === null ? texts.unknown : shareText(failureRate)),
    detail: ({ failed }) => (failed > 0 ? t.failedLabels(failed) : null),
  },
  { name: t.revenue, value: ({ revenue }) => usdFromDollars(revenue) },
  { name: t.carrierCost, value: ({ carrierCost }) => usdFromDollars(carrierCost) },
  {
    name: t.margin,
    value: ({ margin }) => usdFromDollars(margin),
    detail: ({ margin, revenue }) =>
      revenue > 0 ? t.ofRevenue(shareText(margin / revenue)) : null,
  },
  {
    name: t.deposits,
    value: ({ depositsSettled }) => usdFromDollars(depositsSettled),
    detail: ({ depositCount, takenBack }) =>
      [
        ...(depositCount > 0 ? [t.depositCount(depositCount)] : []),
        ...(takenBack > 0 ? [t.takenBack(usdFromDollars(takenBack))] : []),
      ].join(', ') || null,
  },
  { name: t.newUsers, value: ({ newUsers }) => numberText(newUsers) },
]
