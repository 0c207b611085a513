/** Reports of all users, for administrators. */
import type { Cents } from '#contract/money.ts'
import { REPORT_ROWS } from '#contract/reports.ts'
import { CARRIER_REFUSED } from '#server/batches/failures.ts'
import { listDefaultServices } from '#server/catalogue/service.ts'
import type { Context } from '#server/platform/context.ts'
import { daysOfReader } from '#server/platform/local-days.ts'
import { coversOf, NO_FIGURES, periodsSince, sumBy, totalOf } from './rules.ts'
import type { Figures, Periods } from './rules.ts'
import { startsOf } from './service.ts'
import type { ReportPeriod } from './service.ts'
import type { ReportView } from './sums-store.ts'
import { readReport } from './sums.ts'
import {
  selectCandidates,
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

/** Customers of each day or block of days that can be among those with the most revenue. */
const LARGEST_OF_EACH = 400
/** Of them those that are added up at first: the last one shows how much others must have. */
const FIRST_CANDIDATES = 50

const revenueOf = ({ charged, refunded }: Figures): number => charged - refunded

export const readTrade = (ctx: Context, period: ReportPeriod): Promise<Trade> =>
  readReport(
    ctx,
    async view => {
      const days = daysOfReader(view.now.getTime(), period.days, period)
      const from = new Date(days[0]!.at)
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
        customers: await findCustomers(view, periodsSince(days[0]!.at, view.now.getTime())),
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

/** The users with the most revenue, the most first: of those alone that can have as much, as long as it is known who they are. */
export async function findCustomers(
  view: ReportView,
  periods: Periods,
): Promise<CustomerFigures[]> {
  const among = (users: readonly { userId: number }[]) => {
    const ids = users.map(({ userId }) => userId)
    return selectCustomers(view, periods, REPORT_ROWS, ids)
  }
  for (const cover of coversOf(periods)) {
    const { candidates, others } = await selectCandidates(
      view,
      periods.from,
      cover,
      LARGEST_OF_EACH,
    )
    const first = await among(candidates.slice(0, FIRST_CANDIDATES))
    const last = first[REPORT_ROWS - 1]
    const needed = last ? revenueOf(last) : -Infinity
    if (others !== null && others >= needed) continue
    const able = candidates.filter(({ most }) => most >= needed)
    return able.length <= FIRST_CANDIDATES ? first : among(able)
  }
  return selectCustomers(view, periods, REPORT_ROWS, null)
}
