import type { Context } from '#server/platform/context.ts'
/** What a user does with his own account: his name, his password, the devices that are signed in. */
import type { Db } from '#server/platform/database/database.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { insertAuditEntry } from './audit-store.ts'
import { invalidateResets } from './password-reset-store.ts'
import { mailPasswordChanged } from './password-reset.ts'
import { hashPassword, matchesPassword } from './password.ts'
import { accountErrors } from './rules.ts'
import type { AccountUpdate } from './rules.ts'
import { QUARTER_HOUR, MAX_TRIES, unknownUser, withWallet } from './service.ts'
import type { AccountsContext, UserWithWallet } from './service.ts'
import { deleteSessionOf, deleteSessionsOf, selectSessions } from './session-store.ts'
import { publishSessionsEnded } from './sessions.ts'
import { findUser, lockUser, passwordHashOf, updateUser } from './store.ts'
import { describeDevice } from './user-agent.ts'

/** A sign-in, told for people. `support`: an administrator who is signed in as this user. */
export type SignedInDevice = {
  id: number
  device: string
  createdAt: Date
  lastSeenAt: Date
  current: boolean
  support: boolean
}

/**
 * Changes a user's name and, when one is given, his password: that asks for the current one, ends his other sign-ins and spends
 * the links to a new password that were mailed. Refuses wrong fields ('unprocessable'), more than ten wrong passwords
 * ('too_many'), and a new password inside a log-in-as-user ('forbidden').
 */
export async function changeAccount(
  ctx: AccountsContext,
  caller: Caller,
  wish: AccountUpdate,
): Promise<UserWithWallet> {
  const member = await findUser(ctx.database.db, caller.userId)
  if (!member) throw unknownUser()
  const changes = wish.password !== ''
  if (changes && caller.impersonatorId !== null)
    throw new Refusal('forbidden', 'A password cannot be changed while signed in as another user')
  const faults = accountErrors(wish, member.email)
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const verified = changes
    ? await verifyCurrentPassword(ctx, caller.userId, wish.currentPassword)
    : null
  const passwordHash = changes
    ? await ctx.limitHashing(() => hashPassword(wish.password))
    : undefined
  const name = wish.name.trim()
  const { ended, ...saved } = await ctx.database.tx(async tx => {
    const there = await lockUser(tx, caller.userId)
    if (!there) throw unknownUser()
    // Somebody else may have set another password since the current one was found to be right.
    if (verified !== null && (await passwordHashOf(tx, there.id)) !== verified)
      throw wrongPassword()
    await updateUser(tx, there.id, { name, passwordHash })
    const line = { actorId: caller.impersonatorId ?? there.id, subjectId: there.id }
    if (name !== there.name) await insertAuditEntry(tx, { ...line, action: 'name' })
    if (!changes) return { ...there, name, ended: [] }
    await insertAuditEntry(tx, { ...line, action: 'password' })
    await invalidateResets(tx, there.id)
    return { ...there, name, ended: await deleteSessionsOf(tx, there.id, caller.sessionId) }
  })
  await publishSessionsEnded(
    ctx,
    ended.map(sessionId => ({ sessionId })),
  )
  if (changes) mailPasswordChanged(ctx, saved.email)
  return withWallet(ctx.database.db, saved)
}

/** Answers what is kept of the password once it has proven right; wrong ones are counted, by account, as at the sign-in. */
async function verifyCurrentPassword(
  ctx: AccountsContext,
  userId: number,
  password: string,
): Promise<string> {
  const counted = `password:account:${userId}`
  const stored = await passwordHashOf(ctx.database.db, userId)
  const right = await ctx.limitHashing(async () => {
    await ctx.limits.checkAttempts(counted, MAX_TRIES, QUARTER_HOUR)
    const same = await matchesPassword(password, stored)
    if (!same) await ctx.limits.countAttempt(counted, MAX_TRIES, QUARTER_HOUR)
    return same
  })
  if (!right || stored === null) throw wrongPassword()
  return stored
}

const wrongPassword = () => refuseFields({ currentPassword: 'This is not your current password' })

/** The devices on which a user is signed in: the one that asks first, then those used last. */
export async function devicesFor(
  db: Db,
  caller: Caller,
  userId: number,
): Promise<SignedInDevice[]> {
  const lines = await selectSessions(db, userId)
  const devices = lines.map(({ userAgent, impersonatorId, ...line }) => ({
    ...line,
    device: describeDevice(userAgent),
    current: line.id === caller.sessionId,
    support: impersonatorId !== null,
  }))
  return devices.toSorted((a, b) => Number(b.current) - Number(a.current))
}

/** Signs one device of a user out; one that is not his, or not there any more, is 'not_found'. */
export async function signOutDevice(
  ctx: Context,
  caller: Caller,
  userId: number,
  sessionId: number,
): Promise<void> {
  await ctx.database.tx(async tx => {
    if (!(await deleteSessionOf(tx, userId, sessionId)))
      throw new Refusal('not_found', 'This device is not signed in any more')
    await insertAuditEntry(tx, {
      actorId: caller.impersonatorId ?? caller.userId,
      subjectId: userId,
      action: 'sign-out-device',
    })
  })
  await publishSessionsEnded(ctx, [{ sessionId }])
}

/** Signs all devices of a user out but the one that asks, and ends what he holds as another user. Returns how many. */
export async function signOutOtherDevices(
  ctx: Context,
  caller: Caller,
  userId: number,
): Promise<number> {
  const ended = await ctx.database.tx(async tx => {
    if (!(await lockUser(tx, userId))) throw unknownUser()
    const ids = await deleteSessionsOf(tx, userId, caller.sessionId)
    await insertAuditEntry(tx, {
      actorId: caller.impersonatorId ?? caller.userId,
      subjectId: userId,
      action: 'sign-out-everywhere',
    })
    return ids
  })
  await publishSessionsEnded(
    ctx,
    ended.map(sessionId => ({ sessionId })),
  )
  return ended.length
}
