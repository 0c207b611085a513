/** Administrators create users by invitation, correct addresses and send reset links. */
import { randomBytes } from 'node:crypto'
import { REASON_MAX } from '#contract/accounts.ts'
import type { InvitedRole } from '#contract/email-ownership.ts'
import { ZERO } from '#contract/money.ts'
import { lockWallets, walletOf } from '#server/ledger/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { eraseUser } from './administration.ts'
import { insertAuditEntry } from './audit-store.ts'
import { isWithinLimit } from './audit.ts'
import { addressMark } from './email-change.ts'
import { LINK_HOURS, mailVerifyLink } from './email-links.ts'
import { correctedMail, correctedVerifyMail, invitationMail } from './email-mails.ts'
import { deleteEmailRecords, setEmail } from './email-store.ts'
import { invalidateResets } from './password-reset-store.ts'
import { issueResetLink, mailResetLink } from './password-reset.ts'
import { hashPassword } from './password.ts'
import { emailFault, emailKey, personNameFault, reasonFault, withoutNulls } from './rules.ts'
import { createUser, emailTakenRefusal, lockExistingUser, withWallet } from './service.ts'
import type { AccountsContext, UserWithWallet } from './service.ts'
import { deleteSessionsOf } from './session-store.ts'
import { publishSessionsEnded } from './sessions.ts'
import { anonymizeUser, findUserForLogin, updateUser } from './store.ts'

/** A second click within this time sends nothing. */
const CLICK_SECONDS = 60

export type NewInvitation = { name: string; email: string; role: InvitedRole }

/**
 * Creates a user with a random password and mails a link to choose another. The same
 * invitation by a second click within a minute is answered and creates nothing. Throws Refusal
 * 422 for invalid fields, 409 for a taken address.
 */
export async function inviteUser(
  ctx: AccountsContext,
  actor: Caller,
  input: NewInvitation,
): Promise<UserWithWallet> {
  const name = input.name.trim()
  const email = input.email.trim()
  const faults = withoutNulls({ name: personNameFault(name), email: emailFault(email) })
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const passwordHash = await ctx.limitHashing(() => hashPassword(randomBytes(32).toString('hex')))
  const user = await ctx.database.tx(async tx => {
    const created = await createUser(tx, {
      name,
      email,
      passwordHash,
      referredBy: null,
      role: input.role,
      invitedAt: new Date(),
    })
    if (!created) {
      const existing = await findUserForLogin(tx, emailKey(email))
      const isSecondClick =
        existing?.name === name
        && existing.role === input.role
        && existing.invitedAt !== null
        && existing.invitedAt.getTime() > Date.now() - CLICK_SECONDS * 1000
      if (isSecondClick) return existing
      throw emailTakenRefusal()
    }
    await mailInvitation(ctx, tx, created)
    await insertAuditEntry(tx, {
      actorId: actor.userId,
      subjectId: created.id,
      action: 'user-invited',
      detail: { role: input.role },
    })
    return created
  })
  return withWallet(ctx.database.db, user)
}

/** The earlier link ends. `&invited` chooses the words of the page. */
async function mailInvitation(
  ctx: AccountsContext,
  tx: Tx,
  { id, email }: { id: number; email: string },
): Promise<void> {
  await invalidateResets(tx, id)
  const link = await issueResetLink(ctx, tx, id, LINK_HOURS)
  await ctx.mailer.enqueue(tx, {
    kind: 'invitation',
    userId: id,
    validHours: LINK_HOURS,
    ...invitationMail(email, `${link}&invited=1`),
  })
}

/** Throws 409 once it was accepted, and for a blocked user, whom its link would not let in. */
export async function resendInvitation(
  ctx: AccountsContext,
  actor: Caller,
  userId: number,
): Promise<void> {
  await onClick(ctx, `invitation:${userId}`, async (tx, isFirst) => {
    const user = await lockExistingUser(tx, userId)
    if (user.invitedAt === null) throw acceptedRefusal()
    if (user.activation !== 'allow') throw allowFirstRefusal()
    if (!isFirst) return
    await updateUser(tx, userId, { invitedAt: new Date() })
    await mailInvitation(ctx, tx, user)
    const action = 'invitation-resent'
    await insertAuditEntry(tx, { actorId: actor.userId, subjectId: userId, action })
  })
}

