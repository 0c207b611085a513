/** Users change their address: docs/decisions/0037-addresses-are-proven-by-links.md. */
import { randomBytes } from 'node:crypto'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField, refuseFields } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { insertOwnAuditEntry } from './audit-store.ts'
import { isWithinLimit, toAuditOrigin } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { emailPageLink, LINK_HOURS } from './email-links.ts'
import { addressTakenMail, changeAskedMail, changedMail, changeMail } from './email-mails.ts'
import {
  cancelOpenChange,
  findChange,
  findLink,
  findOpenChange,
  insertChange,
  insertLink,
  isAddressReserved,
  markLinksUsed,
  mayReturnTo,
  recordChangeDone,
  recordUndone,
  setEmail,
  UNDO_HOURS,
} from './email-store.ts'
import type { EmailLink } from './email-store.ts'
import { invalidLink, requireLink } from './email-verification.ts'
import { replacePassword } from './new-password.ts'
import { verifyCurrentPassword } from './own-account.ts'
import { invalidateResets } from './password-reset-store.ts'
import { mailResetLink } from './password-reset.ts'
import { hashPassword } from './password.ts'
import { emailFault, emailKey, withoutNulls } from './rules.ts'
import { blockedRefusal, getUser, lockExistingUser } from './service.ts'
import type { AccountsContext } from './service.ts'
import { deleteSessionsOf } from './session-store.ts'
import { publishSessionsEnded, sha256 } from './sessions.ts'
import { hashForLimitKey, loginLimitKey } from './sign-in-limits.ts'
import { findUserForLogin, lockUser, passwordHashOf } from './store.ts'
import type { UserRecord } from './store.ts'

const CHANGES_AN_HOUR = 5
const TOO_MANY_CHANGES = 'You have requested several email changes. Try again in an hour.'
/**
 * Mails about changes that a mailbox gets in a day: from each user with a verified address, and from
 * all others together, so that these use up nothing of a customer's.
 */
const MAILS_TO_ADDRESS = 5
const DAY_SECONDS = 24 * 3600

/** `isNeeded`: no money can be added before the address is verified. */
export type EmailStatus = {
  isVerified: boolean
  isNeeded: boolean
  pending: { email: string; until: Date } | null
}

export async function emailStatusOf(ctx: AccountsContext, userId: number): Promise<EmailStatus> {
  const user = await getUser(ctx.database.db, userId)
  const change = await findOpenChange(ctx.database.db, userId, LINK_HOURS)
  const isVerified = user.emailVerifiedAt !== null
  const until = change && new Date(change.createdAt.getTime() + LINK_HOURS * 3600_000)
  return {
    isVerified,
    isNeeded: ctx.config.requireVerifiedEmail && !isVerified,
    pending: change && until ? { email: change.newEmail, until } : null,
  }
}

/** An address for the audit: two entries about one address have the same mark. */
export const addressMark = ({ secretKey }: AccountsContext, email: string): string =>
  secretKey.sign('audit-address', emailKey(email)).slice(0, 12)

/**
 * Mails a link to the new address and, where the old one is verified, a notice with a link that
 * stops the change. An address of another account gets a mail without a link; the caller cannot
 * tell. Throws Refusal 422 for a wrong password, an invalid address and the own one,
 * 429 after five changes in an hour.
 */
export async function askEmailChange(
  ctx: AccountsContext,
  caller: Caller,
  input: { email: string; currentPassword: string },
  origin: RequestOrigin,
): Promise<void> {
  const email = input.email.trim()
  const faults = withoutNulls({
    email: emailFault(email),
    currentPassword:
      input.currentPassword === ''
        ? { code: 'required', text: 'Current Password is required' }
        : null,
  })
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const verified = await verifyCurrentPassword(ctx, caller.userId, input.currentPassword)
  const limitKey = `email-change:${caller.userId}`
  await ctx.limits.countAttempt(limitKey, CHANGES_AN_HOUR, 3600, TOO_MANY_CHANGES)
  const key = emailKey(email)
  const { emailVerifiedAt } = await getUser(ctx.database.db, caller.userId)
  const sender = emailVerifiedAt === null ? 'unverified' : caller.userId
  const isMailed = await isWithinLimit(
    ctx,
    `email-change:to:${hashForLimitKey(key)}:${sender}`,
    MAILS_TO_ADDRESS,
    DAY_SECONDS,
  )
  await ctx.database.tx(async tx => {
    const user = await lockExistingUser(tx, caller.userId)
    if ((await passwordHashOf(tx, user.id)) !== verified)
      throw refuseField('currentPassword', 'password_wrong', 'This is not your current password')
    if (emailKey(user.email) === key)
      throw refuseField('email', 'email_unchanged', 'This is already your email address')
    await storeChange(ctx, tx, user, { email, key, isMailed, sessionId: caller.sessionId })
    await insertOwnAuditEntry(tx, user.id, 'email-change-asked', {
      ...toAuditOrigin(origin),
      from: addressMark(ctx, user.email),
      to: addressMark(ctx, email),
    })
  })
}

type AskedChange = { email: string; key: string; isMailed: boolean; sessionId: number }

