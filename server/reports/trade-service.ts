/** Reports of all users, for administrators. */
import type { Cents } from '#contract/money.ts'
import { PACE_DAYS, REPORT_ROWS } from '#contract/reports.ts'
import type { RunwayReport } from '#contract/reports.ts'
import { CARRIER_REFUSED } from '#server/batches/failures.ts'
import { fetchCarrierBalance } from '#server/carriers/service.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import { listDefaultServices } from '#server/catalogue/service.ts'
import type { Context } from '#server/platform/context.ts'
import {
  DAY_MS,
  localDays,
  NO_FIGURES,
  paceOf,
  quarterOf,
  sumBy,
  totalOf,
  wholePeriods,
} from './rules.ts'
import type { Figures, Pace } from './rules.ts'
import { startsOf } from './service.ts'
import type { ReportPeriod } from './service.ts'
import { readReport } from './sums.ts'
import {
  selectCarrierSpending,
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
      const days = localDays(view.now.getTime(), period.days, period.timezone)
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

/** How long an answer of the carrier about its account counts; a problem is asked about sooner. */
const BALANCE_MS = 5 * 60_000
const PROBLEM_MS = 30_000

export type Runway = {
  balance: Cents | null
  reason: RunwayReport['reason']
  askedAt: number
  pace: Pace | null
}

/**
 * Reads the balance of the carrier account, which the carrier is asked for at most every five
 * minutes and once at a time, and the pace of its charges.
 */
export function openRunway(ctx: CarrierContext): () => Promise<Runway> {
  type Answer = Pick<Runway, 'balance' | 'reason' | 'askedAt'>
  let answer: Answer | undefined
  let asking: Promise<Answer> | undefined

  async function ask(): Promise<Answer> {
    const askedAt = Date.now()
    try {
      const balance = await fetchCarrierBalance(ctx)
      return { balance, reason: balance === null ? 'not-reported' : null, askedAt }
    } catch {
      return { balance: null, reason: 'unavailable', askedAt }
    }
  }
  async function latest(): Promise<Answer> {
    const age = answer === undefined ? Infinity : Date.now() - answer.askedAt
    if (answer && age < (answer.reason === 'unavailable' ? PROBLEM_MS : BALANCE_MS)) return answer
    asking ??= ask().finally(() => (asking = undefined))
    answer = await asking
    return answer
  }
  return async () => {
    const readPace = readReport(ctx, async view => {
      const now = view.now.getTime()
      const from = new Date(quarterOf(now) - PACE_DAYS * DAY_MS)
      const { spent, since } = await selectCarrierSpending(view, from)
      return paceOf({ spent, since: since && since.getTime() }, now, PACE_DAYS)
    })
    const [balance, pace] = await Promise.all([latest(), readPace])
    return { ...balance, pace }
  }
}
