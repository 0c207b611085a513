/** Keeps the figures by which lists sort users (docs/decisions/0080-figures-to-sort-users-by.md). */
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { openRepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'
import { addNewTransfers } from './stored-sums.ts'
import type { StoredSums } from './stored-sums.ts'
import {
  copyNext,
  copyUsers,
  hasUncopied,
  insertCopyProgress,
  selectLastComplete,
  selectLastCopied,
} from './wallet-figures-store.ts'

export { selectLastCopied as readLastCopied } from './wallet-figures-store.ts'

/** From so many new transfers on their users are copied; a list reads fewer balances in 2 ms. */
const COPY_FROM = 500
/** Transfers of one transaction, and users of one statement. */
const COPY_CHUNK = 10_000

const WALLET_FIGURES: StoredSums = {
  lockName: 'evenpost wallet figures',
  most: COPY_CHUNK,
  hasNew: hasUncopied,
  addNext: async (tx, completeBefore, most) => {
    if ((await selectLastCopied(tx)) !== null) return copyNext(tx, completeBefore, most)
    await copyAllUsers(tx, completeBefore)
    return 0
  },
}

/** The first time. Transfers that come meanwhile have later ids. */
async function copyAllUsers(tx: Tx, completeBefore: string): Promise<void> {
  const lastTransferId = await selectLastComplete(tx, completeBefore)
  let lastId: number | null = 0
  while (lastId !== null) lastId = await copyUsers(tx, lastId, COPY_CHUNK)
  await insertCopyProgress(tx, lastTransferId)
}

/** Copies the figures of users with new transfers, unless fewer than `from` are new. */
export const copyWalletFigures = (
  { database }: Pick<Context, 'database'>,
  from = COPY_FROM,
  isStopped = () => false,
): Promise<void> => addNewTransfers(database, WALLET_FIGURES, from, isStopped)

/** At the start and every 15 seconds. Without it lists are as exact, and slower. */
export const walletFiguresJob = (ctx: Context): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: 15_000,
    round: isStopped => copyWalletFigures(ctx, undefined, isStopped),
    failure: 'the figures to sort users by could not be copied; retry in a moment',
  })
