/** Links that prove a mailbox, and how they are mailed. */
import { randomBytes } from 'node:crypto'
import type { Tx } from '#server/platform/database/database.ts'
import type { Mail } from '#server/platform/mail/mailer.ts'
import { verifyMail } from './email-mails.ts'
import { insertLink } from './email-store.ts'
import { emailKey } from './rules.ts'
import type { AccountsContext } from './service.ts'
import { sha256 } from './sessions.ts'

export const LINK_HOURS = 72

type MailedUser = { id: number; email: string }

/** Mails a link to the user's address, in the transaction that creates or changes the user. */
export async function mailVerifyLink(
  ctx: AccountsContext,
  tx: Tx,
  { id, email }: MailedUser,
  compose: (to: string, link: string) => Mail = verifyMail,
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  await insertLink(tx, {
    tokenHash: sha256(token),
    userId: id,
    purpose: 'verify',
    changeId: null,
    emailKey: emailKey(email),
    hours: LINK_HOURS,
  })
  const mail = compose(email, emailPageLink(ctx, 'verify-email', token))
  await ctx.mailer.enqueue(tx, {
    kind: 'verify-email',
    userId: id,
    validHours: LINK_HOURS,
    ...mail,
  })
}

/** Behind `#` no proxy logs the token. */
export const emailPageLink = (
  { config }: AccountsContext,
  page: 'verify-email' | 'undo-email-change',
  token: string,
): string => `${config.publicUrl}/${page}#token=${token}`
