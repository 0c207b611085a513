import { randomBytes } from 'node:crypto'
import type { Tx } from '#server/platform/database/database.ts'
import { refuseField, refuseFields } from '#server/platform/http/refusal.ts'
import type { WrittenMail } from '#server/platform/mail/mailer.ts'
import { insertAuditEntry, insertOwnAuditEntry } from './audit-store.ts'
import { isWithinLimit, writeAudit, toAuditOrigin } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { invalidLink } from './email-verification.ts'
import { knownDeviceOf } from './known-browsers.ts'
import { givenResetMail, passwordChangedMail, resetMail } from './mails.ts'
import { replacePassword } from './new-password.ts'
import { findResetUserId, insertReset, recentResets } from './password-reset-store.ts'
import { hashPassword } from './password.ts'
import { emailFault, emailKey, passwordFault } from './rules.ts'
import { blockedRefusal } from './service.ts'
import type { AccountsContext } from './service.ts'
import { deleteSessionsOf } from './session-store.ts'
import { publishSessionsEnded, sha256 } from './sessions.ts'
import { loginLimitKey, QUARTER_HOUR } from './sign-in-limits.ts'
import { findUserForLogin, findUser, lockUser } from './store.ts'

const LINK_HOURS = 1
/**
 * Links of two hours after which strangers cause no further one while one of them is valid for at
 * least a quarter of an hour; and after which a known browser causes none.
 */
const LINKS_BY_STRANGERS = 3
const LINKS_BY_KNOWN = 8
const REQUESTS_BY_NETWORK = 20
const WRONG_LINKS = 20

/**
 * Mails a link if the email has an account that is not blocked and too few valid links.
 * `writeResetMail` looks it up after the response, so that the caller cannot tell. Throws Refusal
 * 422 for an invalid email and 429 for many requests of one network.
 */
export async function requestPasswordReset(
  ctx: AccountsContext,
  email: string,
  origin: RequestOrigin,
): Promise<void> {
  const fault = emailFault(email)
  if (fault) throw refuseFields({ email: fault })
  const key = emailKey(email)
  await ctx.limits.countAttempt(
    `forgot:address:${origin.network}`,
    REQUESTS_BY_NETWORK,
    QUARTER_HOUR,
  )
  await ctx.database.tx(tx =>
    ctx.mailer.enqueueRequest(tx, {
      kind: 'password-reset',
      to: key,
      input: { origin: toAuditOrigin(origin), cookies: origin.cookies } satisfies ResetInput,
      validHours: LINK_HOURS,
    }),
  )
}

/** Registers what requests of accounts write: see MailWriter. */
export function registerMailWriters(ctx: AccountsContext): void {
  ctx.mailer.setWriter('password-reset', (tx, { to, input }) =>
    writeResetMail(ctx, tx, to, input as ResetInput),
  )
}

type ResetInput = { origin: ReturnType<typeof toAuditOrigin>; cookies: string }

async function writeResetMail(
  ctx: AccountsContext,
  tx: Tx,
  key: string,
  { origin, cookies }: ResetInput,
): Promise<WrittenMail> {
  const found = await findUserForLogin(tx, key)
  if (!found) return null
  await lockUser(tx, found.id)
  // The lock may have waited for a change of the address: the old mailbox gets no link then.
  const user = await findUserForLogin(tx, key)
  if (user?.id !== found.id) return null
  const isBlocked = user.activation !== 'allow'
  const mailed = !isBlocked && (await mayGetLink(ctx, tx, user, cookies))
  // A flood of requests must not fill the audit.
  const isNoted = mailed || (await isWithinLimit(ctx, `noted:forgot:${user.id}`, 1, 60))
  if (isNoted)
    await insertAuditEntry(tx, {
      actorId: null,
      subjectId: user.id,
      action: 'forgot-password',
      detail: { ...origin, mailed, ...(!mailed && !isBlocked && { reason: 'recent' }) },
    })
  if (!mailed) return null
  const link = await issueResetLink(ctx, tx, user.id, LINK_HOURS)
  return { userId: user.id, mail: resetMail(user.email, link) }
}

