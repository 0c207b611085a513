/** The second step of a sign-in, and sign-ins by passkey alone. */
import { randomBytes } from 'node:crypto'
import type { PasskeyAssertion, PasskeyRequestOptions } from '#contract/passkeys.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { CHALLENGE_MINUTES } from './ask-second-factor.ts'
import { insertOwnAuditEntry } from './audit-store.ts'
import { auditWrongFactor, toAuditOrigin } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { findChallenge, insertChallenge, takeChallenge } from './login-challenge-store.ts'
import { passkeyChallengeFor, passkeySite, requestOptions } from './passkeys.ts'
import { givenMethod, prepareFactorUse, preparePasskeyUse } from './second-factor-check.ts'
import type { FactorUse, GivenFactor, GivenMethod } from './second-factor-check.ts'
import { countCode } from './second-factor-limits.ts'
import { blockedRefusal, withWallet } from './service.ts'
import type { AccountsContext, UserWithWallet } from './service.ts'
import { beginSession, sha256 } from './sessions.ts'
import { findUser, lockUser, passwordHashOf } from './store.ts'
import type { UserRecord } from './store.ts'

const TRIES = 5
const TRIES_SECONDS = CHALLENGE_MINUTES * 60

export type SignedIn = { token: string; user: UserWithWallet }

/**
 * Finishes a sign-in with the second factor. Throws Refusal 401 for a wrong or used
 * factor and for a challenge that is unknown, used or expired, 429 after five tries or too
 * many wrong codes, 403 for a blocked user.
 */
export async function finishSignIn(
  ctx: AccountsContext,
  { challenge, ...given }: GivenFactor & { challenge: string },
  origin: RequestOrigin,
): Promise<SignedIn> {
  const method = givenMethod(given, ['code', 'passkey', 'recovery'])
  const hash = sha256(challenge)
  const open = await findChallenge(ctx.database.db, 'login', hash)
  const user = open && (await findUser(ctx.database.db, open.userId))
  if (!user) throw expiredSignIn()
  // Counted before the verification, so that simultaneous guesses gain nothing.
  await ctx.limits.countAttempt(`second:${hash.toString('hex')}`, TRIES, TRIES_SECONDS)
  const codeLimit = method === 'code' ? await countCode(ctx, user, 'sign-in', origin) : null
  const use = await prepareFactorUse(ctx, user, given, passkeyChallengeFor(challenge))
  const signedIn = await beginWithFactor(ctx, user, { method, use, origin }, async tx => {
    const mark = sha256((await passwordHashOf(tx, user.id)) ?? '')
    if (!open.passwordMark?.equals(mark)) throw expiredSignIn()
    if (!(await takeChallenge(tx, 'login', hash, user.id))) throw expiredSignIn()
  })
  if (codeLimit) await ctx.limits.resetAttempts(codeLimit)
  return signedIn
}

type GivenUse = { method: GivenMethod; use: FactorUse; origin: RequestOrigin }

/** Begins a session if the factor is right. `consume` uses the challenge up, or throws. */
async function beginWithFactor(
  ctx: AccountsContext,
  { id }: UserRecord,
  { method, use, origin }: GivenUse,
  consume: (tx: Tx) => Promise<void>,
): Promise<SignedIn> {
  const detail = { ...toAuditOrigin(origin), method }
  const outcome = await ctx.database.tx(async tx => {
    const user = await lockUser(tx, id)
    if (!user) throw expiredSignIn()
    if (!(await use(tx))) return 'wrong'
    await consume(tx)
    const isBlocked = user.activation !== 'allow'
    const action = isBlocked ? 'login-blocked' : 'login'
    await insertOwnAuditEntry(tx, id, action, detail)
    if (isBlocked) return 'blocked'
    return { user, token: await beginSession(tx, user, origin.userAgent) }
  })
  if (outcome === 'blocked') throw blockedRefusal()
  if (outcome === 'wrong') {
    await auditWrongFactor(ctx, id, 'second-factor-denied', detail)
    throw refuseField(method, 'factor_wrong', WRONG_FACTOR[method])
  }
  return { token: outcome.token, user: await withWallet(ctx.database.db, outcome.user) }
}

export const WRONG_FACTOR: Record<GivenMethod, string> = {
  code: 'This code is wrong or was used already. Wait for the next one in your authenticator app.',
  passkey: 'This passkey does not belong to the account, or could not be verified.',
  recovery: 'This recovery code is wrong or was used already.',
}

const expiredSignIn = () =>
  new Refusal('sign_in_expired', 'This sign-in has expired. Enter your email and password again.')

/**
 * Begins a sign-in by passkey alone. Nothing is stored, since anyone may ask: the challenge carries
 * its end and a signature. Throws 409 where passkeys are not possible.
 */
export function passkeySignInOptions(ctx: AccountsContext): {
  challenge: string
  options: PasskeyRequestOptions
} {
  const site = passkeySite(ctx.config.publicUrl)
  if (site.problem) throw new Refusal('passkeys_not_possible', site.problem)
  const ends = Date.now() + CHALLENGE_MINUTES * 60_000
  const text = `${ends}.${randomBytes(24).toString('base64url')}`
  const challenge = `${text}.${ctx.secretKey.sign(PASSKEY_LOGIN, text)}`
  return {
    challenge,
    options: requestOptions(site, passkeyChallengeFor(challenge), [], 'required'),
  }
}

const PASSKEY_LOGIN = 'passkey-login'

function isOpenChallenge(ctx: AccountsContext, challenge: string): boolean {
  const [ends = '', random = '', signature = ''] = challenge.split('.')
  return (
    ctx.secretKey.isSigned(PASSKEY_LOGIN, `${ends}.${random}`, signature)
    && Number(ends) > Date.now()
  )
}

/** Signs in by passkey alone. A challenge works once. Throws 401 for an expired challenge and an unknown passkey. */
export async function signInWithPasskey(
  ctx: AccountsContext,
  challenge: string,
  assertion: PasskeyAssertion,
  origin: RequestOrigin,
): Promise<SignedIn> {
  if (!isOpenChallenge(ctx, challenge)) throw expiredPasskeySignIn()
  const expected = passkeyChallengeFor(challenge)
  const use = await preparePasskeyUse(ctx, null, assertion, expected, 'required')
  const user = use.userId === undefined ? undefined : await findUser(ctx.database.db, use.userId)
  if (!user) throw new Refusal('passkey_unknown', 'Unknown passkey. Sign in another way.')
  return beginWithFactor(ctx, user, { method: 'passkey', use, origin }, async tx => {
    const isNew = await insertChallenge(tx, {
      hash: sha256(challenge),
      userId: user.id,
      kind: 'passkey-login',
      // Longer than it is accepted: clocks of two machines differ.
      minutes: 2 * CHALLENGE_MINUTES,
    })
    if (!isNew) throw expiredPasskeySignIn()
  })
}

const expiredPasskeySignIn = () =>
  new Refusal('sign_in_expired', 'This sign-in has expired. Try again.')
