/** Mails to receivers: due with the event of the parcel, decided on soon after. */
import { sql } from 'kysely'
import { isUnderWay } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { ReceiverMailKind } from './tables.ts'

/** Null without a mail: before the first scan, and for parcels that do not arrive. */
function mailKindFor(status: TrackingStatus): ReceiverMailKind | null {
  if (status === 'delivered') return 'delivered'
  return isUnderWay(status) && status !== 'return_to_sender' && status !== 'failure'
    ? 'on-the-way'
    : null
}

/** For valid labels with a receiver's address whose seller has switched mails on; each kind once. */
export async function insertReceiverMails(
  tx: Tx,
  parcels: readonly { id: number; status: TrackingStatus }[],
): Promise<void> {
  const due = parcels.flatMap(({ id, status }) => {
    const kind = mailKindFor(status)
    return kind ? [{ id, kind }] : []
  })
  if (due.length === 0) return
  await sql`
    insert into receiver_mail (order_id, kind, user_id)
      select o.id, d.kind, o.user_id
        from unnest(${due.map(({ id }) => id)}::bigint[], ${due.map(({ kind }) => kind)}::text[]) as d (id, kind)
          join shipment_order o on o.id = d.id
          join parcel_page_setting s on s.user_id = o.user_id
        where s.mails_receivers and o.state = 'purchased' and o.receiver ->> 'email' <> ''
      on conflict do nothing`.execute(tx)
}

/**
 * `email`: null where the mail is no longer wanted: the label is void, or the seller switched mails
 * off. `isLate`: due for so long that it is no news.
 */
export type DueReceiverMail = {
  orderId: number
  kind: ReceiverMailKind
  userId: number
  email: string | null
  pageToken: string | null
  isLate: boolean
}

/** Locked until the transaction ends. */
export async function lockDueReceiverMails(tx: Tx, most: number): Promise<DueReceiverMail[]> {
  const { rows } = await sql<DueReceiverMail>`
    select m.order_id as "orderId", m.kind, m.user_id as "userId", p.page_token as "pageToken",
        case when s.mails_receivers and o.state = 'purchased' then o.receiver ->> 'email' end as email,
        m.due_at < clock_timestamp() - interval '1 day' as "isLate"
      from receiver_mail m
        join shipment_order o on o.id = m.order_id
        join parcel_tracking p on p.order_id = m.order_id
        left join parcel_page_setting s on s.user_id = m.user_id
      where m.decided_at is null order by m.due_at limit ${most} for update of m skip locked`.execute(
    tx,
  )
  return rows
}

/** 'off': also for an address that the sandbox sends nothing to, and for a mail that failed or is late. */
export type ReceiverMailOutcome = 'mailed' | 'stopped' | 'limited' | 'off'

/** A decision that was recorded stays. */
export async function recordReceiverMail(
  tx: Tx,
  { orderId, kind }: Pick<DueReceiverMail, 'orderId' | 'kind'>,
  outcome: ReceiverMailOutcome,
  recipientHash: string | null,
): Promise<void> {
  await sql`
    update receiver_mail set decided_at = clock_timestamp(), outcome = ${outcome}, recipient_hash = ${recipientHash}
      where order_id = ${orderId} and kind = ${kind} and decided_at is null`.execute(tx)
}

/** Of the last 24 hours, up to the limits. */
export async function countMailed(
  tx: Tx,
  { userId, recipientHash }: { userId: number; recipientHash: string },
  limits: { ofSeller: number; ofRecipient: number },
): Promise<{ ofSeller: number; ofRecipient: number }> {
  const { rows } = await sql<{ ofSeller: number; ofRecipient: number }>`
    select
      (select count(*) from (select 1 from receiver_mail
          where user_id = ${userId} and outcome = 'mailed' and decided_at > clock_timestamp() - interval '1 day'
          limit ${limits.ofSeller}) s)::int as "ofSeller",
      (select count(*) from (select 1 from receiver_mail
          where recipient_hash = ${recipientHash} and outcome = 'mailed' and decided_at > clock_timestamp() - interval '1 day'
          limit ${limits.ofRecipient}) r)::int as "ofRecipient"`.execute(tx)
  return rows[0]!
}

/** Decisions about one address wait for each other, so that its limit and its stop hold. */
export async function lockRecipient(tx: Tx, recipientHash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`receiver-mail:${recipientHash}`}, 0))`.execute(
    tx,
  )
}

export async function isStopped(db: Db, recipientHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('receiver_stop')
    .select('recipient_hash')
    .where('recipient_hash', '=', recipientHash)
    .executeTakeFirst()
  return row !== undefined
}

/** False for an address that no mail was sent to. A second stop changes nothing. */
export async function insertStop(tx: Tx, recipientHash: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from receiver_mail where recipient_hash = ${recipientHash} limit 1`.execute(tx)
  if (rows.length === 0) return false
  await tx
    .insertInto('receiver_stop')
    .values({ recipient_hash: recipientHash })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return true
}
