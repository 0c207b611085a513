import type { Context } from '#server/platform/context.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { insertAuditEntry } from './audit-store.ts'
import { toAuditOrigin } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { userDetailsFaults } from './rules.ts'
import { lockExistingUser, withWallet } from './service.ts'
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
 * Signs an administrator in as a user, for an hour. Throws Refusal 409 for oneself and
 * blocked users, 403 for other administrators, 404 for unknown users.
 */
export async function startImpersonation(
  ctx: Context,
  admin: Caller,
  userId: number,
  reason: string,
  origin: RequestOrigin,
): Promise<Impersonation> {
  const faults = userDetailsFaults({ reason })
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  if (userId === admin.userId)
    throw new Refusal('own_account', 'You are already signed in as yourself')
  const { user, ...session } = await ctx.database.tx(async tx => {
    // Both are locked, so that a simultaneous change of role ends this session too.
    const impersonator = await lockUser(tx, admin.userId)
    if (impersonator?.role !== 'admin' || impersonator.activation !== 'allow')
      throw new Refusal('admin_only', 'This is for administrators only')
    const current = await lockExistingUser(tx, userId)
    if (current.role === 'admin')
      throw new Refusal('not_for_administrators', 'You cannot sign in as another administrator')
    if (current.activation !== 'allow')
      throw new Refusal('user_blocked', 'This user is blocked. Unblock them first.')
    const detail = {
      ...toAuditOrigin(origin),
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    }
    await insertAuditEntry(tx, {
      actorId: impersonator.id,
      subjectId: userId,
      action: 'login-as',
      detail,
    })
    return {
      user: current,
      impersonator,
      ...(await beginImpersonation(tx, userId, admin, origin.userAgent)),
    }
  })
  return { ...session, user: await withWallet(ctx.database.db, user) }
}
