/** Reports of all users, for administrators. */
import type { Cents } from '#contract/money.ts'
import { REPORT_ROWS } from '#contract/reports.ts'
import { CARRIER_REFUSED } from '#server/batches/failures.ts'
import { listDefaultServices } from '#server/catalogue/service.ts'
import type { Context } from '#server/platform/context.ts'
import { daysOfReader } from '#server/platform/local-days.ts'
import { NO_FIGURES, sumBy, totalOf, wholePeriods } from './rules.ts'
import type { Figures } from './rules.ts'
import { startsOf } from './service.ts'
import type { ReportPeriod } from './service.ts'
import { readReport } from './sums.ts'
import {
  selectCustomers,
  selectFailures,
  selectTrade,
  sumAdjustments,
  sumLostLabels,
} from './trade-store.ts'
import type { CustomerFigures, FailureReason } from './trade-store.ts'

export type Trade = {
  from: number
  days: { date: string; figures: Figures }[]
  totals: Figures
  /** The most revenue first. */
  services: { uid: string; name: string; figures: Figures }[]
  customers: CustomerFigures[]
  failures: { reasons: FailureReason[]; total: number }
  adjustments: { up: Cents; down: Cents }
  losses: { labels: number; lost: Cents }
}

const revenueOf = ({ charged, refunded }: Figures): number => charged - refunded

export const readTrade = (ctx: Context, period: ReportPeriod): Promise<Trade> =>
  readReport(
    ctx,
    async view => {
      const days = daysOfReader(view.now.getTime(), period.days, period)
      const from = new Date(days[0]!.at)
      const whole = wholePeriods(days[0]!.at)
      const [wholeDay, block] = [new Date(whole.day), new Date(whole.block)]
      const sales = await selectTrade(view, startsOf(days))
      const byDay = sumBy(sales, ({ day }) => String(day))
      const names = new Map(
        (await listDefaultServices(view.db)).map(({ uid, name }) => [uid, name]),
      )
      const { reasons, total } = await selectFailures(view, from, REPORT_ROWS)
      return {
        from: days[0]!.at,
        days: days.map(({ date }, day) => ({
          date,
          figures: byDay.get(String(day)) ?? NO_FIGURES,
        })),
        totals: totalOf(sales),
        services: [...sumBy(sales, ({ serviceUid }) => serviceUid)]
          .map(([uid, figures]) => ({ uid, name: names.get(uid) ?? uid, figures }))
          .sort((a, b) => revenueOf(b.figures) - revenueOf(a.figures)),
        customers: await selectCustomers(view, { from, wholeDay, block }, REPORT_ROWS),
        failures: {
          reasons: reasons.map(({ reason, count }) => ({
            reason: reason === '' ? CARRIER_REFUSED : reason,
            count,
          })),
          total,
        },
        adjustments: await sumAdjustments(view.db, from),
        losses: await sumLostLabels(view.db, from),
      }
    },
    period.sumFrom,
  )
