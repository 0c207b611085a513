/** Links that prove that a mailbox is the user's: docs/decisions/0037-addresses-are-proven-by-links.md. */
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { insertOwnAuditEntry } from './audit-store.ts'
import { toAuditOrigin, writeAudit } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { mailVerifyLink } from './email-links.ts'
import { findLink, markLinksUsed, recentVerifyLinks } from './email-store.ts'
import type { EmailLink } from './email-store.ts'
import { emailKey } from './rules.ts'
import { lockExistingUser } from './service.ts'
import type { AccountsContext } from './service.ts'
import { sha256 } from './sessions.ts'
import { QUARTER_HOUR } from './sign-in-limits.ts'
import { lockUser, updateUser } from './store.ts'

/** Links of two hours after which no further one is sent while one of them is valid. */
const RECENT_LINKS = 3
const WRONG_LINKS = 20

/**
 * Mails another link, silently none after three in two hours while one is valid. False when the
 * address is verified already.
 */
export const resendVerifyLink = (ctx: AccountsContext, userId: number): Promise<boolean> =>
  ctx.database.tx(async tx => {
    const user = await lockExistingUser(tx, userId)
    if (user.emailVerifiedAt !== null) return false
    const { recent, hasValid } = await recentVerifyLinks(tx, userId, emailKey(user.email))
    if (!hasValid || recent < RECENT_LINKS) await mailVerifyLink(ctx, tx, user)
    return true
  })

/**
 * The link of a token, or Refusal 422 for an unknown, expired or foreign one;
 * 429 for many wrong links of one network.
 */
export async function requireLink(
  ctx: AccountsContext,
  token: string,
  purposes: readonly EmailLink['purpose'][],
  origin: RequestOrigin,
): Promise<EmailLink & { tokenHash: Buffer }> {
  const tokenHash = sha256(token)
  const link = await findLink(ctx.database.db, tokenHash)
  if (link && purposes.includes(link.purpose)) return { ...link, tokenHash }
  await ctx.limits.countAttempt(`email-link:address:${origin.network}`, WRONG_LINKS, QUARTER_HOUR)
  await writeAudit(ctx, {
    actorId: null,
    subjectId: null,
    action: 'email-link-denied',
    detail: toAuditOrigin(origin),
  })
  throw invalidLink()
}

export const invalidLink = () => {
  const text = 'This link has been used or has expired. Request a new one.'
  return refuseField('token', 'link_not_valid', text)
}

/** A second click changes nothing. Throws 422 when the user has another address now. */
export async function verifyAddress(
  ctx: AccountsContext,
  { userId, emailKey: key }: EmailLink,
  origin: RequestOrigin,
): Promise<void> {
  await ctx.database.tx(async tx => {
    const user = await lockUser(tx, userId)
    if (!user || emailKey(user.email) !== key) throw invalidLink()
    if (user.emailVerifiedAt !== null) return
    await updateUser(tx, userId, { emailVerifiedAt: new Date() })
    await markLinksUsed(tx, userId, 'verify')
    await insertOwnAuditEntry(tx, userId, 'email-verified', toAuditOrigin(origin))
  })
}

/** Refusal 'email_unverified' where an address must be verified, before `what` ('you add money'). */
export function requireVerifiedEmail(
  requireVerified: boolean,
  user: { emailVerifiedAt: Date | null },
  what = 'you add money',
): void {
  if (!requireVerified || user.emailVerifiedAt !== null) return
  throw new Refusal(
    'email_unverified',
    `Verify your email address before ${what}. The Account page sends you the link again.`,
  )
}
