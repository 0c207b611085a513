import { completeBefore, inSnapshot } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import {
  deleteAccountSumsWithoutProgress,
  hasUnsummedOfAccounts,
  lockAccountSums,
  sumNextOfAccounts,
} from './account-sums-store.ts'
import {
  deleteSumsWithoutProgress,
  hasUnsummed,
  lockSums,
  selectReportView,
  sumNext,
} from './sums-store.ts'
import type { ReportView } from './sums-store.ts'

/** From so many new transfers on they are added to the sums; 2,000 are read in 10 ms. */
const SUM_FROM = 2_000
/** Of one transaction, within the time limit of a statement on a slow disk. */
const SUM_CHUNK = 10_000

/**
 * Adds the complete transfers to the sums, unless fewer than `from` are new. A process that dies in
 * between loses nothing.
 */
export async function sumNewTransfers(
  { database }: Context,
  from = SUM_FROM,
  isStopped = () => false,
): Promise<void> {
  if (!(await hasUnsummed(database.db, from))) return
  const sumChunk = (): Promise<number> =>
    database.tx(async tx => {
      if (!(await lockSums(tx))) return 0
      await deleteSumsWithoutProgress(tx)
      return sumNext(tx, await completeBefore(tx), SUM_CHUNK)
    })
  while (!isStopped() && (await sumChunk()) === SUM_CHUNK);
}

/**
 * Adds the complete transfers to the sums of carrier accounts, unless fewer than `from` are new. With one account nothing
 * is summed. The first round with several takes all transfers.
 */
export async function sumNewTransfersOfAccounts(
  { database, config }: Context,
  from = SUM_FROM,
  isStopped = () => false,
): Promise<void> {
  if (config.carrierAccounts.length === 1) return
  if (!(await hasUnsummedOfAccounts(database.db, from))) return
  const sumChunk = (): Promise<number> =>
    database.tx(async tx => {
      if (!(await lockAccountSums(tx))) return 0
      await deleteAccountSumsWithoutProgress(tx)
      return sumNextOfAccounts(tx, await completeBefore(tx), SUM_CHUNK)
    })
  while (!isStopped() && (await sumChunk()) === SUM_CHUNK);
}

/**
 * `read` on one snapshot, after `sumNewTransfers`. A report is exact without new sums, so it does not
 * fail with them.
 */
export async function readReport<T>(
  ctx: Context,
  read: (view: ReportView) => Promise<T>,
  sumFrom = SUM_FROM,
): Promise<T> {
  await sumNewTransfers(ctx, sumFrom).catch(() => undefined)
  return inSnapshot(ctx.database.db, async db => read(await selectReportView(db)))
}
