/** The way back in for who has forgotten the password: a link by mail, and what it opens. */
import { randomBytes } from 'node:crypto'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import { networkOf } from '#server/platform/http/request-limits.ts'
import { insertAuditEntry } from './audit-store.ts'
import { writeAudit, toAuditOrigin } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { passwordChangedMail, resetMail } from './mails.ts'
import { findResetUserId, insertReset, invalidateResets } from './password-reset-store.ts'
import { hashPassword } from './password.ts'
import { emailError, emailKey, passwordError } from './rules.ts'
import { blockedRefusal, loginLimitKey, QUARTER_HOUR, shortHash } from './service.ts'
import type { AccountsContext } from './service.ts'
import { deleteSessionsOf } from './session-store.ts'
import { publishSessionsEnded, sha256 } from './sessions.ts'
import { findUserForLogin, findUser, lockUser, updateUser } from './store.ts'

/** Hours a link can be used. */
const LINK_HOURS = 1
const MAILS_PER_HOUR = 5
const REQUESTS_BY_NETWORK = 20
const WRONG_LINKS = 20

/**
 * Mails a link to whoever has an account with this address and is not blocked. The caller learns nothing of that: looking up and
 * sending begin after he is answered. Refuses what is no address ('unprocessable') and too many tries ('too_many'), known or not.
 */
export async function requestPasswordReset(
  ctx: AccountsContext,
  email: string,
  visit: RequestOrigin,
): Promise<void> {
  const fault = emailError(email)
  if (fault) throw refuseFields({ email: fault })
  const key = emailKey(email)
  await ctx.limits.countAttempt(
    `forgot:address:${networkOf(visit.address)}`,
    REQUESTS_BY_NETWORK,
    QUARTER_HOUR,
  )
  await ctx.limits.countAttempt(`forgot:account:${shortHash(key)}`, MAILS_PER_HOUR, 3600)
  ctx.mailer.send(async () => {
    const member = await findUserForLogin(ctx.database.db, key)
    if (!member) return null
    const mailed = member.activation === 'allow'
    const token = randomBytes(32).toString('base64url')
    await ctx.database.tx(async tx => {
      if (mailed) await insertReset(tx, member.id, sha256(token), LINK_HOURS)
      await insertAuditEntry(tx, {
        actorId: null,
        subjectId: member.id,
        action: 'forgot-password',
        detail: { ...toAuditOrigin(visit), mailed },
      })
    })
    // Never from the request: its Host header is the asker's to choose.
    return mailed
      ? resetMail(member.email, `${ctx.config.publicUrl}/reset-password?token=${token}`)
      : null
  })
}

/**
 * Sets the password that a mailed link is good for, ends all sign-ins of the user and spends his other links. Refuses a link that
 * is unknown, used or old and a password that will not do ('unprocessable', the link stays good), and a blocked user ('forbidden').
 */
export async function redeemResetLink(
  ctx: AccountsContext,
  token: string,
  password: string,
  visit: RequestOrigin,
): Promise<void> {
  const counted = `reset:address:${networkOf(visit.address)}`
  await ctx.limits.checkAttempts(counted, WRONG_LINKS, QUARTER_HOUR)
  const tokenHash = sha256(token)
  const userId = await findResetUserId(ctx.database.db, tokenHash)
  const member = userId === undefined ? undefined : await findUser(ctx.database.db, userId)
  if (!member) {
    await ctx.limits.countAttempt(counted, WRONG_LINKS, QUARTER_HOUR)
    await writeAudit(ctx, {
      actorId: null,
      subjectId: null,
      action: 'reset-denied',
      detail: toAuditOrigin(visit),
    })
    throw invalidResetLink()
  }
  const fault = password === '' ? 'Password is required' : passwordError(password, member.email)
  if (fault) throw refuseFields({ password: fault })
  const passwordHash = await ctx.limitHashing(() => hashPassword(password))
  const ended = await ctx.database.tx(async tx => {
    // Asked again under the lock: of two clicks on one link the second comes too late.
    const there = await lockUser(tx, member.id)
    if (!there || (await findResetUserId(tx, tokenHash)) === undefined) throw invalidResetLink()
    if (there.activation !== 'allow') throw blockedRefusal()
    await invalidateResets(tx, there.id)
    await updateUser(tx, there.id, { passwordHash })
    await insertAuditEntry(tx, {
      actorId: there.id,
      subjectId: there.id,
      action: 'reset-password',
      detail: toAuditOrigin(visit),
    })
    return deleteSessionsOf(tx, there.id)
  })
  await publishSessionsEnded(ctx, [
    { userId: member.id },
    ...ended.map(sessionId => ({ sessionId })),
  ])
  // Whoever guessed ten times before he asked for the link need not wait to use his new password.
  await ctx.limits.resetAttempts(loginLimitKey(emailKey(member.email)))
  mailPasswordChanged(ctx, member.email)
}

/** Tells the owner that his password is another one now. */
export const mailPasswordChanged = (ctx: AccountsContext, email: string): void =>
  ctx.mailer.send(async () => passwordChangedMail(email, `${ctx.config.publicUrl}/forgot-password`))

const invalidResetLink = () => {
  const text = 'This link has been used or is too old. Please ask for a new one.'
  return new Refusal('unprocessable', text, { token: text })
}
