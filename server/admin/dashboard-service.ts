/** What the operator sees of the whole house at a glance. It only reads; what he does about it is done by the rooms that own it. */
import { DASHBOARD_PERIOD_DAYS } from '#contract/admin.ts'
import { inSnapshot } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import { figuresOf, toQuarterHour } from './dashboard-rules.ts'
import type { PeriodFigures } from './dashboard-rules.ts'
import {
  countUsers,
  countWorkList,
  hasUnsummarized,
  summarizeNext,
  selectPeriodStarts,
  selectFilesProblems,
  selectTransferTotals,
  selectNewUsers,
  sumLiabilities,
  sumPendingDeposits,
} from './dashboard-store.ts'
import type { Liabilities, PendingDeposits, FilesProblemRow, WorkList } from './dashboard-store.ts'

export type PeriodSummary = PeriodFigures & { days: number; from: Date; newUsers: number }
export type Dashboard = {
  periods: PeriodSummary[]
  liabilities: Liabilities
  pending: PendingDeposits
  work: WorkList
  users: number
}

/**
 * From how many transfers on that were not summed yet they are summed for good before the books are read, and how many of them in one
 * transaction. Of a million labels in the month: 3 s when all are read, 25 ms with kept sums.
 */
const SUMMARIZE_FROM = 2_000
const SUMMARIZE_CHUNK = 250_000

/** All figures, in one view of the books. `offsetMinutes`: how far the reader's clocks are ahead of UTC. */
export async function readDashboard(
  ctx: Context,
  offsetMinutes: number,
  worthKeeping = SUMMARIZE_FROM,
): Promise<Dashboard> {
  const { database } = ctx
  if (await hasUnsummarized(database.db, worthKeeping)) await summarizeAll(ctx)
  return inSnapshot(database.db, async view => {
    const begins = await selectPeriodStarts(
      view,
      DASHBOARD_PERIOD_DAYS,
      toQuarterHour(offsetMinutes),
    )
    const moved = await selectTransferTotals(view, begins)
    const joined = await selectNewUsers(view, begins)
    const periods = begins.map(({ days, from }, place) => {
      const ofPeriod = moved.filter(one => one.days === days)
      return {
        days,
        from,
        ...figuresOf(Object.fromEntries(ofPeriod.map(one => [one.kind, one]))),
        newUsers: joined[place]!,
      }
    })
    return {
      periods,
      liabilities: await sumLiabilities(view),
      pending: await sumPendingDeposits(view),
      work: await countWorkList(view),
      users: await countUsers(view),
    }
  })
}

/** Goes on until what is complete is kept; a process that dies meanwhile has lost nothing. */
async function summarizeAll({ database }: Context): Promise<void> {
  while ((await database.tx(tx => summarizeNext(tx, SUMMARIZE_CHUNK))) === SUMMARIZE_CHUNK);
}

/** Bulk orders whose files could not be made, oldest first. Pages count from 1. */
export const filesProblemsOf = (
  { database }: Context,
  page: number,
  limit: number,
): Promise<{ rows: FilesProblemRow[]; total: number }> =>
  selectFilesProblems(database.db, (page - 1) * limit, limit)
