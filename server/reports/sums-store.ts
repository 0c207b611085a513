/**
 * The sums of server/migrations/0024_reports.sql: made from the ledger, each transfer exactly once
 * (docs/decisions/0044-reports-read-sums.md).
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { BLOCK_DAYS } from './rules.ts'
import type { Figures } from './rules.ts'

/** All transfers up to this id are in the sums. */
const LAST_SUMMED = sql`select coalesce(max(last_transfer_id), 0) from report_progress`

/** A longer reason of the carrier is cut, so that it fits into an index. */
const REASON_LENGTH = 300

/**
 * The columns that every sum of labels has, of table or subquery `source`. Sums of bigint are
 * numeric, which takes thrice the time; whole cents below 2^53 are exact in float8.
 */
export const salesSums = (source: string): RawBuilder<unknown> => {
  const count = (name: string) =>
    sql`sum(${sql.ref(`${source}.${name}`)})::bigint as ${sql.ref(name)}`
  const money = (name: string) =>
    sql`sum(${sql.ref(`${source}.${name}`)}::float8)::bigint as ${sql.ref(name)}`
  return sql.join([
    count('labels'),
    money('charged_cents'),
    money('cost_cents'),
    count('voided'),
    money('refunded_cents'),
    money('refunded_cost_cents'),
  ])
}

/** A row of `salesSums`. */
export type FiguresRow = {
  labels: number
  charged_cents: number
  cost_cents: number
  voided: number
  refunded_cents: number
  refunded_cost_cents: number
}

export const figuresFromRow = (row: FiguresRow): Figures => ({
  labels: row.labels,
  charged: cents(row.charged_cents),
  cost: cents(row.cost_cents),
  voided: row.voided,
  refunded: cents(row.refunded_cents),
  refundedCost: cents(row.refunded_cost_cents),
})

/**
 * What each transfer `t` counts; `at`: its time. A user's balances change by `available_cents` and
 * `held_cents`. Append conditions with `and`.
 */
export const TRANSFER_FACTS = sql`
  select t.id, t.owner_id as user_id, t.kind, t.created_at as at,
      coalesce(o.service_uid, '') as service_uid, coalesce(o.service_name, '') as service_name,
      coalesce(left(o.receiver ->> 'state', 20), '') as state, coalesce(left(t.reason, ${sql.lit(REASON_LENGTH)}), '') as reason,
      o.carrier_account, (t.kind = 'capture')::int as labels,
      case when t.kind in ('capture', 'carrier_charge') then t.cents else 0 end as charged_cents,
      case t.kind when 'capture' then coalesce(o.cost_cents, 0) when 'carrier_cost' then t.cents else 0 end as cost_cents,
      (t.kind = 'refund')::int as voided,
      case when t.kind in ('refund', 'carrier_credit') then t.cents else 0 end as refunded_cents,
      case t.kind when 'refund' then coalesce(o.cost_cents, 0) when 'carrier_cost_back' then t.cents else 0 end as refunded_cost_cents,
      case t.kind when 'deposit' then t.cents else 0 end as deposited_cents,
      case when t.kind in ('hold', 'adjust_down', 'reversal', 'carrier_charge') then -t.cents
        when t.kind in ('capture', 'carrier_cost', 'carrier_cost_back') then 0 else t.cents end as available_cents,
      case when t.kind = 'hold' then t.cents when t.kind in ('capture', 'release') then -t.cents else 0 end as held_cents
    from transfer t left join shipment_order o on o.id = t.order_id
    where true`

/**
 * What a report is read with. `lastSummed`: all transfers up to this id are in the sums; a value, so
 * that the few later ones are planned as few. `now`: of the database.
 */
export type ReportView = { db: Db; now: Date; lastSummed: number }

/**
 * `db`: a snapshot, whose statements run without parallel workers from here on: they start slower
 * than a report takes.
 */
export async function selectReportView(db: Db): Promise<ReportView> {
  const { rows } = await sql<{ now: Date; lastSummed: number }>`
    select now(), (${LAST_SUMMED}) as "lastSummed", set_config('max_parallel_workers_per_gather', '0', true)`.execute(
    db,
  )
  const { now, lastSummed } = rows[0]!
  return { db, now, lastSummed }
}