/** A taken address takes the same work: its link is stored and never mailed. */
async function storeChange(
  ctx: AccountsContext,
  tx: Tx,
  user: UserRecord,
  { email, key, isMailed, sessionId }: AskedChange,
): Promise<void> {
  const old =
    user.emailVerifiedAt === null ? null : { email: user.email, key: emailKey(user.email) }
  const changeId = await insertChange(tx, user.id, old, email, sessionId)
  const link = { userId: user.id, changeId, emailKey: key, hours: LINK_HOURS }
  const token = randomBytes(32).toString('base64url')
  await insertLink(tx, { ...link, purpose: 'change', tokenHash: sha256(token) })
  const owner = await findUserForLogin(tx, key)
  const isFree = !owner && !(await isAddressReserved(tx, key, user.id))
  if (isMailed && (owner || isFree))
    await ctx.mailer.enqueue(tx, {
      kind: owner ? 'email-taken' : 'email-change',
      userId: owner?.id ?? user.id,
      validHours: LINK_HOURS,
      ...(owner
        ? addressTakenMail(owner.email, `${ctx.config.publicUrl}/login`)
        : changeMail(email, emailPageLink(ctx, 'verify-email', token))),
    })
  if (old) await mailUndoLink(ctx, tx, { ...link, emailKey: old.key }, old.email, changeAskedMail)
}

async function mailUndoLink(
  ctx: AccountsContext,
  tx: Tx,
  link: { userId: number; changeId: number; emailKey: string },
  to: string,
  compose: typeof changedMail,
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  // The first of these links also undoes a change that is made at the end of its time.
  const hours = LINK_HOURS + UNDO_HOURS
  await insertLink(tx, { ...link, purpose: 'undo', tokenHash: sha256(token), hours })
  await ctx.mailer.enqueue(tx, {
    kind: 'email-notice',
    userId: link.userId,
    validHours: UNDO_HOURS,
    ...compose(to, emailPageLink(ctx, 'undo-email-change', token)),
  })
}

/** Gives up a change that waits for its link. Returns whether there was one. */
export const cancelEmailChange = (ctx: AccountsContext, { userId }: Caller): Promise<boolean> =>
  ctx.database.tx(async tx => {
    await lockExistingUser(tx, userId)
    const isCanceled = await cancelOpenChange(tx, userId)
    if (isCanceled) await insertOwnAuditEntry(tx, userId, 'email-change-canceled')
    return isCanceled
  })

/**
 * Makes the change of an opened link: the new address is verified, sessions other than the one that
 * asked end, reset links end, and a verified old address gets a link that undoes it. Throws
 * 422 for an ended link, 409 for an address that another account has meanwhile.
 */
export async function finishEmailChange(
  ctx: AccountsContext,
  { userId, changeId, tokenHash }: EmailLink & { tokenHash: Buffer },
  origin: RequestOrigin,
): Promise<void> {
  const changed = await ctx.database.tx(async tx => {
    const user = await lockUser(tx, userId)
    const change = await findChange(tx, changeId!)
    if (!user || !change) throw invalidLink()
    const key = emailKey(change.newEmail)
    if (change.state === 'done' && emailKey(user.email) === key) return null
    const isOpen = change.state === 'open' && (await findLink(tx, tokenHash))?.isUsed === false
    if (!isOpen) throw invalidLink()
    if (user.activation !== 'allow') throw blockedRefusal()
    if (!(await setEmail(tx, userId, { email: change.newEmail, key, isVerified: true })))
      throw addressTakenRefusal()
    await recordChangeDone(tx, change.id)
    await markLinksUsed(tx, userId, 'change')
    await markLinksUsed(tx, userId, 'verify')
    await invalidateResets(tx, userId)
    if (change.oldEmail !== null && change.oldEmailKey !== null) {
      const link = { userId, changeId: change.id, emailKey: change.oldEmailKey }
      await mailUndoLink(ctx, tx, link, change.oldEmail, changedMail)
    }
    const ended = await deleteSessionsOf(tx, userId, change.sessionId)
    const from = addressMark(ctx, user.email)
    const detail = { ...toAuditOrigin(origin), from, to: addressMark(ctx, change.newEmail) }
    await insertOwnAuditEntry(tx, userId, 'email-changed', detail)
    return { ended, key }
  })
  if (!changed) return
  await publishSessionsEnded(ctx, changed.ended)
  // Guesses at the address before it was this user's must not delay their sign-in.
  await ctx.limits.resetAttempts(loginLimitKey(changed.key))
}

const addressTakenRefusal = () =>
  new Refusal('email_taken', 'This address belongs to another account now. Choose another one.')

/**
 * 'This wasn't me' in the old mailbox: stops the change, or returns to the old address within 24
 * hours of it. The password no longer works, since it was known: all sessions end and a link for a
 * new one is mailed. A second click changes nothing. Throws 422 for an ended link.
 */
export async function undoEmailChange(
  ctx: AccountsContext,
  token: string,
  origin: RequestOrigin,
): Promise<void> {
  const link = await requireLink(ctx, token, ['undo'], origin)
  const passwordHash = await ctx.limitHashing(() => hashPassword(randomBytes(32).toString('hex')))
  const ended = await ctx.database.tx(async tx => {
    const user = await lockUser(tx, link.userId)
    const change = await findChange(tx, link.changeId!)
    if (!user || !change?.oldEmail || change.oldEmailKey === null) throw invalidLink()
    const isBack = emailKey(user.email) === change.oldEmailKey
    if (change.state === 'undone') {
      if (isBack) return null
      throw invalidLink()
    }
    if (!isBack && !(await mayReturnTo(tx, user.id, change.oldEmailKey, UNDO_HOURS)))
      throw invalidLink()
    const old = { email: change.oldEmail, key: change.oldEmailKey, isVerified: true }
    if (!(await setEmail(tx, user.id, old))) throw addressTakenRefusal()
    await recordUndone(tx, user.id)
    await replacePassword(tx, user.id, passwordHash)
    await mailResetLink(ctx, tx, { id: user.id, email: old.email })
    await insertOwnAuditEntry(tx, user.id, 'email-change-undone', {
      ...toAuditOrigin(origin),
      from: addressMark(ctx, change.newEmail),
      to: addressMark(ctx, old.email),
    })
    return deleteSessionsOf(tx, user.id)
  })
  if (ended) await publishSessionsEnded(ctx, ended, link.userId)
}