/** A click that failed or was refused does not count, so that the next one is the first. */
async function onClick(
  ctx: AccountsContext,
  key: string,
  work: (tx: Tx, isFirst: boolean) => Promise<void>,
): Promise<void> {
  const isFirst = await isWithinLimit(ctx, key, 1, CLICK_SECONDS)
  try {
    await ctx.database.tx(tx => work(tx, isFirst))
  } catch (error) {
    if (isFirst) await ctx.limits.resetAttempts(key)
    throw error
  }
}

/** Deletes the account. Throws 409 once it was accepted, and for one with a balance. */
export async function cancelInvitation(
  ctx: AccountsContext,
  actor: Caller,
  userId: number,
): Promise<void> {
  await ctx.database.tx(async tx => {
    const user = await lockExistingUser(tx, userId)
    if (user.invitedAt === null) throw acceptedRefusal()
    await anonymizeUser(tx, userId)
    await lockWallets(tx, [userId])
    const { available, held } = await walletOf(tx, userId)
    if (available !== ZERO || held !== ZERO)
      throw new Refusal('balance_left', 'This user has a balance. Set it to $0 or delete the user.')
    await eraseUser(ctx, tx, userId)
    const action = 'invitation-canceled'
    await insertAuditEntry(tx, { actorId: actor.userId, subjectId: userId, action })
  })
  await publishSessionsEnded(ctx, [], userId)
}

const acceptedRefusal = () =>
  new Refusal('already_done', 'This user has already accepted the invitation.')

const allowFirstRefusal = () =>
  new Refusal('user_blocked', 'This user is blocked. Allow them first.')

/** Throws 409 for a blocked user and for one who has not accepted the invitation. */
export async function sendResetLink(
  ctx: AccountsContext,
  actor: Caller,
  userId: number,
): Promise<void> {
  await onClick(ctx, `reset-link:${userId}`, async (tx, isFirst) => {
    const user = await lockExistingUser(tx, userId)
    if (user.activation !== 'allow') throw allowFirstRefusal()
    if (user.invitedAt !== null)
      throw new Refusal(
        'invitation_open',
        'This user is invited and has no password yet. Send the invitation again.',
      )
    if (!isFirst) return
    await mailResetLink(ctx, tx, user)
    const action = 'reset-link-sent'
    await insertAuditEntry(tx, { actorId: actor.userId, subjectId: userId, action })
  })
}

/**
 * Replaces the address at once and mails a link that verifies it; an invited user gets the
 * invitation there. Sessions and all earlier links end; a verified old address gets a notice. A
 * double click counts once. Throws Refusal 422
 * for invalid fields, 403 for an administrator, 409 for a taken address and a blocked invited user.
 */
export async function correctEmail(
  ctx: AccountsContext,
  actor: Caller,
  userId: number,
  input: { email: string; reason: string },
): Promise<UserWithWallet> {
  const email = input.email.trim()
  const key = emailKey(email)
  const reason = input.reason.trim()
  const faults = withoutNulls({
    email: emailFault(email),
    reason:
      reason === ''
        ? { code: 'required', text: 'Reason is required' }
        : reasonFault(reason.slice(0, REASON_MAX)),
  })
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const { user, ended } = await ctx.database.tx(async tx => {
    const current = await lockExistingUser(tx, userId)
    // Otherwise one administrator could take the account of the second who confirms.
    if (current.role === 'admin')
      throw new Refusal(
        'not_for_administrators',
        'An administrator changes their address on the Account page.',
      )
    if (emailKey(current.email) === key) return { user: current }
    if (current.invitedAt !== null && current.activation !== 'allow') throw allowFirstRefusal()
    if (!(await setEmail(tx, userId, { email, key, isVerified: false }))) throw emailTakenRefusal()
    await deleteEmailRecords(tx, userId)
    await invalidateResets(tx, userId)
    if (current.invitedAt !== null) await mailInvitation(ctx, tx, { id: userId, email })
    else await mailVerifyLink(ctx, tx, { id: userId, email }, correctedVerifyMail)
    if (current.emailVerifiedAt !== null)
      await ctx.mailer.enqueue(tx, {
        kind: 'email-notice',
        userId,
        ...correctedMail(current.email, ctx.config.publicUrl),
      })
    await insertAuditEntry(tx, {
      actorId: actor.userId,
      subjectId: userId,
      action: 'email-corrected',
      detail: { from: addressMark(ctx, current.email), to: addressMark(ctx, email), reason },
    })
    const changed = { ...current, email, emailVerifiedAt: null }
    return { user: changed, ended: await deleteSessionsOf(tx, userId) }
  })
  if (ended) await publishSessionsEnded(ctx, ended, userId)
  return withWallet(ctx.database.db, user)
}
