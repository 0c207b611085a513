/** Reports of one user: sums, and the transfers after the last summed one. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Db } from '#server/platform/database/database.ts'
import { CUSTOM_PLAN } from '#server/platform/database/prepared-statements.ts'
import type { Figures } from './rules.ts'
import { figuresFromRow, salesSums, TRANSFER_FACTS } from './sums-store.ts'
import type { FiguresRow, ReportView } from './sums-store.ts'

/** All that moved since `from`, which is a whole quarter of an hour. */
const movedSince = (
  { lastSummed }: ReportView,
  userId: number,
  from: Date,
): RawBuilder<unknown> => sql`
  select period_start as at, service_uid, service_name, labels, charged_cents, cost_cents, voided, refunded_cents, refunded_cost_cents,
      deposited_cents, available_cents, held_cents
    from user_sum where user_id = ${userId} and period_start >= ${from}
  union all
  select at, service_uid, service_name, labels, charged_cents, cost_cents, voided, refunded_cents, refunded_cost_cents,
      deposited_cents, available_cents, held_cents
    from (${TRANSFER_FACTS} and t.owner_id = ${userId} and t.id > ${lastSummed} and t.created_at >= ${from}) newer`

/** `day`: the place of the midnight it follows, from 0. */
export type SalesOfDay = Figures & { day: number; serviceUid: string; serviceName: string }

/**
 * Oldest first. `midnights`: ascending whole quarters of an hour; days and services where the user
 * paid and got nothing are left out.
 */
export async function selectSales(
  view: ReportView,
  userId: number,
  midnights: readonly Date[],
): Promise<SalesOfDay[]> {
  const { rows } = await sql<
    FiguresRow & { day: number; serviceUid: string; serviceName: string }
  >`${sql.raw(CUSTOM_PLAN)}
    select width_bucket(at, ${midnights}::timestamptz[]) - 1 as day, service_uid as "serviceUid", service_name as "serviceName",
        ${salesSums('moved')}
      from (${movedSince(view, userId, midnights[0]!)}) moved
      group by 1, 2, 3 having bool_or(labels > 0 or voided > 0 or charged_cents > 0 or refunded_cents > 0) order by 1`.execute(
    view.db,
  )
  return rows.map(row => ({
    day: row.day,
    serviceUid: row.serviceUid,
    serviceName: row.serviceName,
    ...figuresFromRow(row),
  }))
}

/** The most labels first. `wholeDay`: the first midnight of UTC at or after `from`. */
export async function selectDestinations(
  view: ReportView,
  userId: number,
  { from, wholeDay }: { from: Date; wholeDay: Date },
): Promise<{ state: string; labels: number }[]> {
  const { rows } = await sql<{ state: string; labels: number }>`${sql.raw(CUSTOM_PLAN)}
    select state, sum(labels)::bigint as labels from (
        select state, labels from destination_sum where user_id = ${userId} and days = 1 and period_start >= ${wholeDay}
        union all
        select state, labels from destination_sum
          where user_id = ${userId} and days = 0 and period_start >= ${from} and period_start < ${wholeDay}
        union all
        select state, labels from (
          ${TRANSFER_FACTS} and t.kind = 'capture' and t.owner_id = ${userId} and t.id > ${view.lastSummed}
            and t.created_at >= ${from}) newer) bought
      group by state order by 2 desc, 1`.execute(view.db)
  return rows
}

/** Deposits by the quarter of an hour, oldest first. */
export async function selectDeposits(
  view: ReportView,
  userId: number,
  from: Date,
): Promise<{ quarter: Date; amount: Cents }[]> {
  const { rows } = await sql<{ quarter: Date; amount: number }>`${sql.raw(CUSTOM_PLAN)}
    select date_bin('15 minutes', at, 'epoch') as quarter, sum(deposited_cents)::bigint as amount
      from (${movedSince(view, userId, from)}) moved where deposited_cents > 0
      group by 1 order by 1`.execute(view.db)
  return rows.map(({ quarter, amount }) => ({ quarter, amount: cents(amount) }))
}

/** `day`: the place of the midnight it follows, from 0. `deposited`: net of reversals; `spent`: charged less refunded. */
export type WalletDay = { day: number; deposited: Cents; spent: Cents }

