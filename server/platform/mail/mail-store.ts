/** SQL of the table `mail`. Waiting emails are those without `ended_at`. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { MailKind } from '#contract/mails.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { RECEIVER_MAIL_KINDS } from './rules.ts'
import type { MailProblem } from './rules.ts'

export type NewMailRow = {
  messageId: string
  kind: MailKind
  userId: number | null
  sealed: Buffer
  written: boolean
  recipientHash: string
  recipientHint: string
  validHours: number
  delayMs: number
}

export type WaitingMail = {
  id: number
  messageId: string
  kind: MailKind
  sealed: Buffer
  attempts: number
  createdAt: Date
}

export type MailOutcome = 'sent' | 'refused' | 'expired' | 'canceled' | 'replaced' | 'unreadable'

const COLUMNS = sql`id, message_id as "messageId", kind, sealed, attempts, created_at as "createdAt"`
const NO_LEASE = sql`(lease_until is null or lease_until < clock_timestamp())`
const ERASED = sql`sealed = null, recipient_hash = null, recipient_hint = null, lease_until = null`

/**
 * The oldest ones of the same kind to the same recipient end, so that at most `max` wait. Requests,
 * which anyone can make, end no written email.
 */
export async function insertMail(tx: Tx, mail: NewMailRow, max: number): Promise<void> {
  await replaceMails(
    tx,
    sql`select id, written from mail
          where recipient_hash = ${mail.recipientHash} and kind = ${mail.kind} and ended_at is null and ${NO_LEASE}
            and written = ${mail.written}
          order by id desc offset ${max - 1} for update skip locked`,
  )
  await sql`
    insert into mail (message_id, kind, user_id, sealed, written, recipient_hash, recipient_hint, expires_at, next_attempt_at)
      values (${mail.messageId}, ${mail.kind}, ${mail.userId}, ${mail.sealed}, ${mail.written}, ${mail.recipientHash},
        ${mail.recipientHint}, now() + ${mail.validHours} * interval '1 hour',
        clock_timestamp() + ${mail.delayMs} * interval '1 millisecond')
      on conflict (message_id) do nothing`.execute(tx)
}

/** A request leaves no record: it may be for any address, and there may be many. */
async function replaceMails(db: Db, oldest: RawBuilder<unknown>): Promise<void> {
  await sql`
    with oldest as (${oldest}),
    requests as (delete from mail using oldest where mail.id = oldest.id and not oldest.written)
    update mail set ended_at = clock_timestamp(), outcome = 'replaced', ${ERASED}
      from oldest where mail.id = oldest.id and oldest.written`.execute(db)
}

