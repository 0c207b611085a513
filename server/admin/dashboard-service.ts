import { DASHBOARD_PERIOD_DAYS } from '#contract/admin.ts'
import { cents } from '#contract/money.ts'
import { firstCatalogueWarning } from '#server/catalogue/service.ts'
import { inSnapshot } from '#server/ledger/service.ts'
import { addNewTransfers } from '#server/ledger/stored-sums.ts'
import type { StoredSums } from '#server/ledger/stored-sums.ts'
import type { Context } from '#server/platform/context.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Reader } from '#server/platform/local-days.ts'
import { supportWarnings } from '#server/support/pages-service.ts'
import { booksOf, figuresOf, monthsOf, periodStartsOf } from './dashboard-rules.ts'
import type { BooksMonth, PeriodFigures } from './dashboard-rules.ts'
import {
  countUsers,
  countWorkList,
  hasUnsummarized,
  summarizeNext,
  selectFilesProblems,
  selectMonthTotals,
  selectTransferTotals,
  selectNewUsers,
  sumLosses,
  sumPendingDeposits,
} from './dashboard-store.ts'
import type {
  Backlog,
  LossFigures,
  PendingDeposits,
  FilesProblemRow,
  WorkList,
} from './dashboard-store.ts'
import { hasUntotalled, sumLiabilities, totalNext } from './ledger-totals-store.ts'
import type { Liabilities } from './ledger-totals-store.ts'
import { countOverdueMails } from './mails-store.ts'
import { selectVoidedScans } from './voided-scans-store.ts'
import type { VoidedScanRow } from './voided-scans-store.ts'

export type PeriodSummary = PeriodFigures & { days: number; from: Date; newUsers: number }
export type Dashboard = {
  periods: PeriodSummary[]
  liabilities: Liabilities
  pending: PendingDeposits
  work: WorkList & { mails: Backlog; losses: LossFigures }
  users: number
}

/**
 * From so many new transfers on, they are added to the stored sums first, in chunks of one
 * transaction each. With a million labels a month the dashboard takes 3 s without stored sums, 25
 * ms with them.
 */
const SUMMARIZE_FROM = 2_000
const SUMMARIZE_CHUNK = 50_000

/** What a live installation still lacks, in the sentences of the start and of the doctor. */
export async function missingSetup(ctx: Context) {
  const prices = await firstCatalogueWarning(ctx.database, ctx.config.mode)
  const support = await supportWarnings(ctx)
  return [
    ...(prices === null ? [] : [{ part: 'prices' as const, text: prices }]),
    ...support.map(text => ({ part: 'support' as const, text })),
  ]
}

/** All figures of the reader's days, from one snapshot. */
export async function readDashboard(
  ctx: Context,
  reader: Reader,
  summarizeFrom?: number,
): Promise<Dashboard> {
  const { database } = ctx
  await summarizeTransfers(ctx, summarizeFrom)
  return inSnapshot(database.db, async view => {
    const starts = periodStartsOf(await readClock(view), DASHBOARD_PERIOD_DAYS, reader)
    const totals = await selectTransferTotals(view, starts)
    const newUsers = await selectNewUsers(view, starts)
    const periods = starts.map(({ days, from }, index) => {
      const ofPeriod = totals.filter(one => one.days === days)
      return {
        days,
        from,
        ...figuresOf(Object.fromEntries(ofPeriod.map(one => [one.kind, one]))),
        newUsers: newUsers[index]!,
      }
    })
    return {
      periods,
      liabilities: await sumLiabilities(view),
      pending: await sumPendingDeposits(view),
      work: {
        ...(await countWorkList(view)),
        mails: await countOverdueMails(view),
        losses: await sumLosses(view),
      },
      users: await countUsers(view),
    }
  })
}

/** The reader's last months, newest first, from one snapshot. */
export async function readBooks(
  ctx: Context,
  reader: Reader,
  summarizeFrom?: number,
): Promise<BooksMonth[]> {
  await summarizeTransfers(ctx, summarizeFrom)
  return inSnapshot(ctx.database.db, async view => {
    const starts = monthsOf(await readClock(view), reader).map(({ at }) => new Date(at))
    const moved = await selectMonthTotals(view, starts)
    const { available, held } = await sumLiabilities(view)
    const months = starts.map((from, place) => {
      const totals = Object.fromEntries(
        moved.filter(({ month }) => month === place).map(one => [one.kind, one]),
      )
      const adjusted = (totals['adjust_up']?.cents ?? 0) - (totals['adjust_down']?.cents ?? 0)
      return { from, totals, adjusted: cents(adjusted) }
    })
    return booksOf(months, cents(available + held))
  })
}

const STORED_SUMS: StoredSums[] = [
  {
    lockName: 'evenpost ledger sums',
    most: SUMMARIZE_CHUNK,
    hasNew: hasUnsummarized,
    addNext: summarizeNext,
  },
  {
    lockName: 'evenpost ledger totals',
    most: SUMMARIZE_CHUNK,
    hasNew: hasUntotalled,
    addNext: totalNext,
  },
]

/** Adds the complete transfers to the stored sums, unless fewer than `from` are new. */
export async function summarizeTransfers(
  { database }: Context,
  from = SUMMARIZE_FROM,
  isStopped = () => false,
): Promise<void> {
  for (const sums of STORED_SUMS) await addNewTransfers(database, sums, from, isStopped)
}

export const filesProblemsOf = (
  { database }: Context,
  page: number,
  limit: number,
): Promise<{ rows: FilesProblemRow[]; total: number }> =>
  selectFilesProblems(database.db, (page - 1) * limit, limit)

export const voidedScansOf = (
  { database }: Context,
  page: number,
  limit: number,
): Promise<{ rows: VoidedScanRow[]; total: number }> =>
  selectVoidedScans(database.db, (page - 1) * limit, limit)
