/** Deletes accounts that were registered, never verified and never used, where addresses must be verified. */
import { ZERO } from '#contract/money.ts'
import { lockWallets, walletOf } from '#server/ledger/service.ts'
import type { Db } from '#server/platform/database/database.ts'
import { openRepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'
import { eraseUser } from './administration.ts'
import { insertAuditEntry } from './audit-store.ts'
import { deleteOldEmailRecords, selectUnverified } from './email-store.ts'
import type { AccountsContext } from './service.ts'
import { publishSessionsEnded } from './sessions.ts'
import { anonymizeUser, lockUser, selectInvited } from './store.ts'

const DAYS = 30
const RECORD_DAYS = 7
const EVERY_MS = 3600_000
const AT_ONCE = 100

/** Runs at the start and hourly. */
export const openUnusedAccountsJob = (ctx: AccountsContext): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: EVERY_MS,
    round: async isStopped => {
      await ctx.database.tx(tx => deleteOldEmailRecords(tx, RECORD_DAYS))
      await deleteUnusedAccounts(ctx, isStopped)
    },
    failure: 'unused accounts could not be deleted; retry in an hour',
  })

/** Each in a transaction of its own. */
async function deleteUnusedAccounts(ctx: AccountsContext, isStopped: () => boolean): Promise<void> {
  if (!ctx.config.requireVerifiedEmail) return
  for (let after = 0; !isStopped();) {
    const ids = await selectUnverified(ctx.database.db, after, DAYS, AT_ONCE)
    for (const id of ids) await deleteIfUnused(ctx, id)
    if (ids.length < AT_ONCE) break
    after = ids.at(-1)!
  }
}

async function deleteIfUnused(ctx: AccountsContext, userId: number): Promise<void> {
  const isDeleted = await ctx.database
    .tx(async tx => {
      const user = await lockUser(tx, userId)
      if (!user || user.emailVerifiedAt !== null || user.role === 'admin') return false
      if (await ctx.userData.hasActivity(tx, userId)) return false
      if ((await selectInvited(tx, userId, 0, 1)).total > 0) return false
      if (await hasMoney(tx, userId)) return false
      // Waits for orders being inserted for the user; the checks after it count them.
      await anonymizeUser(tx, userId)
      await lockWallets(tx, [userId])
      if ((await hasMoney(tx, userId)) || (await ctx.userData.hasActivity(tx, userId)))
        throw new UsedMeanwhile()
      await eraseUser(ctx, tx, userId)
      const detail = { reason: 'unused' }
      await insertAuditEntry(tx, { actorId: null, subjectId: userId, action: 'deleted', detail })
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof UsedMeanwhile) return false
      throw error
    })
  if (isDeleted) await publishSessionsEnded(ctx, [], userId)
}

class UsedMeanwhile extends Error {}

async function hasMoney(db: Db, userId: number): Promise<boolean> {
  const { available, held, deposited, spent } = await walletOf(db, userId)
  return [available, held, deposited, spent].some(amount => amount !== ZERO)
}
