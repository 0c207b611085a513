import type { Context } from '#server/platform/context.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal, refuseField, refuseFields } from '#server/platform/http/refusal.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { requireProof } from './access.ts'
import { insertAuditEntry } from './audit-store.ts'
import { replacePassword } from './new-password.ts'
import { enqueuePasswordChanged } from './password-reset.ts'
import { hashPassword, matchesPassword } from './password.ts'
import { accountFaults } from './rules.ts'
import type { AccountUpdate } from './rules.ts'
import { getUser, lockExistingUser, withWallet } from './service.ts'
import type { AccountsContext, UserWithWallet } from './service.ts'
import {
  deleteChildSessions,
  deleteSessionOf,
  deleteSessionsOf,
  selectSessions,
} from './session-store.ts'
import { publishSessionsEnded } from './sessions.ts'
import { MAX_ATTEMPTS, QUARTER_HOUR } from './sign-in-limits.ts'
import { passwordHashOf, updateUser } from './store.ts'
import { describeDevice } from './user-agent.ts'

/** `support`: an administrator signed in as this user. */
export type SignedInDevice = {
  id: number
  device: string
  createdAt: Date
  lastSeenAt: Date
  current: boolean
  support: boolean
}

/**
 * Changes the caller's name, password or both. A new password requires the current one, ends
 * all other sessions, reset links and a change of the address that waits. Throws Refusal 422 for invalid
 * fields, 429 after ten wrong passwords, 403 for a new password during impersonation
 * and, of a user with a second factor, without a proof.
 */
export async function changeAccount(
  ctx: AccountsContext,
  caller: Caller,
  update: AccountUpdate,
): Promise<UserWithWallet> {
  const user = await getUser(ctx.database.db, caller.userId)
  const changesPassword = update.password !== ''
  if (changesPassword && caller.impersonatorId !== null)
    throw new Refusal(
      'not_while_impersonating',
      'A password cannot be changed while signed in as another user',
    )
  const faults = accountFaults(update, user.email)
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  // Without a second factor the current password is the proof.
  if (changesPassword && !caller.assurance?.methods.includes('password'))
    requireProof(caller.assurance)
  const verified = changesPassword
    ? await verifyCurrentPassword(ctx, caller.userId, update.currentPassword)
    : null
  const passwordHash = changesPassword
    ? await ctx.limitHashing(() => hashPassword(update.password))
    : undefined
  const { ended, ...saved } = await ctx.database.tx(async tx => {
    const current = await lockExistingUser(tx, caller.userId)
    const name = update.name?.trim() ?? current.name
    // The password may have been changed since it was verified.
    if (verified !== null && (await passwordHashOf(tx, current.id)) !== verified)
      throw wrongPassword()
    if (passwordHash === undefined) await updateUser(tx, current.id, { name })
    else await replacePassword(tx, current.id, passwordHash, { name })
    const entry = { actorId: actorIdOf(caller), subjectId: current.id }
    if (name !== current.name) await insertAuditEntry(tx, { ...entry, action: 'name' })
    if (!changesPassword) return { ...current, name, ended: [] }
    await insertAuditEntry(tx, { ...entry, action: 'password' })
    await enqueuePasswordChanged(ctx, tx, current)
    return { ...current, name, ended: await deleteSessionsOf(tx, current.id, caller.sessionId) }
  })
  await publishSessionsEnded(ctx, ended)
  return withWallet(ctx.database.db, saved)
}

/**
 * Returns the stored hash; wrong passwords are counted by account, as at the sign-in. Throws
 * 422 under `field` for a wrong one.
 */
export async function verifyCurrentPassword(
  ctx: AccountsContext,
  userId: number,
  password: string,
  field = 'currentPassword',
): Promise<string> {
  const limitKey = `password:account:${userId}`
  const stored = await passwordHashOf(ctx.database.db, userId)
  const right = await ctx.limitHashing(async () => {
    await ctx.limits.checkAttempts(limitKey, MAX_ATTEMPTS, QUARTER_HOUR)
    const matches = await matchesPassword(password, stored)
    if (!matches) await ctx.limits.countAttempt(limitKey, MAX_ATTEMPTS, QUARTER_HOUR)
    return matches
  })
  if (!right || stored === null) throw wrongPassword(field)
  return stored
}

const wrongPassword = (field = 'currentPassword') =>
  refuseField(field, 'password_wrong', 'This is not your current password')

/** The caller's device first, then the most recently used. */
export async function devicesFor(
  db: Db,
  caller: Caller,
  userId: number,
): Promise<SignedInDevice[]> {
  const sessions = await selectSessions(db, userId)
  const devices = sessions.map(({ userAgent, impersonatorId, ...session }) => ({
    ...session,
    device: describeDevice(userAgent),
    current: session.id === caller.sessionId,
    support: impersonatorId !== null,
  }))
  return devices.toSorted((a, b) => Number(b.current) - Number(a.current))
}

/**
 * Ends one session of the user, and impersonations that began in it. Throws 404 for a session that has
 * ended or belongs to another user.
 */
export async function signOutDevice(
  ctx: Context,
  caller: Caller,
  userId: number,
  sessionId: number,
): Promise<void> {
  const children = await ctx.database.tx(async tx => {
    if (!(await deleteSessionOf(tx, userId, sessionId)))
      throw new Refusal('device_unknown', 'This device is no longer signed in')
    await insertAuditEntry(tx, {
      actorId: actorIdOf(caller),
      subjectId: userId,
      action: 'sign-out-device',
    })
    return deleteChildSessions(tx, sessionId)
  })
  await publishSessionsEnded(ctx, [sessionId, ...children])
}

/**
 * Ends all sessions of the user except the caller's, and the user's impersonations. Returns their
 * number.
 */
export async function signOutOtherDevices(
  ctx: Context,
  caller: Caller,
  userId: number,
): Promise<number> {
  const ended = await ctx.database.tx(async tx => {
    await lockExistingUser(tx, userId)
    const ids = await deleteSessionsOf(tx, userId, caller.sessionId)
    await insertAuditEntry(tx, {
      actorId: actorIdOf(caller),
      subjectId: userId,
      action: 'sign-out-everywhere',
    })
    return ids
  })
  await publishSessionsEnded(ctx, ended)
  return ended.length
}
