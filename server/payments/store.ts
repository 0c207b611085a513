import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { InvoiceStatus } from '#contract/payments.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { AdditionalStatus, PaymentProvider, ProviderInvoice } from './port.ts'

/**
 * Our record of an invoice. `externalId`: the provider's id; null until the provider has responded.
 */
export type InvoiceRow = {
  id: number
  userId: number
  provider: PaymentProvider['name']
  reference: string
  externalId: string | null
  status: InvoiceStatus
  additionalStatus: AdditionalStatus
  paid: Cents
  confirmed: Cents
  credited: Cents
  creditCount: number
  reversed: Cents
  reversalCount: number
  needsReview: boolean
  reviewedAs: string | null
  checkoutLink: string
  /** What the user wanted to add; null when no amount was named. It decides no credit. */
  requested: Cents | null
  createdAt: Date
  expiresAt: Date
  settledAt: Date | null
  lastLookup: number
  createAttempts: number
  /** Since when the provider no longer knows the invoice. */
  lostAt: Date | null
}

export type IssuedInvoice = InvoiceRow & { externalId: string }

const COLUMNS = sql`id, user_id as "userId", provider, reference, external_id as "externalId", status,
  additional_status as "additionalStatus", paid_cents as paid, confirmed_cents as confirmed, credited_cents as credited,
  credit_count as "creditCount", reversed_cents as reversed, reversal_count as "reversalCount", needs_review as "needsReview",
  reviewed_state as "reviewedAs", settled_at as "settledAt", requested_cents as requested,
  checkout_link as "checkoutLink", created_at as "createdAt", expires_at as "expiresAt", last_lookup as "lastLookup",
  create_attempts as "createAttempts", lost_at as "lostAt"`

async function queryInvoice(db: Db, query: RawBuilder<unknown>): Promise<InvoiceRow | undefined> {
  const { rows } = await query.execute(db)
  return rows[0] as InvoiceRow | undefined
}

const queryIssued = async (tx: Tx, query: RawBuilder<unknown>): Promise<IssuedInvoice> =>
  (await queryInvoice(tx, query)) as IssuedInvoice

export const findOpenInvoice = (db: Db, userId: number): Promise<InvoiceRow | undefined> =>
  queryInvoice(
    db,
    sql`select ${COLUMNS} from invoice where user_id = ${userId} and status = 'New' and paid_cents = 0`,
  )

/**
 * Undefined if the user has an open unpaid invoice. Expires in 15 minutes until the provider sets
 * another expiry.
 */
export const insertInvoice = (
  tx: Tx,
  userId: number,
  provider: PaymentProvider['name'],
  requested: Cents | null,
): Promise<InvoiceRow | undefined> =>
  queryInvoice(
    tx,
    sql`insert into invoice (user_id, provider, requested_cents, expires_at)
      values (${userId}, ${provider}, ${requested}, now() + interval '15 minutes')
    on conflict (user_id) where status = 'New' and paid_cents = 0 do nothing returning ${COLUMNS}`,
  )

/**
 * Closes an open unpaid invoice here, because the user asks for another amount. The provider still
 * accepts a payment, so look-ups go on and credit it.
 */
export async function setAsideInvoice(tx: Tx, id: number): Promise<void> {
  await sql`update invoice set status = 'Expired' where id = ${id} and status = 'New' and paid_cents = 0`.execute(
    tx,
  )
}

export const findInvoice = (db: Db, id: number): Promise<InvoiceRow | undefined> =>
  queryInvoice(db, sql`select ${COLUMNS} from invoice where id = ${id}`)

export const findByExternalId = (
  db: Db,
  provider: string,
  externalId: string,
): Promise<InvoiceRow | undefined> =>
  queryInvoice(
    db,
    sql`select ${COLUMNS} from invoice where provider = ${provider} and external_id = ${externalId}`,
  )

/**
 * Claims the creation at the provider, or its look-up by reference, for 30 seconds, enough for two
 * requests of 10 seconds. Undefined if it is claimed, the invoice is issued or its status is none of
 * `statuses`.
 */
export const claimCreation = (
  tx: Tx,
  id: number,
  statuses: readonly InvoiceStatus[],
): Promise<InvoiceRow | undefined> =>
  queryInvoice(
    tx,
    sql`update invoice set creating_until = now() + interval '30 seconds', create_attempts = create_attempts + 1
    where id = ${id} and external_id is null and status = any(${statuses}::text[])
      and (creating_until is null or creating_until < now())
    returning ${COLUMNS}`,
  )

export async function releaseCreation(tx: Tx, id: number): Promise<void> {
  await sql`update invoice set creating_until = clock_timestamp() - interval '1 millisecond'
    where id = ${id} and external_id is null`.execute(tx)
}

