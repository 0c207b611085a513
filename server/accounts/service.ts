/** Registering, signing in and out. */
import { createHash, randomBytes } from 'node:crypto'
import { EMPTY_WALLET } from '#server/ledger/rules.ts'
import type { Wallet } from '#server/ledger/rules.ts'
import { openWallet, walletOf, walletsOf } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import type { RequestLimits } from '#server/platform/http/request-limits.ts'
import { networkOf } from '#server/platform/http/request-limits.ts'
import type { Caller } from '#server/platform/http/router.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { insertAuditEntry } from './audit-store.ts'
import { writeAudit, isTooManyError, auditThrottledSignIn, toAuditOrigin } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { findInviter } from './invitations.ts'
import { hashPassword, isOutdatedHash, matchesPassword } from './password.ts'
import type { HashingLimiter } from './password.ts'
import {
  generateReferralCode,
  emailKey,
  emptyFields,
  isEmail,
  registrationErrors,
} from './rules.ts'
import type { Registration } from './rules.ts'
import { deleteSession, deleteChildSessions } from './session-store.ts'
import { publishSessionsEnded, beginSession } from './sessions.ts'
import {
  findUserForLogin,
  findUser,
  hasAdministrator,
  insertUser,
  isEmailTaken,
  userExists,
  lockUser,
  passwordHashOf,
  updateUser,
} from './store.ts'
import type { UserRecord, NewUser } from './store.ts'

/** What this room needs of the house. */
export type AccountsContext = Context & {
  limits: RequestLimits
  /** Turns for work with passwords. */
  limitHashing: HashingLimiter
  mailer: Mailer
  /** This copy's name, for its cookie. */
  instance: string
  userData: UserDataDeps
}

/** What the rooms to the right keep of a user, handed in by them, for the day on which he is deleted. */
export type UserDataDeps = {
  /** Whether labels of his are being bought or voided. */
  hasOpenLabels(db: Db, userId: number): Promise<boolean>
  /** Forgets what only he needed. His orders stay. */
  deleteUserData(tx: Tx, userId: number): Promise<void>
}

/** A user together with his money. */
export type UserWithWallet = UserRecord & { wallet: Wallet }

/** Seconds in which ten wrong tries are free; then one comes back every 90 seconds. */
export const QUARTER_HOUR = 15 * 60
export const MAX_TRIES = 10
const WRONG_CREDENTIALS = 'Wrong email or password'
const REGISTRATIONS_PER_MINUTE = 60
const TOO_MANY_REGISTRATIONS =
  'Too many registrations from your address. Please try again in a moment.'

/**
 * Signs in. Unknown address and wrong password are the same 'unauthorized', in words and in time. After ten failures in a
 * quarter of an hour, by account or by network, a try comes back every 90 seconds ('too_many').
 */
export async function signIn(
  ctx: AccountsContext,
  email: string,
  password: string,
  visit: RequestOrigin,
): Promise<{ token: string; user: UserWithWallet }> {
  const empty = emptyFields({ email, password })
  if (Object.keys(empty).length > 0) throw refuseFields(empty)
  const key = emailKey(email)
  const counted = [`login:address:${networkOf(visit.address)}`, loginLimitKey(key)]
  const member = isEmail(email.trim()) ? await findUserForLogin(ctx.database.db, key) : undefined
  // Only failures count, so that an office may sign in at nine o'clock. They are looked at and counted within the turn: many
  // guesses at the same moment gain nothing but the few that are let in together.
  const right = await ctx
    .limitHashing(async () => {
      for (const name of counted) await ctx.limits.checkAttempts(name, MAX_TRIES, QUARTER_HOUR)
      const same = await matchesPassword(password, member?.passwordHash ?? null)
      if (!same)
        for (const name of counted) await ctx.limits.countAttempt(name, MAX_TRIES, QUARTER_HOUR)
      return same
    })
    .catch(async (error: unknown) => {
      if (isTooManyError(error)) await auditThrottledSignIn(ctx, member?.id ?? null, visit)
      throw error
    })
  const detail = toAuditOrigin(visit)
  if (!member || !right) {
    await writeAudit(ctx, {
      actorId: null,
      subjectId: member?.id ?? null,
      action: 'login-denied',
      detail,
    })
    throw new Refusal('unauthorized', WRONG_CREDENTIALS)
  }
  const renewed = isOutdatedHash(member.passwordHash)
    ? await ctx.limitHashing(() => hashPassword(password))
    : undefined
  const token = await ctx.database.tx(async tx => {
    // Asked again under the lock: a block or a new password that is being set at this moment counts.
    const allowed = (await lockUser(tx, member.id))?.activation === 'allow'
    if ((await passwordHashOf(tx, member.id)) !== member.passwordHash)
      throw new Refusal('unauthorized', WRONG_CREDENTIALS)
    await insertAuditEntry(tx, {
      actorId: member.id,
      subjectId: member.id,
      action: allowed ? 'login' : 'login-blocked',
      detail,
    })
    if (!allowed) return null
    if (renewed) await updateUser(tx, member.id, { passwordHash: renewed })
    return beginSession(tx, member, visit.userAgent)
  })
  if (!token) throw blockedRefusal()
  return { token, user: await withWallet(ctx.database.db, member) }
}

/**
 * Opens an account with its wallet and signs in. Refuses wrong fields and unknown codes ('unprocessable') and a taken address
 * ('conflict'), also when two come at the same moment. The role is always `user`.
 */
