/** A user's second factors: setting up, renaming, removing, and recovery codes. */
import { createHash, randomBytes } from 'node:crypto'
import type { PasskeyCreationOptions, PasskeyRegistration } from '#contract/passkeys.ts'
import { FACTORS_MAX } from '#contract/second-factor.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField, refuseFields } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { insertOwnAuditEntry } from './audit-store.ts'
import { requireVerifiedEmail } from './email-verification.ts'
import {
  deletePendingTotp,
  findChallenge,
  findPendingTotp,
  insertChallenge,
  takeChallenge,
} from './login-challenge-store.ts'
import {
  challengeIn,
  creationOptions,
  passkeyProblem,
  passkeySite,
  verifyRegistration,
} from './passkeys.ts'
import type { PasskeySite } from './passkeys.ts'
import {
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
  recoveryCodeFrom,
  recoveryCodeHash,
} from './recovery-codes.ts'
import { factorNameFault } from './rules.ts'
import { mailFactorNotice, sealTotp, unsealTotp } from './second-factor-check.ts'
import { mustHaveFactor } from './second-factor-rules.ts'
import {
  countRecoveryCodes,
  deleteFactor,
  deleteRecoveryCodes,
  insertPasskey,
  insertTotp,
  renameFactor,
  replaceRecoveryCodes,
  selectFactors,
  selectPasskeys,
} from './second-factor-store.ts'
import type { FactorRecord } from './second-factor-store.ts'
import { getUser, lockExistingUser } from './service.ts'
import type { AccountsContext } from './service.ts'
import { deleteSessionsOf } from './session-store.ts'
import { publishSessionsEnded, sha256 } from './sessions.ts'
import type { UserRecord } from './store.ts'
import { acceptedTotpStep, describeTotp, TOTP_SECRET_BYTES } from './totp.ts'

const SETUP_MINUTES = 30
const SETUP_CODES = 10
const SETUP_SECONDS = 15 * 60
const APP_NAME = 'Authenticator app'
const BEFORE_ALL_STEPS = -1

export type FactorOverview = {
  factors: FactorRecord[]
  recoveryCodesLeft: number
  required: boolean
  passkeyProblem: string | null
}

/** `requestHost`: the Host header. Throws 404 for an unknown user. */
export async function factorsOf(
  ctx: AccountsContext,
  userId: number,
  requestHost: string,
): Promise<FactorOverview> {
  const { db } = ctx.database
  const { role } = await getUser(db, userId)
  return {
    factors: await selectFactors(db, userId),
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
    required: mustHaveFactor(ctx.config, role),
    passkeyProblem: passkeyProblem(ctx.config.publicUrl, requestHost),
  }
}

/**
 * Begins to set up an authenticator app. A second call within half an hour gives the same secret,
 * so that a double click or a second tab spoils nothing; another session never sees it. Throws
 * 409 for too many factors.
 */
export async function beginTotpSetup(
  ctx: AccountsContext,
  { userId, sessionId }: Caller,
): Promise<{ secret: string; uri: string }> {
  return ctx.database.tx(async tx => {
    const user = await lockForNewFactor(ctx, tx, userId)
    const hash = totpSetupOf(sessionId)
    const pending = await findPendingTotp(tx, userId, hash)
    if (pending) return describeTotp(unsealTotp(ctx, userId, pending), user.email)
    await deletePendingTotp(tx, userId)
    const secret = randomBytes(TOTP_SECRET_BYTES)
    await insertChallenge(tx, {
      hash,
      userId,
      kind: 'totp',
      minutes: SETUP_MINUTES,
      sealedSecret: sealTotp(ctx, userId, secret),
    })
    return describeTotp(secret, user.email)
  })
}

/** The key of a setup. It belongs to one session: what an intruder has seen ends with theirs. */
const totpSetupOf = (sessionId: number): Buffer => sha256(`totp ${sessionId}`)

/** `recoveryCodes`: with the first factor, and never again. */
export type AddedFactor = { factor: FactorRecord; recoveryCodes: string[] | null }

/**
 * Confirms the app with a code of it. Throws 422 for a wrong code or name, 409
 * when no app is being set up.
 */