/** Stores the provider's id; undefined if the record has one. */
export const saveIssuedInvoice = (
  tx: Tx,
  id: number,
  issued: ProviderInvoice,
): Promise<IssuedInvoice | undefined> =>
  queryIssued(
    tx,
    sql`update invoice set external_id = ${issued.id}, checkout_link = ${issued.checkoutLink}, expires_at = ${issued.expiresAt},
      creating_until = null, next_lookup_at = now() + interval '1 minute'
    where id = ${id} and external_id is null returning ${COLUMNS}`,
  )

/** Expires an invoice that was never created at the provider. False if it is not due yet. */
export async function expireUnissued(tx: Tx, id: number): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update invoice set status = 'Expired', next_lookup_at = null, creating_until = null
    where id = ${id} and external_id is null and expires_at <= now()`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/** A sequence orders look-ups by their start, independent of clocks; `now` is the database's. */
export async function drawLookupNumber(db: Db): Promise<{ lookup: number; now: Date }> {
  const { rows } = await sql<{ lookup: number; now: Date }>`
    select nextval('invoice_lookup') as lookup, clock_timestamp() as now`.execute(db)
  return rows[0]!
}

export const lockInvoice = (tx: Tx, id: number): Promise<IssuedInvoice> =>
  queryIssued(tx, sql`select ${COLUMNS} from invoice where id = ${id} for update`)

/** `settledAt`: when a look-up first found it settled. */
export type LookupResult = {
  credit: Cents
  review: boolean
  settledAt: Date | null
  nextLookupAt: Date
}

/**
 * Records a look-up and its credit. An invoice that was set aside stays 'Expired' while it is
 * unpaid. A replaced payment makes an invoice 'New' again; if its owner has another open invoice by
 * then (at most one is allowed), it is set aside if it was 'New', and else keeps its status until the
 * provider reports another one.
 */
export const recordLookup = (
  tx: Tx,
  id: number,
  lookup: number,
  remote: ProviderInvoice,
  result: LookupResult,
): Promise<IssuedInvoice> =>
  queryIssued(
    tx,
    sql`update invoice
    set status = case when ${remote.status} = 'New' and ${remote.paid}::bigint = 0
          and ((status = 'Expired' and lost_at is null) or exists (select 1 from invoice other
            where other.user_id = invoice.user_id and other.id <> invoice.id and other.status = 'New' and other.paid_cents = 0))
        then case when status = 'New' then 'Expired' else status end else ${remote.status} end,
        additional_status = ${remote.additionalStatus},
        paid_cents = ${remote.paid}, confirmed_cents = ${remote.confirmed},
        credited_cents = credited_cents + ${result.credit}, credit_count = credit_count + ${result.credit > 0 ? 1 : 0},
        needs_review = ${result.review}, checkout_link = ${remote.checkoutLink}, expires_at = ${remote.expiresAt},
        settled_at = ${result.settledAt}, lost_at = null, synced_at = now(), last_lookup = ${lookup},
        next_lookup_at = ${result.nextLookupAt}
    where id = ${id} returning ${COLUMNS}`,
  )

/**
 * An operator's decision. `reviewedAs`: the state that it settles; null if something is left to
 * decide.
 */
export type ReviewDecision = { credit?: Cents; reversal?: Cents; reviewedAs: string | null }

export const recordDecision = (
  tx: Tx,
  id: number,
  { credit = ZERO, reversal = ZERO, reviewedAs }: ReviewDecision,
): Promise<IssuedInvoice> =>
  queryIssued(
    tx,
    sql`update invoice
    set credited_cents = credited_cents + ${credit}, credit_count = credit_count + ${credit > 0 ? 1 : 0},
        reversed_cents = reversed_cents + ${reversal}, reversal_count = reversal_count + ${reversal > 0 ? 1 : 0},
        reviewed_state = ${reviewedAs}, needs_review = ${reviewedAs === null}
    where id = ${id} returning ${COLUMNS}`,
  )

/**
 * Records that the provider lost an invoice, for example after a reinstall. An open invoice becomes
 * 'Expired' if unpaid, else 'Invalid', and needs review; a settled one stays settled. One that was
 * set aside also needs review: it was not looked up after its expiry, so it may have been paid. So
 * does one with money that was not confirmed yet. Look-ups continue, since a provider may get its
 * invoices back from a backup.
 */
export const recordInvoiceMissing = (tx: Tx, id: number, lookup: number): Promise<IssuedInvoice> =>
  queryIssued(
    tx,
    sql`update invoice
    set needs_review = needs_review or status in ('New', 'Processing')
          or (status = 'Expired' and lost_at is null and (synced_at is null or synced_at < expires_at))
          or (status in ('Settled', 'Invalid') and lost_at is null
            and paid_cents > greatest(confirmed_cents, credited_cents - reversed_cents)),
        status = case when status not in ('New', 'Processing') then status when paid_cents = 0 then 'Expired' else 'Invalid' end,
        lost_at = coalesce(lost_at, now()), synced_at = now(), last_lookup = ${lookup},
        next_lookup_at = now()
          + case when expires_at > now() - interval '2 days' then interval '10 minutes' else now() - expires_at end
    where id = ${id} returning ${COLUMNS}`,
  )

/**
 * Processes that poll at the same time claim others. The next look-up is set here for the case that this one fails: in a minute, of an
 * old invoice in an hour.
 */
export async function claimDueInvoices(tx: Tx, most: number): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`update invoice set next_lookup_at = now()
      + case when expires_at > now() - interval '2 days' then interval '1 minute' else interval '1 hour' end
    where id in (select id from invoice where next_lookup_at <= now() order by next_lookup_at limit ${most} for update skip locked)
    returning id`.execute(tx)
  return rows.map(row => row.id)
}

/** By the provider's id, or by our reference while the id is unknown. */
export async function findByDelivery(
  db: Db,
  provider: string,
  externalId: string,
  reference: string | null,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from invoice
    where provider = ${provider} and (external_id = ${externalId} or (external_id is null and reference = ${reference}::uuid))`.execute(
    db,
  )
  return rows[0]?.id
}