/** Locks a due request until the transaction ends. */
export async function lockUnwritten(tx: Tx): Promise<WaitingMail | undefined> {
  const { rows } = await sql<WaitingMail>`
    select ${COLUMNS} from mail
      where not written and ended_at is null and next_attempt_at <= clock_timestamp() and expires_at > clock_timestamp()
      order by next_attempt_at limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

export async function saveWritten(
  tx: Tx,
  id: number,
  { userId, sealed, recipientHint }: { userId: number; sealed: Buffer; recipientHint: string },
): Promise<void> {
  await sql`
    update mail set written = true, user_id = ${userId}, sealed = ${sealed}, recipient_hint = ${recipientHint}, attempts = 0,
        problem = null, next_attempt_at = now()
      where id = ${id}`.execute(tx)
}

export async function deleteMail(tx: Tx, id: number): Promise<void> {
  await sql`delete from mail where id = ${id}`.execute(tx)
}

/**
 * Claims due emails: those to receivers last, else the one that is due longest first. `attempts` is
 * the fence of the claim.
 */
export async function claimDue(db: Db, limit: number, leaseMs: number): Promise<WaitingMail[]> {
  const { rows } = await sql<WaitingMail>`
    update mail set attempts = attempts + 1, lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      where id in (
        select id from mail
          where written and ended_at is null and next_attempt_at <= clock_timestamp() and expires_at > clock_timestamp() and ${NO_LEASE}
          order by kind = any(${RECEIVER_MAIL_KINDS}::text[]), next_attempt_at limit ${limit} for update skip locked)
      returning ${COLUMNS}`.execute(db)
  return rows
}

/** Of a claim that another one has followed nothing is recorded, except that it was sent. */
export async function recordSent(db: Db, { id }: WaitingMail): Promise<void> {
  await sql`
    update mail set ended_at = clock_timestamp(), outcome = 'sent', problem = null, ${ERASED}
      where id = ${id} and (ended_at is null or outcome <> 'sent')`.execute(db)
}

/** Ends it. The content stays until it expires, so that an administrator can have it tried again. */
export async function recordFailed(
  db: Db,
  { id, attempts }: WaitingMail,
  outcome: MailOutcome,
  problem: MailProblem,
): Promise<void> {
  await sql`
    update mail set ended_at = clock_timestamp(), outcome = ${outcome}, problem = ${problem}, lease_until = null
      where id = ${id} and attempts = ${attempts} and ended_at is null`.execute(db)
}

export async function recordRetry(
  db: Db,
  { id, attempts }: WaitingMail,
  problem: MailProblem,
  delayMs: number,
): Promise<void> {
  await sql`
    update mail set problem = ${problem}, lease_until = null,
        next_attempt_at = clock_timestamp() + ${delayMs} * interval '1 millisecond'
      where id = ${id} and attempts = ${attempts} and ended_at is null`.execute(db)
}

/** An unwritten request has no claim: its failed attempt is counted afterwards. */
export async function recordUnwritable(db: Db, id: number, delayMs: number): Promise<void> {
  await sql`
    update mail set problem = 'error', attempts = attempts + 1,
        next_attempt_at = clock_timestamp() + ${delayMs} * interval '1 millisecond'
      where id = ${id} and not written and ended_at is null`.execute(db)
}

export type ChangedMail = { kind: MailKind; userId: number | null }

/**
 * Makes a waiting email due now, and a failed one wait again while its content is there. Undefined
 * when it cannot be sent or is being sent.
 */
export async function makeDue(tx: Tx, id: number): Promise<ChangedMail | undefined> {
  const { rows } = await sql<ChangedMail>`
    update mail set next_attempt_at = clock_timestamp(), ended_at = null, outcome = null
      where id = ${id} and sealed is not null and expires_at > clock_timestamp() and ${NO_LEASE}
        and (ended_at is null or outcome = 'refused')
      returning kind, user_id as "userId"`.execute(tx)
  return rows[0]
}

/** Also of a failed one, which is no longer listed then. Undefined when it was or is being sent. */
export async function recordCanceled(tx: Tx, id: number): Promise<ChangedMail | undefined> {
  const { rows } = await sql<ChangedMail>`
    update mail set ended_at = clock_timestamp(), outcome = 'canceled', ${ERASED}
      where id = ${id} and ${NO_LEASE} and (ended_at is null or outcome in ('refused', 'expired', 'unreadable'))
      returning kind, user_id as "userId"`.execute(tx)
  return rows[0]
}

/** How many of a kind wait, counted up to `limit`. */
export async function countWaiting(db: Db, kind: MailKind, limit: number): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from (
      select 1 from mail where written and ended_at is null and kind = ${kind} limit ${limit}) waiting`.execute(
    db,
  )
  return rows[0]!.many
}

/** Ends what waits for a user who is deleted, and erases what is left of the rest. */
export async function eraseMailsOf(tx: Tx, userId: number): Promise<void> {
  await sql`
    update mail set ended_at = coalesce(ended_at, clock_timestamp()), outcome = coalesce(outcome, 'canceled'), ${ERASED}
      where user_id = ${userId} and sealed is not null`.execute(tx)
}

/**
 * Ends expired emails and, of each kind, the oldest beyond `maxWaiting`; erases the content of
 * failed ones when it has expired; deletes records after `keepDays`.
 */
export async function tidyMails(db: Db, maxWaiting: number, keepDays: number): Promise<void> {
  await sql`
    update mail set ended_at = clock_timestamp(), outcome = 'expired', ${ERASED}
      where ended_at is null and expires_at <= clock_timestamp() and ${NO_LEASE}`.execute(db)
  await replaceMails(
    db,
    sql`select id, written from mail
          where ended_at is null and ${NO_LEASE} and id in (
            select id from (
              select id, row_number() over (partition by kind order by id desc) as place from mail where ended_at is null) waiting
              where place > ${maxWaiting})
          for update skip locked`,
  )
  await sql`
    update mail set ${ERASED} where ended_at is not null and sealed is not null and expires_at <= clock_timestamp()`.execute(
    db,
  )
  await sql`delete from mail where ended_at < now() - ${keepDays} * interval '1 day'`.execute(db)
}

export type MailLevels = { waiting: number; oldestSeconds: number; failed: number }

/**
 * `failed`: ended without being sent in the last three days, except receivers' addresses that were
 * refused.
 */
export async function readMailLevels(db: Db): Promise<MailLevels> {
  const { rows } = await sql<MailLevels>`
    select count(*) filter (where ended_at is null) as waiting,
           coalesce(extract(epoch from now() - min(created_at) filter (where ended_at is null)), 0)::float8 as "oldestSeconds",
           count(*) filter (where outcome in ('refused', 'expired', 'unreadable')
             and not (outcome = 'refused' and kind = any(${RECEIVER_MAIL_KINDS}::text[]))) as failed
      from mail where ended_at is null or ended_at > now() - interval '3 days'`.execute(db)
  return rows[0]!
}
