/** What the operator sees of the whole house at a glance. It only reads; what he does about it is done by the rooms that own it. */
import { PERIODS } from '#contract/admin.ts'
import { inOneView } from '#server/ledger/service.ts'
import type { House } from '#server/platform/house.ts'
import { figuresOf, toQuarter } from './dashboard-rules.ts'
import type { PeriodFigures } from './dashboard-rules.ts'
import {
  countUsers,
  countWork,
  hasUnkept,
  keepSums,
  selectBegins,
  selectFilesProblems,
  selectMoved,
  selectNewUsers,
  sumLiabilities,
  sumPending,
} from './dashboard-store.ts'
import type { Liabilities, Pending, ProblemRow, Work } from './dashboard-store.ts'

export type PeriodRead = PeriodFigures & { days: number; from: Date; newUsers: number }
export type Dashboard = {
  periods: PeriodRead[]
  liabilities: Liabilities
  pending: Pending
  work: Work
  users: number
}

/**
 * From how many transfers on that were not summed yet they are summed for good before the books are read, and how many of them in one
 * transaction. Of a million labels in the month: 3 s when all are read, 25 ms with kept sums.
 */
const WORTH_KEEPING = 2_000
const KEPT_AT_ONCE = 250_000

/** All figures, in one view of the books. `offsetMinutes`: how far the reader's clocks are ahead of UTC. */
export async function dashboardOf(
  house: House,
  offsetMinutes: number,
  worthKeeping = WORTH_KEEPING,
): Promise<Dashboard> {
  const { database } = house
  if (await hasUnkept(database.db, worthKeeping)) await keepAll(house)
  return inOneView(database.db, async view => {
    const begins = await selectBegins(view, PERIODS, toQuarter(offsetMinutes))
    const moved = await selectMoved(view, begins)
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
      pending: await sumPending(view),
      work: await countWork(view),
      users: await countUsers(view),
    }
  })
}

/** Goes on until what is complete is kept; a process that dies meanwhile has lost nothing. */
async function keepAll({ database }: House): Promise<void> {
  while ((await database.tx(tx => keepSums(tx, KEPT_AT_ONCE))) === KEPT_AT_ONCE);
}

/** Bulk orders whose files could not be made, oldest first. Pages count from 1. */
export const filesProblemsOf = (
  { database }: House,
  page: number,
  limit: number,
): Promise<{ rows: ProblemRow[]; total: number }> =>
  selectFilesProblems(database.db, (page - 1) * limit, limit)
