/** Registering, signing in and out. */
import { createHash, randomBytes } from 'node:crypto'
import { EMPTY_WALLET } from '#server/ledger/rules.ts'
import type { Wallet } from '#server/ledger/rules.ts'
import { openWallet, walletOf, walletsOf } from '#server/ledger/service.ts'
import type { Db, Tx } from '#server/platform/database.ts'
import type { House } from '#server/platform/house.ts'
import type { Caller } from '#server/platform/http.ts'
import type { Limits } from '#server/platform/limits.ts'
import { networkOf } from '#server/platform/limits.ts'
import type { Post } from '#server/platform/mail.ts'
import { Refusal, refuseFields } from '#server/platform/refusal.ts'
import { audit, isTooMany, noteThrottled, seenFrom } from './audit.ts'
import type { Visit } from './audit.ts'
import { inviterOf } from './invitations.ts'
import { hashPassword, isOutdated, matchesPassword } from './password.ts'
import type { Turns } from './password.ts'
import { codeFrom, emailKey, emptyFields, isEmail, registrationFaults } from './rules.ts'
import type { Registration } from './rules.ts'
import { deleteSession, deleteSessionsBehind } from './session-store.ts'
import { announceEnded, beginSession } from './sessions.ts'
import {
  findForLogin,
  findMember,
  hasAdministrator,
  insertAudit,
  insertMember,
  isTaken,
  isThere,
  lockMember,
  passwordHashOf,
  updateMember,
} from './store.ts'
import type { Member, NewMember } from './store.ts'

/** What this room needs of the house. */
export type AccountsHouse = House & {
  limits: Limits
  /** Turns for work with passwords. */
  turns: Turns
  post: Post
  /** This copy's name, for its cookie. */
  instance: string
  belongings: Belongings
}

/** What the rooms to the right keep of a user, handed in by them, for the day on which he is deleted. */
export type Belongings = {
  /** Whether labels of his are being bought or voided. */
  areLabelsOpen(db: Db, userId: number): Promise<boolean>
  /** Forgets what only he needed. His orders stay. */
  forget(tx: Tx, userId: number): Promise<void>
}

/** A user together with his money. */
export type User = Member & { wallet: Wallet }

/** Seconds in which ten wrong tries are free; then one comes back every 90 seconds. */
export const QUARTER_HOUR = 15 * 60
export const TRIES = 10
const WRONG = 'Wrong email or password'
const REGISTRATIONS_A_MINUTE = 60
const CROWDED = 'Too many registrations from your address. Please try again in a moment.'

/**
 * Signs in. Unknown address and wrong password are the same 'unauthorized', in words and in time. After ten failures in a
 * quarter of an hour, by account or by network, a try comes back every 90 seconds ('too_many').
 */
export async function signIn(
  house: AccountsHouse,
  email: string,
  password: string,
  visit: Visit,
): Promise<{ token: string; user: User }> {
  const empty = emptyFields({ email, password })
  if (Object.keys(empty).length > 0) throw refuseFields(empty)
  const key = emailKey(email)
  const counted = [`login:address:${networkOf(visit.address)}`, loginLimit(key)]
  const member = isEmail(email.trim()) ? await findForLogin(house.database.db, key) : undefined
  // Only failures count, so that an office may sign in at nine o'clock. They are looked at and counted within the turn: many
  // guesses at the same moment gain nothing but the few that are let in together.
  const right = await house
    .turns(async () => {
      for (const name of counted) await house.limits.check(name, TRIES, QUARTER_HOUR)
      const same = await matchesPassword(password, member?.passwordHash ?? null)
      if (!same) for (const name of counted) await house.limits.hit(name, TRIES, QUARTER_HOUR)
      return same
    })
    .catch(async (error: unknown) => {
      if (isTooMany(error)) await noteThrottled(house, member?.id ?? null, visit)
      throw error
    })
  const detail = seenFrom(visit)
  if (!member || !right) {
    await audit(house, {
      actorId: null,
      subjectId: member?.id ?? null,
      action: 'login-denied',
      detail,
    })
    throw new Refusal('unauthorized', WRONG)
  }
  const renewed = isOutdated(member.passwordHash)
    ? await house.turns(() => hashPassword(password))
    : undefined
  const token = await house.database.tx(async tx => {
    // Asked again under the lock: a block or a new password that is being set at this moment counts.
    const allowed = (await lockMember(tx, member.id))?.activation === 'allow'
    if ((await passwordHashOf(tx, member.id)) !== member.passwordHash)
      throw new Refusal('unauthorized', WRONG)
    await insertAudit(tx, {
      actorId: member.id,
      subjectId: member.id,
      action: allowed ? 'login' : 'login-blocked',
      detail,
    })
    if (!allowed) return null
    if (renewed) await updateMember(tx, member.id, { passwordHash: renewed })
    return beginSession(tx, member, visit.userAgent)
  })
  if (!token) throw blocked()
  return { token, user: await withWallet(house.database.db, member) }
}

/**
 * Opens an account with its wallet and signs in. Refuses wrong fields and unknown codes ('unprocessable') and a taken address
 * ('conflict'), also when two come at the same moment. The role is always `user`.
 */
