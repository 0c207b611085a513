/** Keys of users for their programs: making, replacing and deleting them, and calls with them. */
import { randomBytes } from 'node:crypto'
import type { FieldFault } from '#contract/faults.ts'
import { KEY_NAME_MAX, MAX_KEYS } from '#contract/keys.ts'
import type { Scope } from '#contract/keys.ts'
import { cents, fromDollars, usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { isFarTooLong, tidyText } from '#contract/text.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { isKey } from '#server/platform/http/caller-token.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import type { Caller, CallerKey } from '#server/platform/http/router.ts'
import {
  addSpending,
  countKeys,
  findKey,
  findPresentedKey,
  insertKey,
  replaceKey,
  revokeKey,
  selectAllowance,
  subtractSpending,
  touchKey,
} from './api-keys-store.ts'
import type { ApiKeyRecord, KeySpending, PresentedKey } from './api-keys-store.ts'
import { insertOwnAuditEntry } from './audit-store.ts'
import { requireVerifiedEmail } from './email-verification.ts'
import { formatKey, KEY_BYTES, keyPrefix, modeOfKey } from './key-format.ts'
import type { KeyMode } from './key-format.ts'
import { keyCreatedMail } from './mails.ts'
import { lockExistingUser } from './service.ts'
import type { AccountsContext } from './service.ts'
import { authenticate, sha256 } from './sessions.ts'

export { revokeAllKeys, selectKeys as keysOf, selectUnlimitedKeys } from './api-keys-store.ts'
export type { ApiKeyRecord } from './api-keys-store.ts'

/** Each leaves a row behind. */
const CREATIONS = 100
const CREATIONS_SECONDS = 24 * 3600

export const keyMode = ({ config }: Pick<Context, 'config'>): KeyMode =>
  config.mode === 'live' ? 'live' : 'test'

/** `dailyLimit` in dollars; `expiresAt`: an ISO moment. */
export type KeyInput = {
  name: string
  scopes: Scope[]
  dailyLimit?: number | null | undefined
  expiresAt?: string | null | undefined
}

/** `key`: the text that only this result has. */
export type MadeKey = { record: ApiKeyRecord; key: string }

/** Throws Refusal 422 with the wrong fields, 'limit_reached' for more than 20 keys. */
export async function makeKey(
  ctx: AccountsContext,
  { userId }: Caller,
  input: KeyInput,
): Promise<MadeKey> {
  const errors = keyErrors(input, Date.now())
  if (Object.keys(errors).length > 0) throw refuseFields(errors)
  const { key, hash, last4 } = newKey(ctx)
  const name = tidyText(input.name)
  const scopes = [...new Set(input.scopes)]
  const dailyLimit = input.dailyLimit ? fromDollars(input.dailyLimit) : null
  const expiresAt = input.expiresAt ? new Date(input.expiresAt) : null
  await countCreation(ctx, userId)
  return ctx.database.tx(async tx => {
    const user = await lockExistingUser(tx, userId)
    // A key made with another person's address would outlast the reset by its owner.
    requireVerifiedEmail(ctx.config.requireVerifiedEmail, user, 'you create API keys')
    if ((await countKeys(tx, userId)) >= MAX_KEYS)
      throw new Refusal('limit_reached', `You have ${MAX_KEYS} API keys. Delete one first.`)
    const id = await insertKey(tx, { userId, hash, last4, name, scopes, dailyLimit, expiresAt })
    await auditKey(tx, userId, 'key-created', { name, last4, scopes })
    await mailKeyNotice(ctx, tx, user, last4)
    return { key, record: (await findKey(tx, userId, id))! }
  })
}

function newKey(ctx: Context): { key: string; hash: Buffer; last4: string } {
  const key = formatKey(keyMode(ctx), randomBytes(KEY_BYTES))
  return { key, hash: sha256(key), last4: key.slice(-4) }
}

const countCreation = (ctx: AccountsContext, userId: number): Promise<void> =>
  ctx.limits.countAttempt(`keys:${userId}`, CREATIONS, CREATIONS_SECONDS)

/** Later ones have more than four digits, which no time of the interface has. An offset from UTC can lead there. */
const LAST_YEAR = 9999

/** Wrong fields of a new key, each with its text. `now` in ms. */
export function keyErrors(
  { name, scopes, dailyLimit, expiresAt }: KeyInput,
  now: number,
): Record<string, FieldFault> {
  const errors: Record<string, FieldFault> = {}
  const problem = nameFault(name)
  if (problem) errors.name = problem
  if (scopes.length === 0)
    errors.scopes = { code: 'required', text: 'Choose what the key may do: at least one scope' }
  if (dailyLimit === 0)
    errors.dailyLimit = {
      code: 'below_limit',
      text: 'The daily limit must be at least $0.01. Leave it out for a key without a limit',
    }
  if (expiresAt && new Date(expiresAt).getTime() <= now)
    errors.expiresAt = {
      code: 'time_passed',
      text: `The end of the key must be in the future; ${expiresAt} has passed`,
    }
  if (expiresAt && new Date(expiresAt).getUTCFullYear() > LAST_YEAR)
    errors.expiresAt = {
      code: 'above_limit',
      text: `The end of the key must be at most in the year ${LAST_YEAR} in UTC. Leave it out for a key without an end`,
    }
  return errors
}

// Bidirectional controls make a name read as another one.
const CONTROL = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u

function nameFault(name: string): FieldFault | null {
  const length = [...name.trim()].length
  if (length === 0) return { code: 'required', text: 'Name is required' }
  if (isFarTooLong(name, KEY_NAME_MAX) || length > KEY_NAME_MAX)
    return {
      code: 'too_long',
      text: `Name must be at most ${KEY_NAME_MAX} characters; this has ${length}`,
    }
  if (CONTROL.test(name))
    return {
      code: 'character_not_printable',
      text: 'Name contains characters that cannot be displayed',
    }
  return tidyText(name) === '' ? { code: 'required', text: 'Name is required' } : null
}

/**
 * The new key shares the day's spending with the old one. Throws Refusal 'key_unknown', and
 * 'already_done' for a key that was replaced before.
 */
export async function replaceOwnKey(
  ctx: AccountsContext,
  { userId }: Caller,
  keyId: number,
  graceHours: number,
): Promise<MadeKey> {
  await countCreation(ctx, userId)
  return ctx.database.tx(async tx => {
    const user = await lockExistingUser(tx, userId)
    const old = await requireKey(tx, userId, keyId)
    if (old.replacedBy !== null)
      throw new Refusal('already_done', 'This key was replaced before. Rotate the newer one.')
    const { key, hash, last4 } = newKey(ctx)
    const id = await replaceKey(tx, keyId, { hash, last4 }, graceHours)
    await auditKey(tx, userId, 'key-rotated', {
      name: old.name,
      from: old.last4,
      last4,
      graceHours,
    })
    await mailKeyNotice(ctx, tx, user, last4)
    return { key, record: (await findKey(tx, userId, id))! }
  })
}

/** Throws Refusal 'key_unknown'. */
export async function deleteOwnKey(
  ctx: AccountsContext,
  { userId }: Caller,
  keyId: number,
): Promise<void> {
  await ctx.database.tx(async tx => {
    await lockExistingUser(tx, userId)
    const { name, last4 } = await requireKey(tx, userId, keyId)
    await revokeKey(tx, keyId)
    await auditKey(tx, userId, 'key-deleted', { name, last4 })
  })
}

async function requireKey(db: Db, userId: number, keyId: number): Promise<ApiKeyRecord> {
  const found = await findKey(db, userId, keyId)
  if (!found) throw new Refusal('key_unknown', 'There is no such API key')
  return found
}

/** The key of a call. Throws Refusal 'key_unknown' for a session. */
export const currentKeyOf = (db: Db, { userId, key }: Caller): Promise<ApiKeyRecord> =>
  requireKey(db, userId, key?.id ?? 0)

const auditKey = (
  tx: Tx,
  userId: number,
  action: 'key-created' | 'key-rotated' | 'key-deleted',
  detail: Record<string, unknown>,
): Promise<number> => insertOwnAuditEntry(tx, userId, action, detail)

const mailKeyNotice = (
  { mailer, config }: AccountsContext,
  tx: Tx,
  { id, email }: { id: number; email: string },
  last4: string,
): Promise<void> =>
  mailer.enqueue(tx, {
    kind: 'key-created',
    userId: id,
    ...keyCreatedMail(email, last4, `${config.publicUrl}/forgot-password`),
  })

/** For requests: of a session or a key. Sockets and downloads by cookie are of sessions alone. */
export function authenticateCaller(ctx: Context): (token: string) => Promise<Caller | null> {
  const [bySession, byKey] = [authenticate(ctx), authenticateKey(ctx)]
  return token => (isKey(token) ? byKey(token) : bySession(token))
}

/**
 * The caller with this key; an administrator's key has the rights of a user. Throws Refusal
 * 'key_not_valid'; a mistyped key and one of the other mode cost no query.
 */
const authenticateKey =
  (ctx: Context) =>
  async (text: string): Promise<Caller> => {
    const mode = modeOfKey(text)
    if (mode === null) throw refuseKey('This API key is mistyped or incomplete')
    if (mode !== keyMode(ctx)) throw refuseKey(otherModeText(mode))
    const key = await findPresentedKey(ctx.database.db, sha256(text))
    if (!key) throw refuseKey('There is no such API key')
    if (key.problem) throw refuseKey(KEY_PROBLEMS[key.problem])
    if (key.isStale) await touchKey(ctx.database.db, key.id)
    const { id, name, scopes, userId, role } = key
    return {
      userId,
      role: role === 'admin' ? 'user' : role,
      sessionId: 0,
      impersonatorId: null,
      key: { id, name, scopes },
      assurance: { isProven: false, lacksFactor: false, methods: [] },
    }
  }

const refuseKey = (text: string): Refusal => new Refusal('key_not_valid', text)

const KEY_PROBLEMS: Record<NonNullable<PresentedKey['problem']>, string> = {
  user: 'The account of this API key is blocked or deleted',
  deleted: 'This API key was deleted, by its user or when the site was restored from a backup',
  replaced: 'This API key was replaced by a newer one',
  expired: 'This API key has expired',
}

const otherModeText = (mode: KeyMode): string =>
  mode === 'test'
    ? `This is a test key, for a sandbox. This site is live: its keys begin with ${keyPrefix('live')}`
    : `This is a live key. This site is a sandbox: its keys begin with ${keyPrefix('test')}`

/**
 * Counts what a key orders, in the transaction of the hold and after it, which locks the user's
 * balance: parallel orders cannot exceed the limit together. `at` is the moment that is stored with
 * the order, so that `returnKeySpending` takes it off the same day. Throws Refusal
 * 'daily_limit_reached'.
 */
export async function countKeySpending(
  tx: Tx,
  key: Pick<CallerKey, 'id'> | null,
  { amount, at }: Omit<KeySpending, 'keyId'>,
): Promise<void> {
  if (key && !(await addSpending(tx, { keyId: key.id, at, amount })))
    throw await refuseSpending(tx, key.id, amount)
}

/**
 * Of labels that were not bought, in the transaction that releases their holds and after it. What
 * was ordered on an earlier day is not counted any more.
 */
export async function returnKeySpending(tx: Tx, returned: KeySpending[]): Promise<void> {
  if (returned.length > 0) await subtractSpending(tx, returned)
}

/** Before work that ends in `countKeySpending`, which decides. */
export async function assertWithinDailyLimit(
  db: Db,
  key: Caller['key'],
  amount: Cents,
): Promise<void> {
  const left = await dailyLimitLeft(db, key)
  if (key && left !== null && left < amount) throw await refuseSpending(db, key.id, amount)
}

/** Cents that the key may still order for today; null without a limit. */
export const dailyLimitLeft = async (db: Db, key: Caller['key']): Promise<Cents | null> =>
  (key && (await selectAllowance(db, key.id)))?.left ?? null

async function refuseSpending(db: Db, keyId: number, amount: Cents): Promise<Refusal> {
  const { limit, left } = (await selectAllowance(db, keyId)) ?? { limit: cents(0), left: cents(0) }
  return new Refusal(
    'daily_limit_reached',
    `This costs ${usd(amount)}. The key may order labels for ${usd(limit)} a day and has ${usd(left)} left until midnight UTC.`,
  )
}
