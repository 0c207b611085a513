import { randomBytes } from 'node:crypto'
import type { SecondFactorAsked } from '#contract/accounts.ts'
import { EMPTY_WALLET } from '#server/ledger/rules.ts'
import type { Wallet } from '#server/ledger/rules.ts'
import { openWallet, walletOf, walletsOf } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField, refuseFields } from '#server/platform/http/refusal.ts'
import type { RequestLimits } from '#server/platform/http/request-limits.ts'
import { networkOf } from '#server/platform/http/request-limits.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Caller } from '#server/platform/http/router.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import { askSecondFactor } from './ask-second-factor.ts'
import { insertAuditEntry, insertOwnAuditEntry } from './audit-store.ts'
import { writeAudit, isTooManyError, auditThrottledSignIn, toAuditOrigin } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { mailVerifyLink } from './email-links.ts'
import { isAddressReserved } from './email-store.ts'
import { findInviterFor } from './invitations.ts'
import { hashPassword, isOutdatedHash, matchesPassword } from './password.ts'
import type { HashingLimiter } from './password.ts'
import {
  generateReferralCode,
  emailKey,
  emptyFields,
  isEmail,
  registrationFaults,
} from './rules.ts'
import type { Registration } from './rules.ts'
import { deleteSession, deleteChildSessions } from './session-store.ts'
import { publishSessionsEnded, beginSession } from './sessions.ts'
import { openSignInAttempt } from './sign-in-limits.ts'
import {
  findUserForLogin,
  findUser,
  hasAdministrator,
  insertUser,
  isEmailTaken,
  userExists,
  lockAnyUser,
  lockUser,
  passwordHashOf,
  updateUser,
} from './store.ts'
import type { UserRecord, NewUser } from './store.ts'
import { selectUsers } from './users-store.ts'

export type AccountsContext = Context & {
  limits: RequestLimits
  limitHashing: HashingLimiter
  mailer: Mailer
  /** This installation's name, for its cookies. */
  instance: () => string
  userData: UserDataDeps
  secretKey: SecretKey
}

export { userExists } from './store.ts'

/** Data of a user in modules further right, for the user's deletion. */
export type UserDataDeps = {
  /** Whether labels of the user are being bought or voided. */
  hasOpenLabels(db: Db, userId: number): Promise<boolean>
  deleteUserData(tx: Tx, userId: number): Promise<void>
  /** Whether the user has ever ordered, or begun to add money. */
  hasActivity(db: Db, userId: number): Promise<boolean>
}

/** `asked`: the password was right, and a second factor is asked. */
export type SignInResult =
  | { token: string; user: UserWithWallet; asked?: undefined }
  | { asked: SecondFactorAsked }

export type UserWithWallet = UserRecord & { wallet: Wallet }

const WRONG_CREDENTIALS = 'Wrong email or password'
const REGISTRATIONS_PER_MINUTE = 60
const DAY_SECONDS = 24 * 3600
const TOO_MANY_REGISTRATIONS = 'Too many registrations from your network. Try again in a minute.'
const TOO_MANY_TODAY = 'Too many registrations from your network today. Try again later.'

/**
 * Signs in, or asks for the second factor. An unknown email and a wrong password get the same 401, in text and in
 * time. Throws 429 after ten failures in a quarter of an hour, by network or by strangers to
 * the account; then one attempt becomes free every 90 seconds (sign-in-limits.ts).
 */