/** Days without movements are left out. `midnights`: ascending whole quarters of an hour. */
export async function selectWalletDays(
  view: ReportView,
  userId: number,
  midnights: readonly Date[],
): Promise<WalletDay[]> {
  const from = midnights[0]!
  // Reversals are in no sum. Few users have one; without it their movements are not read.
  const { rows } = await sql<{
    day: number
    deposited: number
    spent: number
  }>`${sql.raw(CUSTOM_PLAN)}
    select width_bucket(at, ${midnights}::timestamptz[]) - 1 as day, sum(deposited)::bigint as deposited, sum(spent)::bigint as spent
      from (
        select at, deposited_cents as deposited, charged_cents - refunded_cents as spent
          from (${movedSince(view, userId, from)}) moved
        union all
        select created_at, -cents, 0 from transfer
          where owner_id = ${userId} and kind <> 'capture' and kind = 'reversal' and created_at >= ${from}
            and exists (select 1 from invoice where user_id = ${userId} and reversed_cents > 0)) moved
      group by 1`.execute(view.db)
  return rows.map(row => ({
    day: row.day,
    deposited: cents(row.deposited),
    spent: cents(row.spent),
  }))
}

/** `after`: the place of the bound it follows, from 0. */
export type BalanceChange = { after: number; available: Cents; held: Cents }

/** What changed between `bounds`, which are ascending, and since the last one. */
export async function selectBalanceChanges(
  view: ReportView,
  userId: number,
  bounds: readonly Date[],
): Promise<BalanceChange[]> {
  const { rows } = await sql<{
    after: number
    available: number
    held: number
  }>`${sql.raw(CUSTOM_PLAN)}
    select width_bucket(at, ${bounds}::timestamptz[]) - 1 as after, sum(available_cents)::bigint as available,
        sum(held_cents)::bigint as held
      from (${movedSince(view, userId, bounds[0]!)}) moved group by 1 order by 1`.execute(view.db)
  return rows.map(({ after, available, held }) => ({
    after,
    available: cents(available),
    held: cents(held),
  }))
}

/** `since`: the first label of all, where it is after `from`; else `from`. Null without a label. */
export type Spending = { spent: Cents; since: Date | null }

/** Charged less refunded since `from`. */
export async function selectSpending(
  view: ReportView,
  userId: number,
  from: Date,
): Promise<Spending> {
  const { rows } = await sql<{ spent: number; since: Date | null }>`${sql.raw(CUSTOM_PLAN)}
    select coalesce(sum(charged_cents) - sum(refunded_cents), 0)::bigint as spent,
        case when exists (select 1 from user_sum where user_id = ${userId} and period_start < ${from} and labels > 0)
          then ${from}::timestamptz
          else min(at) filter (where labels > 0) end as since
      from (${movedSince(view, userId, from)}) moved`.execute(view.db)
  return { spent: cents(rows[0]!.spent), since: rows[0]!.since }
}

export type FailedBatch = { batchId: number; name: string | null; labels: number; createdAt: Date }

/** Bulk orders since `from` with failed labels that were not placed again, newest first. */
export async function selectFailedBatches(
  db: Db,
  userId: number,
  from: Date,
  limit: number,
): Promise<{ batches: FailedBatch[]; count: number; labels: number }> {
  const { rows } = await sql<FailedBatch & { count: number; allLabels: number }>`
    select b.id as "batchId", b.file_name as name, f.labels, b.created_at as "createdAt",
        count(*) over () as count, (sum(f.labels) over ())::bigint as "allLabels"
      from batch b
      cross join lateral (select count(*) as labels from shipment_order o
        where o.batch_id = b.id and o.state = 'failed' and o.replaced_by is null) f
      where b.user_id = ${userId} and b.created_at >= ${from} and b.failed_count > 0
        and b.status in ('completed', 'completed_with_errors', 'failed') and f.labels > 0
      order by b.id desc limit ${limit}`.execute(db)
  return {
    batches: rows.map(({ batchId, name, labels, createdAt }) => ({
      batchId,
      name,
      labels,
      createdAt,
    })),
    count: rows[0]?.count ?? 0,
    labels: rows[0]?.allLabels ?? 0,
  }
}

export type OpenInvoice = { invoiceId: string; paid: Cents; createdAt: Date; expiresAt: Date }

/** Invoices that can be paid, or whose payment is not confirmed, newest first. */
export async function selectOpenInvoices(
  db: Db,
  userId: number,
  limit: number,
): Promise<{ invoices: OpenInvoice[]; count: number }> {
  const { rows } = await sql<Omit<OpenInvoice, 'paid'> & { paid: number; count: number }>`
    select external_id as "invoiceId", paid_cents as paid, created_at as "createdAt", expires_at as "expiresAt", count(*) over () as count
      from invoice
      where user_id = ${userId} and external_id is not null and not needs_review
        and (status = 'Processing' or (status = 'New' and expires_at > now()))
      order by id desc limit ${limit}`.execute(db)
  return {
    invoices: rows.map(({ invoiceId, paid, createdAt, expiresAt }) => ({
      invoiceId,
      paid: cents(paid),
      createdAt,
      expiresAt,
    })),
    count: rows[0]?.count ?? 0,
  }
}
