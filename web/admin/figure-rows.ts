/** The figures of a period as text. Pure. */
import type { DashboardPeriod } from '#contract/admin.ts'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { shareText } from '#web/charts/series.ts'
import { moneyText } from '#web/ui/money-text.ts'
import { texts } from './texts.ts'

const t = texts.sales

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
  { name: t.revenue, value: ({ revenue }) => moneyText(revenue) },
  { name: t.carrierCost, value: ({ carrierCost }) => moneyText(carrierCost) },
  {
    name: t.margin,
    value: ({ margin }) => moneyText(margin),
    detail: ({ margin, revenue }) =>
      revenue > 0 ? t.ofRevenue(shareText(margin / revenue)) : null,
  },
  {
    name: t.deposits,
    value: ({ depositsSettled }) => moneyText(depositsSettled),
    detail: ({ depositCount, takenBack }) =>
      [
        ...(depositCount > 0 ? [t.depositCount(depositCount)] : []),
        ...(takenBack > 0 ? [t.takenBack(usdFromDollars(takenBack))] : []),
      ].join(', ') || null,
  },
  { name: t.newUsers, value: ({ newUsers }) => numberText(newUsers) },
]