/** The address of a new link to choose a password. */
export async function issueResetLink(
  { config }: AccountsContext,
  tx: Tx,
  userId: number,
  hours: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertReset(tx, userId, sha256(token), hours)
  // Not from the request: the caller chooses its Host header. Behind `#` no proxy logs the token.
  return `${config.publicUrl}/reset-password#token=${token}`
}

/** Mails a link to choose a password that the user has not asked for. */
export async function mailResetLink(
  ctx: AccountsContext,
  tx: Tx,
  { id, email }: { id: number; email: string },
): Promise<void> {
  const link = await issueResetLink(ctx, tx, id, LINK_HOURS)
  await ctx.mailer.enqueue(tx, {
    kind: 'password-reset',
    userId: id,
    validHours: LINK_HOURS,
    ...givenResetMail(email, link),
  })
}

/** Whether one more link may be mailed: strangers neither flood the mailbox nor use anything up. */
async function mayGetLink(
  ctx: AccountsContext,
  tx: Tx,
  user: { id: number; passwordHash: string },
  cookies: string,
): Promise<boolean> {
  const { recent, hasValid } = await recentResets(tx, user.id)
  if (!hasValid || recent < LINKS_BY_STRANGERS) return true
  return recent < LINKS_BY_KNOWN && knownDeviceOf(ctx, cookies, user) !== null
}

/**
 * Sets a new password with a mailed link, which also verifies the address and accepts an invitation;
 * ends all sessions of the user and what the old password had begun (new-password.ts). Returns the
 * user's id. Throws Refusal 422 for an unknown, used or expired link and for an invalid
 * password (the link stays valid), 403 for a blocked user, and 429 for many wrong
 * links of one network.
 */
export async function redeemResetLink(
  ctx: AccountsContext,
  token: string,
  password: string,
  origin: RequestOrigin,
): Promise<number> {
  const limitKey = `reset:address:${origin.network}`
  const tokenHash = sha256(token)
  const userId = await findResetUserId(ctx.database.db, tokenHash)
  const user = userId === undefined ? undefined : await findUser(ctx.database.db, userId)
  if (!user) {
    await ctx.limits.countAttempt(limitKey, WRONG_LINKS, QUARTER_HOUR)
    await writeAudit(ctx, {
      actorId: null,
      subjectId: null,
      action: 'reset-denied',
      detail: toAuditOrigin(origin),
    })
    throw invalidLink()
  }
  if (password === '') throw refuseField('password', 'required', 'Password is required')
  const fault = passwordFault(password, user.email)
  if (fault) throw refuseFields({ password: fault })
  const passwordHash = await ctx.limitHashing(() => hashPassword(password), origin.network)
  const ended = await ctx.database.tx(async tx => {
    // Checked again under the lock: of two clicks on one link the second is refused.
    const current = await lockUser(tx, user.id)
    if (!current || (await findResetUserId(tx, tokenHash)) === undefined) throw invalidLink()
    if (current.activation !== 'allow') throw blockedRefusal()
    const isInvited = current.invitedAt !== null
    // Links of an earlier address end with the change, so this one was mailed to the present one.
    const emailVerifiedAt = current.emailVerifiedAt ?? new Date()
    await replacePassword(tx, current.id, passwordHash, { emailVerifiedAt, invitedAt: null })
    await insertOwnAuditEntry(
      tx,
      current.id,
      isInvited ? 'invitation-accepted' : 'reset-password',
      toAuditOrigin(origin),
    )
    if (!isInvited) await enqueuePasswordChanged(ctx, tx, current)
    return deleteSessionsOf(tx, current.id)
  })
  await publishSessionsEnded(ctx, ended, user.id)
  // Wrong guesses before the reset must not delay the sign-in with the new password.
  await ctx.limits.resetAttempts(loginLimitKey(emailKey(user.email)))
  return user.id
}

/** Tells the user, in the transaction that changes the password. */
export const enqueuePasswordChanged = (
  { mailer, config }: AccountsContext,
  tx: Tx,
  { id, email }: { id: number; email: string },
): Promise<void> =>
  mailer.enqueue(tx, {
    kind: 'password-changed',
    userId: id,
    ...passwordChangedMail(email, `${config.publicUrl}/forgot-password`),
  })
