import { inSnapshot } from '#server/ledger/service.ts'
import { addNewTransfers } from '#server/ledger/stored-sums.ts'
import type { StoredSums } from '#server/ledger/stored-sums.ts'
import type { Context } from '#server/platform/context.ts'
import {
  deleteAccountSumsWithoutProgress,
  hasUnsummedOfAccounts,
  sumNextOfAccounts,
} from './account-sums-store.ts'
import { deleteSumsWithoutProgress, hasUnsummed, selectReportView, sumNext } from './sums-store.ts'
import type { ReportView } from './sums-store.ts'

/** From so many new transfers on they are added to the sums; 2,000 are read in 10 ms. */
const SUM_FROM = 2_000
/** Of one transaction, within the time limit of a statement on a slow disk. */
const SUM_CHUNK = 10_000

const REPORT_SUMS: StoredSums = {
  lockName: 'evenpost report sums',
  most: SUM_CHUNK,
  hasNew: hasUnsummed,
  addNext: async (tx, completeBefore, most) => {
    await deleteSumsWithoutProgress(tx)
    return sumNext(tx, completeBefore, most)
  },
}

const ACCOUNT_SUMS: StoredSums = {
  lockName: 'evenpost carrier account sums',
  most: SUM_CHUNK,
  hasNew: hasUnsummedOfAccounts,
  addNext: async (tx, completeBefore, most) => {
    await deleteAccountSumsWithoutProgress(tx)
    return sumNextOfAccounts(tx, completeBefore, most)
  },
}

/** Adds the complete transfers to the sums, unless fewer than `from` are new. */
export const sumNewTransfers = (
  { database }: Context,
  from = SUM_FROM,
  isStopped = () => false,
): Promise<void> => addNewTransfers(database, REPORT_SUMS, from, isStopped)

/**
 * Adds the complete transfers to the sums of carrier accounts, unless fewer than `from` are new. With one account nothing
 * is summed. The first round with several takes all transfers.
 */
export async function sumNewTransfersOfAccounts(
  { database, config }: Context,
  from = SUM_FROM,
  isStopped = () => false,
): Promise<void> {
  if (config.carrierAccounts.length > 1)
    await addNewTransfers(database, ACCOUNT_SUMS, from, isStopped)
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
