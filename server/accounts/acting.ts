/** An administrator signs in as another user: for an hour, under both names. */
import type { House } from '#server/platform/house.ts'
import type { Caller } from '#server/platform/http.ts'
import { Refusal, refuseFields } from '#server/platform/refusal.ts'
import { seenFrom } from './audit.ts'
import type { Visit } from './audit.ts'
import { detailsFaults } from './rules.ts'
import { unknownUser, withWallet } from './service.ts'
import type { User } from './service.ts'
import { beginActingSession } from './sessions.ts'
import { insertAudit, lockMember } from './store.ts'
import type { Member } from './store.ts'

export type ActingSignIn = { token: string; expiresAt: Date; user: User; actor: Member }

/**
 * Begins the short sign-in. Refuses oneself and blocked users ('conflict'), other administrators ('forbidden') and who is not there
 * ('not_found').
 */
export async function signInAs(
  house: House,
  admin: Caller,
  userId: number,
  reason: string,
  visit: Visit,
): Promise<ActingSignIn> {
  const faults = detailsFaults({ reason })
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  if (userId === admin.userId)
    throw new Refusal('conflict', 'This is you: there is nobody to sign in as')
  const { member, ...begun } = await house.database.tx(async tx => {
    // Both are locked, so that a role that changes at this moment ends this sign-in too.
    const actor = await lockMember(tx, admin.userId)
    if (actor?.role !== 'admin' || actor.activation !== 'allow')
      throw new Refusal('forbidden', 'This is for administrators only')
    const there = await lockMember(tx, userId)
    if (!there) throw unknownUser()
    if (there.role === 'admin')
      throw new Refusal('forbidden', 'Nobody can sign in as another administrator')
    if (there.activation !== 'allow')
      throw new Refusal('conflict', 'This user is blocked. Allow him first.')
    const detail = { ...seenFrom(visit), ...(reason.trim() !== '' && { reason: reason.trim() }) }
    await insertAudit(tx, { actorId: actor.id, subjectId: userId, action: 'login-as', detail })
    return {
      member: there,
      actor,
      ...(await beginActingSession(tx, userId, admin, visit.userAgent)),
    }
  })
  return { ...begun, user: await withWallet(house.database.db, member) }
}