/** Open ones are due within an hour in any case: the bound keeps old invoices, which are due in years, from being read. */
export async function markOpenInvoicesDue(tx: Tx): Promise<void> {
  await sql`update invoice set next_lookup_at = now()
    where status in ('New', 'Processing') and next_lookup_at > now() and next_lookup_at <= now() + interval '1 hour'`.execute(
    tx,
  )
}

/**
 * An earlier version, which may run beside this one, ends look-ups. Of the invoices with a larger id than `after`, schedules at most
 * `most`: those with money to confirm for now, the others spread over as long a time as they are old. Returns the last id, or null.
 */
export async function markForgottenInvoicesDue(
  tx: Tx,
  after: number,
  most: number,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`update invoice set next_lookup_at = now()
      + case when paid_cents > greatest(confirmed_cents, credited_cents - reversed_cents) then interval '0'
        else random() * greatest(now() - expires_at, interval '0') end
    where id in (select id from invoice where next_lookup_at is null and external_id is not null and id > ${after}
      order by id limit ${most} for update skip locked)
    returning id`.execute(tx)
  return rows.length < most ? null : Math.max(...rows.map(({ id }) => id))
}

/**
 * After a restore: every invoice may have changed at the provider since the backup. Returns their
 * number.
 */
export async function markAllInvoicesDue(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`update invoice set next_lookup_at = now()
    where external_id is not null or status = 'New'`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Whether the user has ever asked for an invoice. */
export async function hasInvoices(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from invoice where user_id = ${userId} limit 1`.execute(db)
  return rows.length > 0
}

export type IdPage = { ids: number[]; total: number }

/** A page of a user's invoices, newest first, without those never created at the provider. */
export async function selectDepositIds(
  db: Db,
  userId: number,
  status: InvoiceStatus | null,
  offset: number,
  limit: number,
): Promise<IdPage> {
  const matching = sql`from invoice where user_id = ${userId} and external_id is not null
    and (${status}::text is null or status = ${status})`
  const { rows } = await sql<IdPage>`
    select array(select id ${matching} order by id desc limit ${limit} offset ${offset}) as ids,
      (select count(*) ${matching}) as total`.execute(db)
  return rows[0]!
}

/** Newest first. */
export async function selectDeposits(db: Db, ids: readonly number[]): Promise<InvoiceRow[]> {
  const { rows } = await sql<InvoiceRow>`
    select ${COLUMNS} from invoice where id = any(${ids}::bigint[]) order by id desc`.execute(db)
  return rows
}

export type ReviewRow = InvoiceRow & {
  userName: string
  userEmail: string
  isUserDeleted: boolean
}

export async function selectReviewIds(db: Db, offset: number, limit: number): Promise<IdPage> {
  const { rows } = await sql<IdPage>`
    select array(select id from invoice where needs_review order by id limit ${limit} offset ${offset}) as ids,
      (select count(*) from invoice where needs_review) as total`.execute(db)
  return rows[0]!
}

/** Oldest first, without deposits that were decided meanwhile. */
export async function selectInReview(db: Db, ids: readonly number[]): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`select i.*, u.name as "userName", u.email as "userEmail",
      u.deleted_at is not null as "isUserDeleted"
    from (select ${COLUMNS} from invoice where id = any(${ids}::bigint[]) and needs_review) i
    join app_user u on u.id = i."userId" order by i.id`.execute(db)
  return rows
}
