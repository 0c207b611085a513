import { insertAuditEntry } from './audit-store.ts'
import { emailKey } from './rules.ts'
import { mailFactorNotice } from './second-factor-check.ts'
import { deleteAllFactors } from './second-factor-store.ts'
import type { AccountsContext } from './service.ts'
import { deleteSessionsOf } from './session-store.ts'
import { publishSessionsEnded } from './sessions.ts'
import { findUserForLogin, lockUser } from './store.ts'

/**
 * Takes all second factors and recovery codes of a user away and ends their sessions; the password
 * stays. For an operator on the machine, who has made sure who asks. Returns the number of factors,
 * null for an unknown email.
 */
export async function unlockUser(
  ctx: Pick<AccountsContext, 'config' | 'database' | 'log' | 'mailer'>,
  email: string,
): Promise<number | null> {
  const found = await findUserForLogin(ctx.database.db, emailKey(email))
  if (!found) return null
  const removed = await ctx.database.tx(async tx => {
    const user = await lockUser(tx, found.id)
    if (!user) return null
    const factors = await deleteAllFactors(tx, user.id)
    if (factors === 0) return { factors, ended: [] }
    await insertAuditEntry(tx, {
      actorId: null,
      subjectId: user.id,
      action: 'factors-unlocked',
      detail: { factors },
    })
    await mailFactorNotice(ctx, tx, user, 'unlocked')
    return { factors, ended: await deleteSessionsOf(tx, user.id) }
  })
  if (!removed) return null
  if (removed.factors > 0) await publishSessionsEnded(ctx, removed.ended, found.id)
  return removed.factors
}
