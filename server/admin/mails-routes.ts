import type { OpenMail } from '#contract/mails.ts'
import { cancelMail, listMails, MAIL_KIND_NAMES, retryMail } from '#contract/mails.ts'
import { personWire } from '#server/accounts/wire.ts'
import type { Router } from '#server/platform/http/router.ts'
import { MAIL_PROBLEM_TEXTS } from '#server/platform/mail/rules.ts'
import { cancelOpenMail, findOpenMails, retryMailNow } from './mails-service.ts'
import type { MailContext } from './mails-service.ts'
import type { OpenMailRow } from './mails-store.ts'

export function registerMailRoutes(router: Router, ctx: MailContext): void {
  router.handle(listMails, async ({ query }) => {
    const { due, page, limit } = query
    const { rows, total } = await findOpenMails(ctx, due === 'overdue', page, limit)
    return { mails: rows.map(openMailWire), totalCount: total }
  })

  router.handle(retryMail, async ({ params, caller }) => {
    await retryMailNow(ctx, caller, Number(params.id))
    return { ok: true, message: 'The email is being sent' }
  })

  router.handle(cancelMail, async ({ params, caller }) => {
    await cancelOpenMail(ctx, caller, Number(params.id))
    return { ok: true, message: 'The email is canceled' }
  })
}

const openMailWire = (row: OpenMailRow): OpenMail => ({
  _id: String(row.id),
  kind: MAIL_KIND_NAMES[row.kind] ?? row.kind,
  recipient: row.recipient,
  user: row.user && personWire(row.user),
  since: row.createdAt.toISOString(),
  attempts: row.attempts,
  nextAttempt: row.outcome === null ? row.nextAttemptAt.toISOString() : null,
  why: whyText(row),
  expires: row.expiresAt.toISOString(),
  failed: row.outcome !== null,
  retryable: row.retryable,
})

function whyText({ problem, outcome }: OpenMailRow): string | null {
  const reason = problem && MAIL_PROBLEM_TEXTS[problem]
  if (outcome !== 'expired') return reason
  return `It could not be sent in time.${reason ? ` ${reason}` : ''}`
}