export async function registerUser(
  ctx: AccountsContext,
  wish: Registration,
  visit: RequestOrigin,
): Promise<{ token: string; user: UserWithWallet }> {
  await ctx.limits.countAttempt(
    `register:${networkOf(visit.address)}`,
    REGISTRATIONS_PER_MINUTE,
    60,
    TOO_MANY_REGISTRATIONS,
  )
  const faults = registrationErrors(wish)
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const { db } = ctx.database
  const inviter = wish.referralCode.trim() === '' ? null : await findInviter(db, wish.referralCode)
  if (await isEmailTaken(db, emailKey(wish.email))) throw emailTakenRefusal()
  const passwordHash = await ctx.limitHashing(() => hashPassword(wish.password))
  return ctx.database.tx(async tx => {
    const member = await createUser(tx, {
      name: wish.name.trim(),
      email: wish.email.trim(),
      passwordHash,
      referredBy: inviter?.id ?? null,
      role: 'user',
    })
    if (!member) throw emailTakenRefusal()
    const detail = { ...toAuditOrigin(visit), invitedBy: inviter?.id }
    await insertAuditEntry(tx, {
      actorId: member.id,
      subjectId: member.id,
      action: 'register',
      detail,
    })
    return {
      token: await beginSession(tx, member, visit.userAgent),
      user: { ...member, wallet: EMPTY_WALLET },
    }
  })
}

/** What a blocked user is told once he has shown that the account is his. */
export const blockedRefusal = () =>
  new Refusal('forbidden', 'This account is blocked. Please contact support.')

const emailTakenRefusal = () => {
  const text = 'An account with this e-mail address exists already'
  return new Refusal('conflict', text, { email: text })
}

/** Writes a user with a code of his own and an empty wallet; undefined when the address is taken. */
async function createUser(
  tx: Tx,
  wish: Omit<NewUser, 'emailKey' | 'referralCode'>,
): Promise<UserRecord | undefined> {
  const key = emailKey(wish.email)
  for (;;) {
    const member = await insertUser(tx, {
      ...wish,
      emailKey: key,
      referralCode: generateReferralCode(randomBytes(32)),
    })
    if (member) {
      await openWallet(tx, member.id)
      return member
    }
    // Either the address is taken or, once in a great while, the code is: then another one is drawn.
    if (await isEmailTaken(tx, key)) return undefined
  }
}

/**
 * Makes the first administrator when there is none. The password is returned once, and only when it was made up here; null when
 * there is an administrator, or another process was faster.
 */
export async function ensureFirstAdmin(
  ctx: Context,
): Promise<{ email: string; password?: string } | null> {
  if (await hasAdministrator(ctx.database.db)) return null
  const { adminEmail: email, adminPassword } = ctx.config
  const password = adminPassword ?? randomBytes(15).toString('base64url')
  const passwordHash = await hashPassword(password)
  const member = await ctx.database.tx(async tx => {
    const admin = await createUser(tx, {
      name: 'Administrator',
      email,
      passwordHash,
      referredBy: null,
      role: 'admin',
    })
    if (admin)
      await insertAuditEntry(tx, {
        actorId: null,
        subjectId: admin.id,
        action: 'first-administrator',
      })
    return admin
  })
  if (!member) return null
  return adminPassword === undefined ? { email, password } : { email }
}

/** The signed-in user himself. */
export async function userOf(db: Db, id: number): Promise<UserWithWallet> {
  const member = await findUser(db, id)
  if (!member) throw unknownUser()
  return withWallet(db, member)
}

/**
 * Ends the sign-in that asks. An administrator who was signed in as this user is himself again; one who signs out himself leaves no
 * sign-in as anybody behind that he began in this one, in whatever tab it is open.
 */
export async function signOut(
  ctx: Context,
  { userId, impersonatorId, sessionId }: Caller,
  visit: RequestOrigin,
): Promise<void> {
  const behind = await ctx.database.tx(async tx => {
    await deleteSession(tx, sessionId)
    const action = impersonatorId === null ? 'logout' : 'login-as-ended'
    await insertAuditEntry(tx, {
      actorId: impersonatorId ?? userId,
      subjectId: userId,
      action,
      detail: toAuditOrigin(visit),
    })
    return impersonatorId === null ? deleteChildSessions(tx, sessionId) : []
  })
  await publishSessionsEnded(
    ctx,
    [sessionId, ...behind].map(id => ({ sessionId: id })),
  )
}

/** Throws 'not_found' for a user who is deleted; one who is there stays until the transaction ends, and with him what it writes. */
export async function requireUser(tx: Tx, userId: number): Promise<void> {
  if (!(await userExists(tx, userId))) throw unknownUser()
}

export const unknownUser = () => new Refusal('not_found', 'There is no such user')

export const withWallet = async (db: Db, member: UserRecord): Promise<UserWithWallet> => ({
  ...member,
  wallet: await walletOf(db, member.id),
})

/** Gives users their money, in one query. */
export async function withWallets(db: Db, members: UserRecord[]): Promise<UserWithWallet[]> {
  const wallets = await walletsOf(
    db,
    members.map(member => member.id),
  )
  return members.map(member => ({ ...member, wallet: wallets.get(member.id) ?? EMPTY_WALLET }))
}

/** Counts wrong passwords of one account, by the key of its address. */
export const loginLimitKey = (key: string): string => `login:account:${shortHash(key)}`

/** An address that somebody typed, for the key of a limit: it need not be readable there, and may be anything. */
export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32)
