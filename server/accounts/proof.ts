/** A fresh proof of identity, which opens the calls with `proof` for some minutes. */
import { randomBytes } from 'node:crypto'
import type { PasskeyRequestOptions } from '#contract/passkeys.ts'
import type { ProofMethod } from '#contract/second-factor.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { insertOwnAuditEntry } from './audit-store.ts'
import { auditWrongFactor } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { findChallenge, insertChallenge, takeChallenge } from './login-challenge-store.ts'
import { WRONG_FACTOR } from './login-challenge.ts'
import { verifyCurrentPassword } from './own-account.ts'
import { challengeIn, passkeySite, requestOptions } from './passkeys.ts'
import { givenMethod, prepareFactorUse } from './second-factor-check.ts'
import type { FactorUse, GivenFactor } from './second-factor-check.ts'
import { countCode } from './second-factor-limits.ts'
import { proofMethods } from './second-factor-rules.ts'
import { selectFactors, selectPasskeys } from './second-factor-store.ts'
import { getUser, lockExistingUser } from './service.ts'
import type { AccountsContext } from './service.ts'
import { recordProof } from './session-store.ts'
import { sha256 } from './sessions.ts'
import { passwordHashOf } from './store.ts'

const TRIES = 10
const TRIES_SECONDS = 15 * 60
const CHALLENGE_MINUTES = 5

/** How the caller can prove themselves; `options`: for a passkey of this site. */
export async function proofOptionsFor(
  ctx: AccountsContext,
  { userId }: Caller,
): Promise<{ methods: ProofMethod[]; options: PasskeyRequestOptions | null }> {
  const site = passkeySite(ctx.config.publicUrl)
  const challenge = randomBytes(32).toString('base64url')
  return ctx.database.tx(async tx => {
    await lockExistingUser(tx, userId)
    const factors = await selectFactors(tx, userId)
    const methods = proofMethods(factors.map(({ kind }) => kind))
    const passkeys = site.problem ? [] : await selectPasskeys(tx, userId, site.host)
    if (passkeys.length === 0)
      return { methods: methods.filter(method => method !== 'passkey'), options: null }
    const hash = sha256(challenge)
    await insertChallenge(tx, { hash, userId, kind: 'proof', minutes: CHALLENGE_MINUTES })
    return { methods, options: requestOptions(site, challenge, passkeys, 'preferred') }
  })
}

/**
 * Proves the caller by password or, where the user has a factor, by a factor. Throws
 * 422 with the field for a wrong one and for a password that is not enough, 429
 * after ten tries of a session in a quarter of an hour, or too many wrong codes of the account.
 */
export async function proveCaller(
  ctx: AccountsContext,
  { userId, sessionId }: Caller,
  { password, ...given }: GivenFactor & { password?: string | undefined },
  origin: RequestOrigin,
): Promise<void> {
  const method = givenMethod({ ...given, password }, ['password', 'code', 'passkey', 'recovery'])
  const sessionKey = `proof:${sessionId}`
  const limitKeys = [sessionKey]
  // Counted before the session's tries, since it also warns the user of guesses in many sessions.
  if (method === 'code')
    limitKeys.push(await countCode(ctx, await getUser(ctx.database.db, userId), 'proof', origin))
  await ctx.limits.countAttempt(sessionKey, TRIES, TRIES_SECONDS)
  const use =
    password === undefined
      ? await prepareProof(ctx, userId, given)
      : await preparePasswordProof(ctx, userId, password)
  const isRight = await ctx.database.tx(async tx => {
    await lockExistingUser(tx, userId)
    if (!(await use(tx))) return false
    await recordProof(tx, sessionId)
    await insertOwnAuditEntry(tx, userId, 'proven', { method })
    return true
  })
  if (isRight) {
    for (const key of limitKeys) await ctx.limits.resetAttempts(key)
    return
  }
  await auditWrongFactor(ctx, userId, 'proof-denied', { method })
  throw refuseField(
    method,
    'proof_wrong',
    method === 'password' ? FACTOR_NEEDED : WRONG_FACTOR[method],
  )
}

const FACTOR_NEEDED =
  'Your account has two-step sign-in. Confirm with your second factor instead of the password.'

async function preparePasswordProof(
  ctx: AccountsContext,
  userId: number,
  password: string,
): Promise<FactorUse> {
  const verified = await verifyCurrentPassword(ctx, userId, password, 'password')
  return async tx =>
    (await selectFactors(tx, userId)).length === 0
    && (await passwordHashOf(tx, userId)) === verified
}

async function prepareProof(
  ctx: AccountsContext,
  userId: number,
  given: GivenFactor,
): Promise<FactorUse> {
  const user = await getUser(ctx.database.db, userId)
  const challenge = (given.passkey && challengeIn(given.passkey)) ?? ''
  const use = await prepareFactorUse(ctx, user, given, challenge)
  if (!given.passkey) return use
  const hash = sha256(challenge)
  const open = await findChallenge(ctx.database.db, 'proof', hash)
  if (open?.userId !== userId)
    throw new Refusal('expired', 'This confirmation has expired. Try again.')
  return async tx => (await takeChallenge(tx, 'proof', hash, userId)) && use(tx)
}