export async function signIn(
  ctx: AccountsContext,
  email: string,
  password: string,
  origin: RequestOrigin,
): Promise<SignInResult> {
  const empty = emptyFields({ email, password })
  if (Object.keys(empty).length > 0) throw refuseFields(empty)
  const key = emailKey(email)
  const user = isEmail(email.trim()) ? await findUserForLogin(ctx.database.db, key) : undefined
  const attempt = await openSignInAttempt(ctx, key, user, origin)
  // Only failures count, so that a whole office can sign in from one network. They are checked and
  // counted inside the hashing limiter: simultaneous guesses gain at most its concurrency.
  const right = await ctx
    .limitHashing(async () => {
      await attempt.check()
      const matches = await matchesPassword(password, user?.passwordHash ?? null)
      if (!matches) await attempt.countFailure()
      return matches
    }, origin.network)
    .catch(async (error: unknown) => {
      if (isTooManyError(error)) await auditThrottledSignIn(ctx, user?.id ?? null, origin)
      throw error
    })
  const detail = toAuditOrigin(origin)
  if (!user || !right) {
    await writeAudit(ctx, {
      actorId: null,
      subjectId: user?.id ?? null,
      action: 'login-denied',
      detail,
    })
    throw new Refusal('credentials_wrong', WRONG_CREDENTIALS)
  }
  const renewed = isOutdatedHash(user.passwordHash)
    ? await ctx.limitHashing(() => hashPassword(password), origin.network)
    : undefined
  const begun = await ctx.database.tx(async tx => {
    // Checked again under the lock: a block or a new password may be committed at this moment.
    const allowed = (await lockUser(tx, user.id))?.activation === 'allow'
    if ((await passwordHashOf(tx, user.id)) !== user.passwordHash)
      throw new Refusal('credentials_wrong', WRONG_CREDENTIALS)
    const passwordHash = renewed ?? user.passwordHash
    if (allowed && renewed) await updateUser(tx, user.id, { passwordHash })
    const asked = allowed && (await askSecondFactor(ctx, tx, { id: user.id, passwordHash }, origin))
    if (asked) return { asked }
    await insertOwnAuditEntry(tx, user.id, allowed ? 'login' : 'login-blocked', detail)
    return allowed ? { token: await beginSession(tx, user, origin.userAgent) } : null
  })
  if (!begun) throw blockedRefusal()
  if (begun.asked) return begun
  return { ...begun, user: await withWallet(ctx.database.db, user) }
}

/**
 * Creates an account with its wallet and signs in; the role is always `user`. Throws Refusal
 * 422 for invalid fields and unknown codes, 409 for a taken email, also when two
 * register at the same moment.
 */
export async function registerUser(
  ctx: AccountsContext,
  input: Registration,
  origin: RequestOrigin,
): Promise<{ token: string; user: UserWithWallet }> {
  await ctx.limits.countAttempt(
    `register:${networkOf(origin.address)}`,
    REGISTRATIONS_PER_MINUTE,
    60,
    TOO_MANY_REGISTRATIONS,
  )
  const faults = registrationFaults(input)
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const { db } = ctx.database
  const inviter =
    input.referralCode.trim() === ''
      ? null
      : await findInviterFor(ctx, origin.network, input.referralCode)
  if (await isEmailTaken(db, emailKey(input.email))) throw emailTakenRefusal()
  await ctx.limits.countAttempt(
    `register:day:${networkOf(origin.address)}`,
    ctx.config.registrationsPerDay,
    DAY_SECONDS,
    TOO_MANY_TODAY,
  )
  const passwordHash = await ctx.limitHashing(() => hashPassword(input.password), origin.network)
  return ctx.database.tx(async tx => {
    const user = await createUser(tx, {
      name: input.name.trim(),
      email: input.email.trim(),
      passwordHash,
      referredBy: inviter?.id ?? null,
      role: 'user',
    })
    if (!user) throw emailTakenRefusal()
    const detail = { ...toAuditOrigin(origin), invitedBy: inviter?.id }
    await insertOwnAuditEntry(tx, user.id, 'register', detail)
    await mailVerifyLink(ctx, tx, user)
    return {
      token: await beginSession(tx, user, origin.userAgent),
      user: { ...user, wallet: EMPTY_WALLET },
    }
  })
}

/** Only for a caller who has proven that the account is theirs. */
export const blockedRefusal = () =>
  new Refusal('account_blocked', 'This account is blocked. Please contact support.')

export const emailTakenRefusal = () => {
  const text = 'An account with this email already exists'
  return refuseField('email', 'email_taken', text)
}

/**
 * Inserts a user with a referral code and an empty wallet; undefined if the email is taken. Throws
 * 409 for an address to which its former user can still return.
 */