export async function openAccount(
  house: AccountsHouse,
  wish: Registration,
  visit: Visit,
): Promise<{ token: string; user: User }> {
  await house.limits.hit(
    `register:${networkOf(visit.address)}`,
    REGISTRATIONS_A_MINUTE,
    60,
    CROWDED,
  )
  const faults = registrationFaults(wish)
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const { db } = house.database
  const inviter = wish.referralCode.trim() === '' ? null : await inviterOf(db, wish.referralCode)
  if (await isTaken(db, emailKey(wish.email))) throw taken()
  const passwordHash = await house.turns(() => hashPassword(wish.password))
  return house.database.tx(async tx => {
    const member = await enrol(tx, {
      name: wish.name.trim(),
      email: wish.email.trim(),
      passwordHash,
      referredBy: inviter?.id ?? null,
      role: 'user',
    })
    if (!member) throw taken()
    const detail = { ...seenFrom(visit), invitedBy: inviter?.id }
    await insertAudit(tx, { actorId: member.id, subjectId: member.id, action: 'register', detail })
    return {
      token: await beginSession(tx, member, visit.userAgent),
      user: { ...member, wallet: EMPTY_WALLET },
    }
  })
}

/** What a blocked user is told once he has shown that the account is his. */
export const blocked = () =>
  new Refusal('forbidden', 'This account is blocked. Please contact support.')

const taken = () => {
  const text = 'An account with this e-mail address exists already'
  return new Refusal('conflict', text, { email: text })
}

/** Writes a user with a code of his own and an empty wallet; undefined when the address is taken. */
async function enrol(
  tx: Tx,
  wish: Omit<NewMember, 'emailKey' | 'referralCode'>,
): Promise<Member | undefined> {
  const key = emailKey(wish.email)
  for (;;) {
    const member = await insertMember(tx, {
      ...wish,
      emailKey: key,
      referralCode: codeFrom(randomBytes(32)),
    })
    if (member) {
      await openWallet(tx, member.id)
      return member
    }
    // Either the address is taken or, once in a great while, the code is: then another one is drawn.
    if (await isTaken(tx, key)) return undefined
  }
}

/**
 * Makes the first administrator when there is none. The password is returned once, and only when it was made up here; null when
 * there is an administrator, or another process was faster.
 */
export async function ensureFirstAdmin(
  house: House,
): Promise<{ email: string; password?: string } | null> {
  if (await hasAdministrator(house.database.db)) return null
  const { adminEmail: email, adminPassword } = house.config
  const password = adminPassword ?? randomBytes(15).toString('base64url')
  const passwordHash = await hashPassword(password)
  const member = await house.database.tx(async tx => {
    const admin = await enrol(tx, {
      name: 'Administrator',
      email,
      passwordHash,
      referredBy: null,
      role: 'admin',
    })
    if (admin)
      await insertAudit(tx, { actorId: null, subjectId: admin.id, action: 'first-administrator' })
    return admin
  })
  if (!member) return null
  return adminPassword === undefined ? { email, password } : { email }
}

/** The signed-in user himself. */
export async function userOf(db: Db, id: number): Promise<User> {
  const member = await findMember(db, id)
  if (!member) throw unknownUser()
  return withWallet(db, member)
}

/**
 * Ends the sign-in that asks. An administrator who was signed in as this user is himself again; one who signs out himself leaves no
 * sign-in as anybody behind that he began in this one, in whatever tab it is open.
 */
export async function signOut(
  house: House,
  { userId, actorId, sessionId }: Caller,
  visit: Visit,
): Promise<void> {
  const behind = await house.database.tx(async tx => {
    await deleteSession(tx, sessionId)
    const action = actorId === null ? 'logout' : 'login-as-ended'
    await insertAudit(tx, {
      actorId: actorId ?? userId,
      subjectId: userId,
      action,
      detail: seenFrom(visit),
    })
    return actorId === null ? deleteSessionsBehind(tx, sessionId) : []
  })
  await announceEnded(
    house,
    [sessionId, ...behind].map(id => ({ sessionId: id })),
  )
}

/** Throws 'not_found' for a user who is deleted; one who is there stays until the transaction ends, and with him what it writes. */
export async function keepUser(tx: Tx, userId: number): Promise<void> {
  if (!(await isThere(tx, userId))) throw unknownUser()
}

export const unknownUser = () => new Refusal('not_found', 'There is no such user')

export const withWallet = async (db: Db, member: Member): Promise<User> => ({
  ...member,
  wallet: await walletOf(db, member.id),
})

/** Gives users their money, in one query. */
export async function withWallets(db: Db, members: Member[]): Promise<User[]> {
  const wallets = await walletsOf(
    db,
    members.map(member => member.id),
  )
  return members.map(member => ({ ...member, wallet: wallets.get(member.id) ?? EMPTY_WALLET }))
}

/** Counts wrong passwords of one account, by the key of its address. */
export const loginLimit = (key: string): string => `login:account:${sumOf(key)}`

/** An address that somebody typed, for the key of a limit: it need not be readable there, and may be anything. */
export const sumOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32)
