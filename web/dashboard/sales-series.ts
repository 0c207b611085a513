/** What the sales report draws: a series per service. Pure. */
import type { SalesReport } from '#contract/reports.ts'
import { dayTotals, foldSeries, peakOf } from '#web/charts/series.ts'
import type { Series } from '#web/charts/series.ts'

export type SalesView = 'labels' | 'spend'

type SalesChart = {
  days: string[]
  series: Series[]
  /** Services in the order of their parts and fills, which is the same in both views. */
  order: string[]
  refunds: number[] | null
  /** The busiest day, the latest of `count` equal ones; null without labels. */
  peak: { day: string; value: number; count: number } | null
}

export function salesChart(
  { days, services }: SalesReport,
  view: SalesView,
  otherName: string,
): SalesChart {
  const valueOf = view === 'labels' ? 'labels' : 'charged'
  const all: Series[] = services.map(({ service, name }) => ({
    key: service,
    name,
    values: days.map(day => day.services.find(one => one.service === service)?.[valueOf] ?? 0),
  }))
  const order = services.map(({ service }) => service)
  const series = foldSeries(all, otherName)
  const peak = peakOf(dayTotals(series, days.length))
  return {
    days: days.map(({ day }) => day),
    series,
    order,
    refunds: view === 'spend' ? days.map(({ refunded }) => refunded) : null,
    peak: peak && { ...peak, day: days[peak.day]!.day },
  }
}