export async function confirmTotpSetup(
  ctx: AccountsContext,
  caller: Caller,
  { code, name = '' }: { code: string; name?: string | undefined },
): Promise<AddedFactor> {
  const { userId } = caller
  const chosen = checkedName(name.trim() || APP_NAME)
  await ctx.limits.countAttempt(`factor:setup:${userId}`, SETUP_CODES, SETUP_SECONDS)
  return addFactor(ctx, caller, async tx => {
    const pending = await findPendingTotp(tx, userId, totpSetupOf(caller.sessionId))
    if (!pending) throw new Refusal('expired', 'This setup has expired. Start again.')
    const secret = unsealTotp(ctx, userId, pending)
    const lastStep = acceptedTotpStep(secret, code, Date.now() / 1000, BEFORE_ALL_STEPS)
    if (lastStep === null)
      throw refuseField(
        'code',
        'proof_wrong',
        'This code is wrong. Enter the six digits that the app shows now; its clock must be right.',
      )
    await deletePendingTotp(tx, userId)
    return insertTotp(tx, { userId, name: chosen, sealedSecret: pending, lastStep })
  })
}

/** Begins to register a passkey. Throws 409 where passkeys are not possible. */
export async function beginPasskeySetup(
  ctx: AccountsContext,
  { userId }: Caller,
): Promise<PasskeyCreationOptions> {
  const site = possibleSite(ctx)
  const challenge = randomBytes(32).toString('base64url')
  return ctx.database.tx(async tx => {
    const user = await lockForNewFactor(ctx, tx, userId)
    const hash = sha256(challenge)
    await insertChallenge(tx, { hash, userId, kind: 'passkey', minutes: SETUP_MINUTES })
    const registered = await selectPasskeys(tx, userId, site.host)
    // Neither name nor email: authenticators show and export it.
    const handle = createHash('sha256').update(`${ctx.instance()} ${userId}`).digest()
    return creationOptions(site, challenge, { ...user, handle }, registered)
  })
}

/**
 * Registers the passkey of `response`. Throws 422 for a wrong name and a response that
 * does not verify, 409 for an expired or used challenge and a passkey that is known already.
 */
export async function addPasskey(
  ctx: AccountsContext,
  caller: Caller,
  name: string,
  response: PasskeyRegistration,
): Promise<AddedFactor> {
  const { userId } = caller
  const chosen = checkedName(name)
  const site = possibleSite(ctx)
  const challenge = challengeIn(response) ?? ''
  const hash = sha256(challenge)
  const open = await findChallenge(ctx.database.db, 'passkey', hash)
  if (open?.userId !== userId) throw expiredSetup()
  const verified = await verifyRegistration(site, challenge, response)
  if (!verified)
    throw refuseField(
      'response',
      'proof_wrong',
      'This passkey could not be verified. Try again, or use another.',
    )
  return addFactor(ctx, caller, async tx => {
    if (!(await takeChallenge(tx, 'passkey', hash, userId))) throw expiredSetup()
    const { host } = site
    const factor = await insertPasskey(tx, { ...verified, userId, name: chosen, host })
    if (!factor) throw new Refusal('passkey_taken', 'This passkey is registered already.')
    return factor
  })
}

function possibleSite(ctx: AccountsContext): PasskeySite {
  const site = passkeySite(ctx.config.publicUrl)
  if (site.problem) throw new Refusal('passkeys_not_possible', site.problem)
  return site
}

const expiredSetup = () =>
  new Refusal('expired', 'This setup of a passkey has expired. Start again.')

function checkedName(name: string): string {
  const fault = factorNameFault(name)
  if (fault) throw refuseFields({ name: fault })
  return name.trim()
}

/** A factor set up with another person's address would outlast the reset by its owner. */
async function lockForNewFactor(
  { config }: AccountsContext,
  tx: Tx,
  userId: number,
): Promise<UserRecord> {
  const user = await lockExistingUser(tx, userId)
  requireVerifiedEmail(config.requireVerifiedEmail, user, 'you set up two-step sign-in')
  if ((await selectFactors(tx, userId)).length >= FACTORS_MAX)
    throw new Refusal('limit_reached', `You have ${FACTORS_MAX} second factors. Remove one first.`)
  return user
}

