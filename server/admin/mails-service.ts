import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import type { Context } from '#server/platform/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Caller } from '#server/platform/http/router.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { selectOpenMails } from './mails-store.ts'
import type { OpenMailRow } from './mails-store.ts'

export type MailContext = Context & { mailer: Mailer }

/** Emails that wait or failed, oldest first; pages count from 1. */
export const findOpenMails = (
  { database }: Context,
  onlyOverdue: boolean,
  page: number,
  limit: number,
): Promise<{ rows: OpenMailRow[]; total: number }> =>
  selectOpenMails(database.db, onlyOverdue, (page - 1) * limit, limit)

/**
 * Has an email sent now, also one that was refused. Throws Refusal 409 when it was sent, has
 * expired or is being sent.
 */
export async function retryMailNow(ctx: MailContext, caller: Caller, id: number): Promise<void> {
  await changeMail(ctx, caller, id, 'mail-retried', ctx.mailer.tryNow)
}

/** Throws Refusal 409 when it was sent or is being sent. */
export async function cancelOpenMail(ctx: MailContext, caller: Caller, id: number): Promise<void> {
  await changeMail(ctx, caller, id, 'mail-canceled', ctx.mailer.cancel)
}

async function changeMail(
  ctx: MailContext,
  caller: Caller,
  id: number,
  action: 'mail-retried' | 'mail-canceled',
  change: Mailer['cancel'],
): Promise<void> {
  await ctx.database.tx(async tx => {
    const mail = await change(tx, id)
    if (!mail)
      throw new Refusal(
        'already_done',
        'This email was sent, is being sent, or can no longer be sent.',
      )
    await insertAuditEntry(tx, {
      actorId: actorIdOf(caller),
      subjectId: mail.userId,
      action,
      detail: { kind: mail.kind },
    })
  })
}
