/**
 * Figures of the dashboard, from the ledger: `ledger_sum` stores its sums per quarter of an hour,
 * and transfers after the last summed one are read directly
 * (docs/decisions/0018-figures-are-summed-once.md).
 */
import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { TOTALLED_KINDS } from './dashboard-rules.ts'
import type { PeriodStart, TransferTotals, TotalledKind } from './dashboard-rules.ts'
import { isOpenScan } from './voided-scans-store.ts'

const KINDS = sql.join(TOTALLED_KINDS.map(kind => sql.lit(kind)))

/** Transfers that count in figures, with the carrier's charge for their label. */
const TOTALLED_TRANSFERS = sql`
  select t.id, t.created_at as at, t.kind, 1 as transfers, t.cents, coalesce(o.cost_cents, 0) as cost_cents
    from transfer t
    left join shipment_order o on o.id = t.order_id and t.kind in ('capture', 'refund')
    where t.kind in (${KINDS})`

/** All transfers up to this id are in the stored sums. */
const LAST_SUMMARIZED = sql`select coalesce(max(last_transfer_id), 0) from ledger_sum`

/**
 * Totals by kind since each start; kinds without transfers are left out. Starts must be whole
 * quarters of an hour.
 */
export async function selectTransferTotals(
  db: Db,
  starts: readonly PeriodStart[],
): Promise<(TransferTotals & { days: number; kind: TotalledKind })[]> {
  const { rows } = await sql<{
    days: number
    kind: TotalledKind
    transfers: number
    cents: number
    cost: number
  }>`
    with period as (select * from unnest(${starts.map(({ days }) => days)}::int[], ${starts.map(({ from }) => from)}::timestamptz[])
        as p (days, begins)),
    oldest as (select min(begins) as at from period),
    moved as (
      select period_start as at, kind, transfers, cents, cost_cents from ledger_sum where period_start >= (select at from oldest)
      union all
      select at, kind, transfers, cents, cost_cents from (${TOTALLED_TRANSFERS} and t.id > (${LAST_SUMMARIZED})) newer
        where at >= (select at from oldest))
    select p.days, m.kind, sum(m.transfers)::bigint as transfers, sum(m.cents)::bigint as cents, sum(m.cost_cents)::bigint as cost
      from period p join moved m on m.at >= p.begins
      group by p.days, m.kind`.execute(db)
  return rows.map(row => ({ ...row, cents: cents(row.cents), cost: cents(row.cost) }))
}

type AdjustmentKind = 'adjust_up' | 'adjust_down'

/**
 * Totals by kind, adjustments too, of the months that begin at `starts`, ascending whole quarters of an hour. `month`: the place of
 * its start. Adjustments are few, and found by an index of their own.
 */
export async function selectMonthTotals(
  db: Db,
  starts: readonly Date[],
): Promise<(TransferTotals & { month: number; kind: TotalledKind | AdjustmentKind })[]> {
  const from = starts[0]!
  const { rows } = await sql<{
    month: number
    kind: TotalledKind | AdjustmentKind
    transfers: number
    cents: number
    cost: number
  }>`
    with moved as (
      select period_start as at, kind, transfers, cents, cost_cents from ledger_sum where period_start >= ${from}
      union all
      select at, kind, transfers, cents, cost_cents from (${TOTALLED_TRANSFERS} and t.id > (${LAST_SUMMARIZED})) newer where at >= ${from}
      union all
      select created_at, kind, 1, cents, 0 from transfer where kind in ('adjust_up', 'adjust_down') and created_at >= ${from})
    select width_bucket(at, ${starts}::timestamptz[]) - 1 as month, kind, sum(transfers)::bigint as transfers,
        sum(cents)::bigint as cents, sum(cost_cents)::bigint as cost
      from moved group by 1, 2`.execute(db)
  return rows.map(row => ({ ...row, cents: cents(row.cents), cost: cents(row.cost) }))
}

/** Whether at least `atLeast` transfers are not in the stored sums. */
export async function hasUnsummarized(db: Db, atLeast: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select 1 from transfer t where t.id > (${LAST_SUMMARIZED}) and t.kind in (${KINDS}) limit ${atLeast}) newer`.execute(
    db,
  )
  return rows[0]!.n >= atLeast
}

/**
 * Adds at most `most` transfers to the stored sums, each exactly once: those from before
 * `completeBefore`. Returns their number. The caller holds the lock.
 */
export async function summarizeNext(tx: Tx, completeBefore: string, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with complete as (select max(id) as id from transfer where id > (${LAST_SUMMARIZED}) and created_at < ${completeBefore}::timestamptz),
    next as (${TOTALLED_TRANSFERS} and t.id > (${LAST_SUMMARIZED}) and t.id <= (select id from complete) order by t.id limit ${most}),
    added as (
      insert into ledger_sum as s (period_start, kind, transfers, cents, cost_cents, last_transfer_id)
      select date_bin('15 minutes', at, 'epoch'), kind, count(*), sum(cents), sum(cost_cents), max(id) from next group by 1, 2
      on conflict (period_start, kind) do update set transfers = s.transfers + excluded.transfers, cents = s.cents + excluded.cents,
        cost_cents = s.cost_cents + excluded.cost_cents, last_transfer_id = excluded.last_transfer_id
      returning 1)
    select (select count(*) from next) as n, (select count(*) from added) as slots`.execute(tx)
  return rows[0]!.n
}