/**
 * The first factor brings recovery codes and ends the user's other sessions, which began without
 * it.
 */
async function addFactor(
  ctx: AccountsContext,
  { userId, sessionId }: Caller,
  insert: (tx: Tx) => Promise<FactorRecord>,
): Promise<AddedFactor> {
  const { ended, ...added } = await ctx.database.tx(async tx => {
    const user = await lockForNewFactor(ctx, tx, userId)
    const isFirst = (await selectFactors(tx, userId)).length === 0
    const factor = await insert(tx)
    await insertOwnAuditEntry(tx, userId, 'factor-added', { kind: factor.kind })
    await mailFactorNotice(ctx, tx, user, `${factor.kind}-added`)
    const recoveryCodes = isFirst ? await newRecoveryCodes(tx, userId) : null
    return {
      factor,
      recoveryCodes,
      ended: isFirst ? await deleteSessionsOf(tx, userId, sessionId) : [],
    }
  })
  await publishSessionsEnded(ctx, ended)
  return added
}

async function newRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    recoveryCodeFrom(randomBytes(RECOVERY_CODE_BYTES)),
  )
  await replaceRecoveryCodes(tx, userId, codes.map(recoveryCodeHash))
  return codes
}

/** Replaces the recovery codes. Throws 409 without a second factor. */
export async function renewRecoveryCodes(
  ctx: AccountsContext,
  { userId }: Caller,
): Promise<string[]> {
  return ctx.database.tx(async tx => {
    const user = await lockExistingUser(tx, userId)
    if ((await selectFactors(tx, userId)).length === 0)
      throw new Refusal(
        'factor_missing',
        'Recovery codes come with two-step sign-in. Set it up first.',
      )
    const codes = await newRecoveryCodes(tx, userId)
    await insertOwnAuditEntry(tx, userId, 'recovery-codes')
    await mailFactorNotice(ctx, tx, user, 'recovery-codes')
    return codes
  })
}

/** Throws 404 for an unknown factor, 422 for a wrong name. */
export async function nameFactor(
  ctx: AccountsContext,
  { userId }: Caller,
  factorId: number,
  name: string,
): Promise<FactorRecord> {
  const chosen = checkedName(name)
  return ctx.database.tx(async tx => {
    const user = await lockExistingUser(tx, userId)
    const factor = await factorById(tx, userId, factorId)
    if (factor.name === chosen) return factor
    await renameFactor(tx, userId, factorId, chosen)
    await insertOwnAuditEntry(tx, userId, 'factor-renamed', { kind: factor.kind })
    await mailFactorNotice(ctx, tx, user, 'renamed')
    return { ...factor, name: chosen }
  })
}

/**
 * Removes a factor and ends the user's other sessions; with the last one the recovery codes go.
 * Throws 404 for an unknown factor, 409 for the last one of a user who must have
 * one.
 */
export async function dropFactor(
  ctx: AccountsContext,
  { userId, sessionId }: Caller,
  factorId: number,
): Promise<void> {
  const ended = await ctx.database.tx(async tx => {
    const user = await lockExistingUser(tx, userId)
    const factor = await factorById(tx, userId, factorId)
    const isLast = (await selectFactors(tx, userId)).length === 1
    if (isLast && mustHaveFactor(ctx.config, user.role))
      throw new Refusal(
        'last_factor',
        'This site requires two-step sign-in. Add another second factor before you remove this one.',
      )
    await deleteFactor(tx, userId, factorId)
    if (isLast) await deleteRecoveryCodes(tx, userId)
    await insertOwnAuditEntry(tx, userId, 'factor-removed', { kind: factor.kind })
    await mailFactorNotice(ctx, tx, user, 'removed')
    return deleteSessionsOf(tx, userId, sessionId)
  })
  await publishSessionsEnded(ctx, ended)
}

async function factorById(tx: Tx, userId: number, id: number): Promise<FactorRecord> {
  const factor = (await selectFactors(tx, userId)).find(each => each.id === id)
  if (!factor) throw new Refusal('factor_unknown', 'This second factor no longer exists.')
  return factor
}
