import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { InvoiceStatus } from '#contract/payments.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { AdditionalStatus, PaymentProvider, ProviderInvoice } from './port.ts'

/** Our record of an invoice. `externalId` is null until the payment service has answered. */
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
  createdAt: Date
  expiresAt: Date
  settledAt: Date | null
  lastLookup: number
  createAttempts: number
  /** Since when the payment service knows nothing of an invoice that it made; null: it does. */
  lostAt: Date | null
}

const COLUMNS = sql`id, user_id as "userId", provider, reference, external_id as "externalId", status,
  additional_status as "additionalStatus", paid_cents as paid, confirmed_cents as confirmed, credited_cents as credited, credit_count as "creditCount",
  reversed_cents as reversed, reversal_count as "reversalCount", needs_review as "needsReview", reviewed_state as "reviewedAs", settled_at as "settledAt",
  checkout_link as "checkoutLink", created_at as "createdAt", expires_at as "expiresAt", last_lookup as "lastLookup",
  create_attempts as "createAttempts", lost_at as "lostAt"`

async function queryInvoice(db: Db, query: RawBuilder<unknown>): Promise<InvoiceRow | undefined> {
  const {
    rows: [row],
  } = await query.execute(db)
  return row as InvoiceRow | undefined
}

/** The user's invoice that is open and unpaid. */
export const findOpenInvoice = (db: Db, userId: number): Promise<InvoiceRow | undefined> =>
  queryInvoice(
    db,
    sql`select ${COLUMNS} from invoice where user_id = ${userId} and status = 'New' and paid_cents = 0`,
  )

/** Undefined when the user has an open unpaid one already. Until the payment service says otherwise it expires in 15 minutes. */
export const insertInvoice = (
  tx: Tx,
  userId: number,
  provider: PaymentProvider['name'],
): Promise<InvoiceRow | undefined> =>
  queryInvoice(
    tx,
    sql`insert into invoice (user_id, provider, expires_at) values (${userId}, ${provider}, now() + interval '15 minutes')
    on conflict (user_id) where status = 'New' and paid_cents = 0 do nothing returning ${COLUMNS}`,
  )

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
 * For 30 seconds, into which two questions of 10 each fit, nobody else asks the payment service to make this invoice. Undefined when
 * somebody does, or it is made.
 */
export const claimCreation = (tx: Tx, id: number): Promise<InvoiceRow | undefined> =>
  queryInvoice(
    tx,
    sql`update invoice set creating_until = now() + interval '30 seconds', create_attempts = create_attempts + 1
    where id = ${id} and external_id is null and status = 'New' and (creating_until is null or creating_until < now())
    returning ${COLUMNS}`,
  )

export async function releaseCreation(tx: Tx, id: number): Promise<void> {
  await sql`update invoice set creating_until = clock_timestamp() - interval '1 millisecond'
    where id = ${id} and external_id is null`.execute(tx)
}

/** Our record gets the payment service's id; undefined when it has one already. */
export const saveIssuedInvoice = (
  tx: Tx,
  id: number,
  made: ProviderInvoice,
): Promise<InvoiceRow | undefined> =>
  queryInvoice(
    tx,
    sql`update invoice set external_id = ${made.id}, checkout_link = ${made.checkoutLink}, expires_at = ${made.expiresAt},
      creating_until = null, next_lookup_at = now() + interval '1 minute'
    where id = ${id} and external_id is null returning ${COLUMNS}`,
  )