/** Whether at least `atLeast` transfers are not in the sums. */
export async function hasUnsummed(db: Db, atLeast: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select 1 from transfer where id > (${LAST_SUMMED}) limit ${atLeast}) newer`.execute(
    db,
  )
  return rows[0]!.n >= atLeast
}

/** Without a stored progress the sums are deleted, to be made again. */
export async function deleteSumsWithoutProgress(tx: Tx): Promise<void> {
  const { rows } = await sql`select 1 from report_progress`.execute(tx)
  if (rows.length > 0) return
  for (const table of [
    'user_sum',
    'destination_sum',
    'trade_sum',
    'customer_sum',
    'failure_sum',
  ] as const)
    await tx.deleteFrom(table).execute()
}

/** Kinds of transfers that count in the figures of sales. */
export const SALE_KINDS = sql`('capture', 'refund', 'carrier_charge', 'carrier_credit', 'carrier_cost', 'carrier_cost_back')`

const SALES = [
  'labels',
  'charged_cents',
  'cost_cents',
  'voided',
  'refunded_cents',
  'refunded_cost_cents',
] as const

/** The clause that adds the new values of `columns` to the row of table alias `s`. */
const addTo = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(
    columns.map(
      column => sql`${sql.ref(column)} = s.${sql.ref(column)} + excluded.${sql.ref(column)}`,
    ),
  )

/**
 * Adds at most `most` transfers to the sums, those from before `completeBefore` (see
 * `selectCompleteBefore` of the ledger). Returns their number. The caller holds the lock. Rows are written in the
 * order in which reports read them: neighbors on a page take a quarter of the time.
 */
export async function sumNext(tx: Tx, completeBefore: string, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with complete as (select max(id) as id from transfer where id > (${LAST_SUMMED}) and created_at < ${completeBefore}::timestamptz),
    next as materialized (
      select f.*, date_bin('15 minutes', f.at, 'epoch') as period_start from (
        ${TRANSFER_FACTS} and t.id > (${LAST_SUMMED}) and t.id <= (select id from complete) order by t.id limit ${most}) f),
    users as (
      insert into user_sum as s (user_id, period_start, service_uid, service_name, labels, charged_cents, cost_cents, voided,
          refunded_cents, refunded_cost_cents, deposited_cents, available_cents, held_cents)
        select user_id, period_start, service_uid, max(service_name), ${salesSums('next')},
            sum(deposited_cents), sum(available_cents), sum(held_cents)
          from next group by 1, 2, 3 order by 1, 2, 3
        on conflict (user_id, period_start, service_uid) do update set service_name = excluded.service_name,
          ${addTo([...SALES, 'deposited_cents', 'available_cents', 'held_cents'])}
        returning 1),
    destinations as (
      insert into destination_sum as s (user_id, days, period_start, state, labels)
        select user_id, 0, period_start, state, count(*) from next where kind = 'capture' group by 1, 3, 4
        union all
        select user_id, 1, date_bin('1 day', at, 'epoch'), state, count(*) from next where kind = 'capture' group by 1, 3, 4
        order by 1, 2, 3, 4
        on conflict (user_id, days, period_start, state) do update set ${addTo(['labels'])}
        returning 1),
    trade as (
      insert into trade_sum as s (period_start, service_uid, labels, charged_cents, cost_cents, voided, refunded_cents, refunded_cost_cents)
        select period_start, service_uid, ${salesSums('next')} from next where kind in ${SALE_KINDS} group by 1, 2
        on conflict (period_start, service_uid) do update set ${addTo(SALES)}
        returning 1),
    customers as (
      insert into customer_sum as s (days, period_start, user_id, labels, charged_cents, cost_cents, voided, refunded_cents,
          refunded_cost_cents)
        select 1, date_bin('1 day', at, 'epoch'), user_id, ${salesSums('next')}
          from next where kind in ${SALE_KINDS} group by 2, 3
        union all
        select ${sql.lit(BLOCK_DAYS)}, date_bin(make_interval(days => ${sql.lit(BLOCK_DAYS)}), at, 'epoch'), user_id, ${salesSums('next')}
          from next where kind in ${SALE_KINDS} group by 2, 3
        order by 1, 2, 3
        on conflict (days, period_start, user_id) do update set ${addTo(SALES)}
        returning 1),
    failures as (
      insert into failure_sum as s (period_start, reason, labels)
        select period_start, reason, count(*) from next where kind = 'release' group by 1, 2
        on conflict (period_start, reason) do update set ${addTo(['labels'])}
        returning 1),
    progress as (
      insert into report_progress (last_transfer_id) select max(id) from next having max(id) is not null
        on conflict (only_row) do update set last_transfer_id = excluded.last_transfer_id
        returning 1)
    select (select count(*) from next) as n, (select count(*) from users) + (select count(*) from destinations)
      + (select count(*) from trade) + (select count(*) from customers) + (select count(*) from failures)
      + (select count(*) from progress) as written`.execute(tx)
  return rows[0]!.n
}