/** New users since each start, in the same order; deleted users are not counted. */
export async function selectNewUsers(db: Db, starts: readonly PeriodStart[]): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    select count(u.id) as n
      from unnest(${starts.map(({ from }) => from)}::timestamptz[]) with ordinality as p (begins, place)
      left join app_user u on u.created_at >= p.begins and u.deleted_at is null
      group by p.place order by p.place`.execute(db)
  return rows.map(row => row.n)
}

/** How many users there are. */
export async function countUsers(db: Db): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from app_user where deleted_at is null`.execute(db)
  return rows[0]!.n
}

export type PendingDeposits = { count: number; amount: Cents }

/** Paid but unconfirmed invoices and their uncredited amount, without those in review. */
export async function sumPendingDeposits(db: Db): Promise<PendingDeposits> {
  const { rows } = await sql<{ count: number; amount: number }>`
    select count(*) as count, coalesce(sum(paid_cents - credited_cents), 0)::bigint as amount from invoice
      where status in ('New', 'Processing', 'Settled') and paid_cents > credited_cents and not needs_review`.execute(
    db,
  )
  return { count: rows[0]!.count, amount: cents(rows[0]!.amount) }
}

/** `oldest`: since when the oldest one is open. */
export type Backlog = { count: number; oldest: Date | null }
export type WorkList = Record<
  'unknown' | 'files' | 'deposits' | 'voids' | 'scans' | 'disputes',
  Backlog
>

export async function countWorkList(db: Db): Promise<WorkList> {
  const { rows } = await sql<Backlog & { kind: keyof WorkList }>`
    select 'unknown' as kind, count(*) as count, min(unknown_since) as oldest from shipment_order where state = 'unknown'
    union all select 'voids', count(*), min(void_requested_at) from shipment_order
      where state = 'voiding' and void_confirmed_at is null
    union all select 'files', count(*), min(files_problem_at) from batch where files_problem is not null
    union all select 'scans', count(*), min(p.scanned_after_void_at) from parcel_tracking p where ${isOpenScan}
    union all select 'disputes', count(*), min(disputed_at) from carrier_adjustment
      where dispute is not null and answered_at is null and credited_back_at is null
    union all select 'deposits', count(*), min(created_at) from invoice where needs_review`.execute(
    db,
  )
  return Object.fromEntries(
    rows.map(({ kind, count, oldest }) => [kind, { count, oldest }]),
  ) as WorkList
}

/** `newest`: the order id of the newest one. */
export type LossFigures = Backlog & { refused: number; lost: Cents; newest: number | null }

/** Labels above the loss ceiling in the last 7 days: refused, and what the others lost. */
export async function sumLosses(db: Db): Promise<LossFigures> {
  const { rows } = await sql<LossFigures>`
    select count(*) as count, min(recorded_at) as oldest, count(*) filter (where outcome = 'refused') as refused,
        (array_agg(order_id order by recorded_at desc))[1] as newest,
        coalesce(sum(cost_cents - price_cents) filter (where outcome = 'bought'), 0)::bigint as lost
      from postage_loss where recorded_at > clock_timestamp() - interval '7 days'`.execute(db)
  return { ...rows[0]!, lost: cents(rows[0]!.lost) }
}

export type FilesProblemRow = {
  batchId: number
  user: UserRef
  totalCount: number
  problem: string
  since: Date
}

/** Oldest first. */
export async function selectFilesProblems(
  db: Db,
  offset: number,
  limit: number,
): Promise<{ rows: FilesProblemRow[]; total: number }> {
  const { rows } = await sql<FilesProblemRow>`
    select b.id as "batchId", json_build_object('id', u.id, 'name', u.name, 'email', u.email) as user, b.total_count as "totalCount",
           b.files_problem as problem, coalesce(b.files_problem_at, b.updated_at) as since
      from batch b join app_user u on u.id = b.user_id
      where b.files_problem is not null
      order by since, b.id limit ${limit} offset ${offset}`.execute(db)
  const {
    rows: [counted],
  } = await sql<{
    total: number
  }>`select count(*) as total from batch where files_problem is not null`.execute(db)
  return { rows, total: counted!.total }
}
