/** Reports of one user. */
import { ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { LOW_BALANCE_DAYS, PACE_DAYS, REPORT_ROWS } from '#contract/reports.ts'
import { TREND_DAYS } from '#contract/trend.ts'
import { walletOf } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import { DAY_MS, daysOfReader } from '#server/platform/local-days.ts'
import type { LocalDay, Reader } from '#server/platform/local-days.ts'
import {
  balanceMoments,
  balancePoints,
  daysLeft,
  dotOf,
  paceOf,
  quarterOf,
  sumBy,
  totalOf,
  wholePeriods,
} from './rules.ts'
import type { BalancePoint, DepositDot, Figures, Pace } from './rules.ts'
import type { ReportView } from './sums-store.ts'
import { readReport } from './sums.ts'
import {
  selectBalanceChanges,
  selectDeposits,
  selectDestinations,
  selectFailedBatches,
  selectOpenInvoices,
  selectSales,
  selectSpending,
  selectWalletDays,
} from './user-reports-store.ts'
import type { FailedBatch, OpenInvoice, SalesOfDay } from './user-reports-store.ts'

/** `days`: today included. `sumFrom`: see `sumNewTransfers`. */
export type ReportPeriod = Reader & { days: number; sumFrom?: number }

/** `sales`: by day, where `day` is the place in `days`, and service. */
export type Sales = {
  days: LocalDay[]
  sales: SalesOfDay[]
  services: { uid: string; name: string; figures: Figures }[]
  totals: Figures
}

export const salesOf = (ctx: Context, userId: number, period: ReportPeriod): Promise<Sales> =>
  readReport(
    ctx,
    async view => {
      const days = daysOfReader(view.now.getTime(), period.days, period)
      const sales = await selectSales(view, userId, startsOf(days))
      // The newest name of a service comes last.
      const names = new Map(sales.map(({ serviceUid, serviceName }) => [serviceUid, serviceName]))
      return {
        days,
        sales,
        services: [...sumBy(sales, ({ serviceUid }) => serviceUid)]
          .map(([uid, figures]) => ({ uid, name: names.get(uid)!, figures }))
          .sort((a, b) => b.figures.labels - a.figures.labels),
        totals: totalOf(sales),
      }
    },
    period.sumFrom,
  )

export type Destinations = { from: number; states: { state: string; labels: number }[] }

export const destinationsOf = (
  ctx: Context,
  userId: number,
  period: ReportPeriod,
): Promise<Destinations> =>
  readReport(
    ctx,
    async view => {
      const from = daysOfReader(view.now.getTime(), period.days, period)[0]!.at
      const since = { from: new Date(from), wholeDay: new Date(wholePeriods(from).day) }
      return { from, states: await selectDestinations(view, userId, since) }
    },
    period.sumFrom,
  )

export type BalanceCurve = {
  from: number
  available: Cents
  held: Cents
  points: BalancePoint[]
  deposits: DepositDot[]
  pace: Pace | null
}

export const balanceCurveOf = (
  ctx: Context,
  userId: number,
  period: ReportPeriod,
): Promise<BalanceCurve> =>
  readReport(
    ctx,
    async view => {
      const now = view.now.getTime()
      const midnights = daysOfReader(view.now.getTime(), period.days, period).map(({ at }) => at)
      const deposits = (await selectDeposits(view, userId, new Date(midnights[0]!))).map(
        ({ quarter, amount }) => ({ quarter: quarter.getTime(), amount }),
      )
      const moments = balanceMoments(
        midnights,
        deposits.map(({ quarter }) => quarter),
        now,
      )
      const changes = await selectBalanceChanges(
        view,
        userId,
        moments.map(at => new Date(at)),
      )
      const { available, held } = await walletOf(view.db, userId)
      return {
        from: midnights[0]!,
        available,
        held,
        points: balancePoints(moments, changes, { available, held }),
        deposits: deposits.map(({ quarter, amount }) => ({ at: dotOf(quarter, now), amount })),
        pace: await paceOfUser(view, userId),
      }
    },
    period.sumFrom,
  )

/** `day`: '2026-11-20'. */
export type TrendDay = { day: string; deposited: Cents; spent: Cents }

/**
 * Deposits and spending of the reader's last 14 days, oldest first, empty days included.
 */
export const walletTrendOf = (ctx: Context, userId: number, reader: Reader): Promise<TrendDay[]> =>
  readReport(ctx, async view => {
    const starts = daysOfReader(view.now.getTime(), TREND_DAYS, reader)
    const found = await selectWalletDays(
      view,
      userId,
      starts.map(({ at }) => new Date(at)),
    )
    const byDay = new Map(found.map(one => [one.day, one]))
    return starts.map(({ date }, place) => {
      const { deposited = ZERO, spent = ZERO } = byDay.get(place) ?? {}
      return { day: date, deposited, spent }
    })
  })

async function paceOfUser(view: ReportView, userId: number): Promise<Pace | null> {
  const now = view.now.getTime()
  const from = new Date(quarterOf(now) - PACE_DAYS * DAY_MS)
  const { spent, since } = await selectSpending(view, userId, from)
  return paceOf({ spent, since: since && since.getTime() }, now, PACE_DAYS)
}

/** How far back a bulk order with failed labels is a task. */
const TASK_DAYS = 30

export type Tasks = {
  failed: { batches: FailedBatch[]; count: number; labels: number }
  open: { invoices: OpenInvoice[]; count: number }
  lowBalance: { available: Cents; pace: Pace } | null
}

export const tasksOf = (ctx: Context, userId: number): Promise<Tasks> =>
  readReport(ctx, async view => {
    const since = new Date(view.now.getTime() - TASK_DAYS * DAY_MS)
    const pace = await paceOfUser(view, userId)
    const { available } = await walletOf(view.db, userId)
    return {
      failed: await selectFailedBatches(view.db, userId, since, REPORT_ROWS),
      open: await selectOpenInvoices(view.db, userId, REPORT_ROWS),
      lowBalance: pace && daysLeft(available, pace) < LOW_BALANCE_DAYS ? { available, pace } : null,
    }
  })

export const startsOf = (days: readonly LocalDay[]): Date[] => days.map(({ at }) => new Date(at))