export async function createUser(
  tx: Tx,
  input: Omit<NewUser, 'emailKey' | 'referralCode'>,
): Promise<UserRecord | undefined> {
  const key = emailKey(input.email)
  for (;;) {
    const user = await insertUser(tx, {
      ...input,
      emailKey: key,
      referralCode: generateReferralCode(randomBytes(32)),
    })
    if (user) {
      if (await isAddressReserved(tx, key, user.id)) throw emailTakenRefusal()
      await openWallet(tx, user.id)
      return user
    }
    // Either the email is taken or, very rarely, the code: then another code is generated.
    if (await isEmailTaken(tx, key)) return undefined
  }
}

/**
 * Creates the first administrator. Returns the password only if it was generated here; null if an
 * administrator exists or another process was faster.
 */
export async function ensureFirstAdmin(
  ctx: Context,
): Promise<{ email: string; password?: string } | null> {
  if (await hasAdministrator(ctx.database.db)) return null
  const { adminEmail: email, adminPassword } = ctx.config
  const password = adminPassword ?? randomBytes(15).toString('base64url')
  const passwordHash = await hashPassword(password)
  const user = await ctx.database.tx(async tx => {
    const admin = await createUser(tx, {
      name: 'Administrator',
      email,
      passwordHash,
      referredBy: null,
      role: 'admin',
      emailVerifiedAt: new Date(),
    })
    if (admin)
      await insertAuditEntry(tx, {
        actorId: null,
        subjectId: admin.id,
        action: 'first-administrator',
      })
    return admin
  })
  if (!user) return null
  return adminPassword === undefined ? { email, password } : { email }
}

/** Throws 404 for an unknown or deleted user. */
export async function userOf(db: Db, id: number): Promise<UserWithWallet> {
  return withWallet(db, await getUser(db, id))
}

/**
 * Ends the session. An administrator who was signed in as this user returns to their own session;
 * one who signs out also ends all impersonations that began in it.
 */
export async function signOut(ctx: Context, caller: Caller, origin: RequestOrigin): Promise<void> {
  const { userId, impersonatorId, sessionId } = caller
  const children = await ctx.database.tx(async tx => {
    await deleteSession(tx, sessionId)
    const action = impersonatorId === null ? 'logout' : 'login-as-ended'
    await insertAuditEntry(tx, {
      actorId: actorIdOf(caller),
      subjectId: userId,
      action,
      detail: toAuditOrigin(origin),
    })
    return impersonatorId === null ? deleteChildSessions(tx, sessionId) : []
  })
  await publishSessionsEnded(ctx, [sessionId, ...children])
}

/**
 * Throws 404 for a deleted user. An existing one cannot be deleted before the transaction
 * ends.
 */
export async function requireUser(tx: Tx, userId: number): Promise<void> {
  if (!(await userExists(tx, userId))) throw unknownUser()
}

/** Throws 404 for an unknown or deleted user. */
export async function getUser(db: Db, userId: number): Promise<UserRecord> {
  const user = await findUser(db, userId)
  if (!user) throw unknownUser()
  return user
}

/** Locks a user until the transaction ends. Throws 404 for an unknown or deleted one. */
export async function lockExistingUser(tx: Tx, userId: number): Promise<UserRecord> {
  const user = await lockUser(tx, userId)
  if (!user) throw unknownUser()
  return user
}

/** Of a deleted user too. Throws 404 for an unknown one. */
export async function lockWalletOwner(tx: Tx, userId: number): Promise<UserRecord> {
  const user = await lockAnyUser(tx, userId)
  if (!user) throw unknownUser()
  return user
}

export const unknownUser = () => new Refusal('user_unknown', 'User not found')

export const withWallet = async (db: Db, user: UserRecord): Promise<UserWithWallet> => ({
  ...user,
  wallet: await walletOf(db, user.id),
})

/** In the order of `ids`: deleted users, or only those that exist. */
export const usersByIds = async (
  db: Db,
  ids: readonly number[],
  areDeleted = false,
): Promise<UserWithWallet[]> => withWallets(db, await selectUsers(db, ids, areDeleted))

export async function withWallets(db: Db, users: UserRecord[]): Promise<UserWithWallet[]> {
  const wallets = await walletsOf(
    db,
    users.map(user => user.id),
  )
  return users.map(user => ({ ...user, wallet: wallets.get(user.id) ?? EMPTY_WALLET }))
}
