/** The doctor's checks of waiting emails and of unexpected ends of the server. */
import type pg from 'pg'
import { countText, plural } from '#contract/format.ts'
import type { Config } from '#server/platform/config.ts'
import { MAIL_PROBLEM_TEXTS, RECEIVER_MAIL_KINDS } from '#server/platform/mail/rules.ts'
import type { MailProblem } from '#server/platform/mail/rules.ts'
import type { UnexpectedEnd } from '#server/platform/process/unexpected-ends.ts'
import type { Finding } from './data-checks.ts'

/** The sender of an installation that has not set one, whose domain no mail server knows. */
export const checkMailSender = ({
  smtpUrl,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): Finding[] =>
  smtpUrl !== undefined && mailFrom.endsWith('@evenpost.local')
    ? [
        {
          isOk: false,
          text:
            `Emails: they are sent from ${mailFrom}, which mail servers refuse or take for spam. `
            + 'Set MAIL_FROM to an address of your domain.',
        },
      ]
    : []

type OverdueMails = { problem: MailProblem | null; failed: boolean; count: number; oldest: Date }

/** Emails that wait for over 5 minutes, or failed within three days, by reason; not those that a receiver's address has refused. */
export async function checkMails(pool: pg.Pool): Promise<Finding[]> {
  const { rows } = await pool.query<OverdueMails>(
    `
    select problem, ended_at is not null as failed, count(*)::int as count, min(created_at) as oldest from mail
      where (ended_at is null and created_at < now() - interval '5 minutes')
        or (outcome in ('refused', 'expired', 'unreadable') and ended_at > now() - interval '3 days'
          and not (outcome = 'refused' and kind = any($1)))
      group by 1, 2 order by oldest`,
    [RECEIVER_MAIL_KINDS],
  )
  if (rows.length === 0) return [{ isOk: true, text: 'Emails: none waits' }]
  return rows.map(({ problem, failed, count, oldest }) => {
    const state = failed
      ? 'could not be sent'
      : `${plural(count, 'waits', 'wait')} since ${oldest.toISOString()}`
    const reason = problem
      ? MAIL_PROBLEM_TEXTS[problem]
      : 'Is a process that serves pages running (ROLE=all or web)?'
    const more = "The administrator's dashboard lists them."
    return { isOk: false, text: `Emails: ${count} ${state}. ${reason} ${more}` }
  })
}

const DAY_MS = 24 * 60 * 60 * 1000
const SHOWN_DAYS = 30

/** A problem for a day after the last one. */
export function checkUnexpectedEnds(ends: UnexpectedEnd[], now: Date): Finding {
  const recent = ends.filter(({ at }) => now.getTime() - Date.parse(at) < SHOWN_DAYS * DAY_MS)
  const last = recent.at(-1)
  if (!last)
    return { isOk: true, text: `Process: no unexpected end in the last ${SHOWN_DAYS} days` }
  const how = last.signal ?? `exit code ${last.code}`
  const text = `Process: ${countText(recent.length, 'unexpected end')} in the last ${SHOWN_DAYS} days, the last one at ${last.at} (${how})`
  if (now.getTime() - Date.parse(last.at) > DAY_MS) return { isOk: true, text }
  const remedy =
    last.signal === 'SIGKILL'
      ? 'SIGKILL often means that the machine had no memory left: its system log says so.'
      : 'The output of npm start says why, just before it says that it starts again.'
  return { isOk: false, text: `${text}. ${remedy}` }
}