/** An invoice that never came to be at the payment service. True when its time had come. */
export async function expireUnissued(tx: Tx, id: number): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update invoice set status = 'Expired', next_lookup_at = null, creating_until = null
    where id = ${id} and external_id is null and expires_at <= now()`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/** Looks are numbered by when they begin, without a clock that could jump; `now` is the database's. */
export async function beginLookup(db: Db): Promise<{ look: number; now: Date }> {
  const {
    rows: [row],
  } = await sql<{ look: number; now: Date }>`
    select nextval('invoice_lookup') as look, clock_timestamp() as now`.execute(db)
  return row!
}

export const lockInvoice = (tx: Tx, id: number): Promise<InvoiceRow | undefined> =>
  queryInvoice(tx, sql`select ${COLUMNS} from invoice where id = ${id} for update`)

/** What a look leads to; `settledAt`: when it was first seen settled. */
export type LookupResult = {
  credit: Cents
  review: boolean
  settledAt: Date | null
  nextLookupAt: Date | null
}

/**
 * Writes what a look has found and what was credited for it. A payment that was replaced makes an invoice new again; where its owner has
 * another open one by then, of which there is one at most, it keeps its status until the payment service says something else.
 */
export async function recordLookup(
  tx: Tx,
  id: number,
  look: number,
  seen: ProviderInvoice,
  result: LookupResult,
): Promise<InvoiceRow> {
  const row = await queryInvoice(
    tx,
    sql`update invoice
    set status = case when ${seen.status} = 'New' and ${seen.paid}::bigint = 0 and exists (select 1 from invoice other
          where other.user_id = invoice.user_id and other.id <> invoice.id and other.status = 'New' and other.paid_cents = 0)
        then status else ${seen.status} end,
        additional_status = ${seen.additionalStatus},
        paid_cents = ${seen.paid}, confirmed_cents = ${seen.confirmed},
        credited_cents = credited_cents + ${result.credit}, credit_count = credit_count + ${result.credit > 0 ? 1 : 0},
        needs_review = ${result.review}, checkout_link = ${seen.checkoutLink}, expires_at = ${seen.expiresAt},
        settled_at = ${result.settledAt}, lost_at = null, synced_at = now(), last_lookup = ${look}, next_lookup_at = ${result.nextLookupAt}
    where id = ${id} returning ${COLUMNS}`,
  )
  return row!
}

/** An operator's decision; `reviewedAs`: about which state it was the last word, null when something is left to decide. */
export type ReviewDecision = { credit?: Cents; reversal?: Cents; reviewedAs: string | null }

export async function recordDecision(
  tx: Tx,
  id: number,
  { credit = ZERO, reversal = ZERO, reviewedAs }: ReviewDecision,
): Promise<InvoiceRow> {
  const row = await queryInvoice(
    tx,
    sql`update invoice
    set credited_cents = credited_cents + ${credit}, credit_count = credit_count + ${credit > 0 ? 1 : 0},
        reversed_cents = reversed_cents + ${reversal}, reversal_count = reversal_count + ${reversal > 0 ? 1 : 0},
        reviewed_state = ${reviewedAs}, needs_review = ${reviewedAs === null}
    where id = ${id} returning ${COLUMNS}`,
  )
  return row!
}

/**
 * The payment service knows nothing of an invoice that it made, as after a new set-up of it. What was open is over: unpaid it has expired,
 * paid it is not valid. Both wait for review; what was settled stays so. It is looked for less often, and not for ever.
 */
export async function recordLost(tx: Tx, id: number, look: number): Promise<InvoiceRow> {
  const row = await queryInvoice(
    tx,
    sql`update invoice
    set needs_review = needs_review or status in ('New', 'Processing'),
        status = case when status not in ('New', 'Processing') then status when paid_cents = 0 then 'Expired' else 'Invalid' end,
        lost_at = coalesce(lost_at, now()), synced_at = now(), last_lookup = ${look},
        next_lookup_at = case when expires_at > now() - interval '2 days' then now() + interval '10 minutes' end
    where id = ${id} returning ${COLUMNS}`,
  )
  return row!
}

/** Takes up to `most` invoices whose time has come; another process that polls takes others. */
export async function claimDueInvoices(tx: Tx, most: number): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`update invoice set next_lookup_at = now() + interval '1 minute'
    where id in (select id from invoice where next_lookup_at <= now() order by next_lookup_at limit ${most} for update skip locked)
    returning id`.execute(tx)
  return rows.map(row => row.id)
}

/** By the payment service's id, or by what we called it while we do not know that yet. */
export async function findByDelivery(
  db: Db,
  provider: string,
  externalId: string,
  reference: string | null,
): Promise<number | undefined> {
  const {
    rows: [row],
  } = await sql<{ id: number }>`select id from invoice
    where provider = ${provider} and (external_id = ${externalId} or (external_id is null and reference = ${reference}::uuid))`.execute(
    db,
  )
  return row?.id
}

/** All open invoices are due now. */
export async function markOpenInvoicesDue(tx: Tx): Promise<void> {
  await sql`update invoice set next_lookup_at = now() where status in ('New', 'Processing') and next_lookup_at > now()`.execute(
    tx,
  )
}

/** After a restore: whatever the payment service knows may have changed since the backup. Returns how many are looked at. */
export async function markAllInvoicesDue(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`update invoice set next_lookup_at = now()
    where external_id is not null or status = 'New'`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** A page of a user's invoices, newest first; those the payment service never made are left out. */
export async function selectDeposits(
  db: Db,
  userId: number,
  status: InvoiceStatus | null,
  offset: number,
  limit: number,
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const those = sql`from invoice where user_id = ${userId} and external_id is not null and (${status}::text is null or status = ${status})`
  const { rows } =
    await sql<InvoiceRow>`select ${COLUMNS} ${those} order by id desc limit ${limit} offset ${offset}`.execute(
      db,
    )
  const {
    rows: [counted],
  } = await sql<{ total: number }>`select count(*) as total ${those}`.execute(db)
  return { rows, total: counted!.total }
}

export type ReviewRow = InvoiceRow & { userName: string; userEmail: string }

export async function selectInReview(
  db: Db,
  offset: number,
  limit: number,
): Promise<{ rows: ReviewRow[]; total: number }> {
  const { rows } = await sql<ReviewRow>`select i.*, u.name as "userName", u.email as "userEmail"
    from (select ${COLUMNS} from invoice where needs_review order by id limit ${limit} offset ${offset}) i
    join app_user u on u.id = i."userId" order by i.id`.execute(db)
  const {
    rows: [counted],
  } = await sql<{
    total: number
  }>`select count(*) as total from invoice where needs_review`.execute(db)
  return { rows, total: counted!.total }
}
