/** What a user does with his own account: his name, his password, the devices that are signed in. */
import type { Db } from '#server/platform/database.ts'
import type { House } from '#server/platform/house.ts'
import type { Caller } from '#server/platform/http.ts'
import { Refusal, refuseFields } from '#server/platform/refusal.ts'
import { deviceOf } from './devices.ts'
import { hashPassword, matchesPassword } from './password.ts'
import { tellChanged } from './recovery.ts'
import { spendResets } from './reset-store.ts'
import { accountFaults } from './rules.ts'
import type { AccountWish } from './rules.ts'
import { QUARTER_HOUR, TRIES, unknownUser, withWallet } from './service.ts'
import type { AccountsHouse, User } from './service.ts'
import { deleteSessionOf, deleteSessionsOf, selectSessions } from './session-store.ts'
import { announceEnded } from './sessions.ts'
import { findMember, insertAudit, lockMember, passwordHashOf, updateMember } from './store.ts'

/** A sign-in, told for people. `support`: an administrator who is signed in as this user. */
export type Device = {
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
  house: AccountsHouse,
  caller: Caller,
  wish: AccountWish,
): Promise<User> {
  const member = await findMember(house.database.db, caller.userId)
  if (!member) throw unknownUser()
  const changes = wish.password !== ''
  if (changes && caller.actorId !== null)
    throw new Refusal('forbidden', 'A password cannot be changed while signed in as another user')
  const faults = accountFaults(wish, member.email)
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const verified = changes ? await demandPassword(house, caller.userId, wish.currentPassword) : null
  const passwordHash = changes ? await house.turns(() => hashPassword(wish.password)) : undefined
  const name = wish.name.trim()
  const { ended, ...saved } = await house.database.tx(async tx => {
    const there = await lockMember(tx, caller.userId)
    if (!there) throw unknownUser()
    // Somebody else may have set another password since the current one was found to be right.
    if (verified !== null && (await passwordHashOf(tx, there.id)) !== verified)
      throw wrongPassword()
    await updateMember(tx, there.id, { name, passwordHash })
    const line = { actorId: caller.actorId ?? there.id, subjectId: there.id }
    if (name !== there.name) await insertAudit(tx, { ...line, action: 'name' })
    if (!changes) return { ...there, name, ended: [] }
    await insertAudit(tx, { ...line, action: 'password' })
    await spendResets(tx, there.id)
    return { ...there, name, ended: await deleteSessionsOf(tx, there.id, caller.sessionId) }
  })
  await announceEnded(
    house,
    ended.map(sessionId => ({ sessionId })),
  )
  if (changes) tellChanged(house, saved.email)
  return withWallet(house.database.db, saved)
}

/** Answers what is kept of the password once it has proven right; wrong ones are counted, by account, as at the sign-in. */
async function demandPassword(
  house: AccountsHouse,
  userId: number,
  password: string,
): Promise<string> {
  const counted = `password:account:${userId}`
  const stored = await passwordHashOf(house.database.db, userId)
  const right = await house.turns(async () => {
    await house.limits.check(counted, TRIES, QUARTER_HOUR)
    const same = await matchesPassword(password, stored)
    if (!same) await house.limits.hit(counted, TRIES, QUARTER_HOUR)
    return same
  })
  if (!right || stored === null) throw wrongPassword()
  return stored
}

const wrongPassword = () => refuseFields({ currentPassword: 'This is not your current password' })

/** The devices on which a user is signed in: the one that asks first, then those used last. */
export async function devicesOf(db: Db, caller: Caller, userId: number): Promise<Device[]> {
  const lines = await selectSessions(db, userId)
  const devices = lines.map(({ userAgent, actorId, ...line }) => ({
    ...line,
    device: deviceOf(userAgent),
    current: line.id === caller.sessionId,
    support: actorId !== null,
  }))
  return devices.toSorted((a, b) => Number(b.current) - Number(a.current))
}

/** Signs one device of a user out; one that is not his, or not there any more, is 'not_found'. */
export async function endDevice(
  house: House,
  caller: Caller,
  userId: number,
  sessionId: number,
): Promise<void> {
  await house.database.tx(async tx => {
    if (!(await deleteSessionOf(tx, userId, sessionId)))
      throw new Refusal('not_found', 'This device is not signed in any more')
    await insertAudit(tx, {
      actorId: caller.actorId ?? caller.userId,
      subjectId: userId,
      action: 'sign-out-device',
    })
  })
  await announceEnded(house, [{ sessionId }])
}

/** Signs all devices of a user out but the one that asks, and ends what he holds as another user. Returns how many. */
export async function endOtherDevices(
  house: House,
  caller: Caller,
  userId: number,
): Promise<number> {
  const ended = await house.database.tx(async tx => {
    if (!(await lockMember(tx, userId))) throw unknownUser()
    const ids = await deleteSessionsOf(tx, userId, caller.sessionId)
    await insertAudit(tx, {
      actorId: caller.actorId ?? caller.userId,
      subjectId: userId,
      action: 'sign-out-everywhere',
    })
    return ids
  })
  await announceEnded(
    house,
    ended.map(sessionId => ({ sessionId })),
  )
  return ended.length
}
