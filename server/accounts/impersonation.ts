/** An administrator signs in as another user: for an hour, under both names. */
import type { Context } from '#server/platform/context.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { insertAuditEntry } from './audit-store.ts'
import { toAuditOrigin } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { userDetailsErrors } from './rules.ts'
import { unknownUser, withWallet } from './service.ts'
import type { UserWithWallet } from './service.ts'
import { beginImpersonation } from './sessions.ts'
import { lockUser } from './store.ts'
import type { UserRecord } from './store.ts'

export type Impersonation = {
  token: string
  expiresAt: Date
  user: UserWithWallet
  impersonator: UserRecord
}

/**
 * Begins the short sign-in. Refuses oneself and blocked users ('conflict'), other administrators ('forbidden') and who is not there
 * ('not_found').
 */
export async function startImpersonation(
  ctx: Context,
  admin: Caller,
  userId: number,
  reason: string,
  visit: RequestOrigin,
): Promise<Impersonation> {
  const faults = userDetailsErrors({ reason })
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  if (userId === admin.userId)
    throw new Refusal('conflict', 'This is you: there is nobody to sign in as')
  const { member, ...begun } = await ctx.database.tx(async tx => {
    // Both are locked, so that a role that changes at this moment ends this sign-in too.
    const actor = await lockUser(tx, admin.userId)
    if (actor?.role !== 'admin' || actor.activation !== 'allow')
      throw new Refusal('forbidden', 'This is for administrators only')
    const there = await lockUser(tx, userId)
    if (!there) throw unknownUser()
    if (there.role === 'admin')
      throw new Refusal('forbidden', 'Nobody can sign in as another administrator')
    if (there.activation !== 'allow')
      throw new Refusal('conflict', 'This user is blocked. Allow him first.')
    const detail = {
      ...toAuditOrigin(visit),
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    }
    await insertAuditEntry(tx, { actorId: actor.id, subjectId: userId, action: 'login-as', detail })
    return {
      member: there,
      impersonator: actor,
      ...(await beginImpersonation(tx, userId, admin, visit.userAgent)),
    }
  })
  return { ...begun, user: await withWallet(ctx.database.db, member) }
}
