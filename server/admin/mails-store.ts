import { sql } from 'kysely'
import type { MailKind } from '#contract/mails.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import type { Db } from '#server/platform/database/database.ts'
import { RECEIVER_MAIL_KINDS } from '#server/platform/mail/rules.ts'
import type { MailProblem } from '#server/platform/mail/rules.ts'
import type { Backlog } from './dashboard-store.ts'

/** Waiting or, with an `outcome`, failed for good. */
export type OpenMailRow = {
  id: number
  kind: MailKind
  user: UserRef | null
  recipient: string | null
  createdAt: Date
  expiresAt: Date
  nextAttemptAt: Date
  attempts: number
  problem: MailProblem | null
  outcome: 'refused' | 'expired' | 'unreadable' | null
  retryable: boolean
}

const FAILED = sql`(m.outcome in ('refused', 'expired', 'unreadable') and m.ended_at > now() - interval '3 days'
  and not (m.outcome = 'refused' and m.kind = any(${RECEIVER_MAIL_KINDS}::text[])))`
const OPEN = sql`(m.ended_at is null or ${FAILED})`
const OVERDUE = sql`((m.ended_at is null and m.created_at < now() - interval '5 minutes') or ${FAILED})`

/** Oldest first. */
export async function selectOpenMails(
  db: Db,
  onlyOverdue: boolean,
  offset: number,
  limit: number,
): Promise<{ rows: OpenMailRow[]; total: number }> {
  const condition = onlyOverdue ? OVERDUE : OPEN
  const { rows } = await sql<OpenMailRow>`
    select m.id, m.kind, m.recipient_hint as recipient, m.created_at as "createdAt", m.expires_at as "expiresAt",
           m.next_attempt_at as "nextAttemptAt", m.attempts, m.problem, m.outcome,
           m.sealed is not null and m.expires_at > now() and m.outcome is distinct from 'unreadable' as retryable,
           case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as user
      from mail m left join app_user u on u.id = m.user_id
      where ${condition} order by m.created_at, m.id limit ${limit} offset ${offset}`.execute(db)
  return { rows, total: (await countMails(db, condition)).count }
}

const countMails = async (db: Db, condition: typeof OPEN): Promise<Backlog> => {
  const { rows } = await sql<Backlog>`
    select count(*) as count, min(m.created_at) as oldest from mail m where ${condition}`.execute(
    db,
  )
  return rows[0]!
}

/** Emails that wait for over 5 minutes or could not be sent. */
export const countOverdueMails = (db: Db): Promise<Backlog> => countMails(db, OVERDUE)
