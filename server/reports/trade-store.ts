/** Reports of all users: sums, and the transfers after the last summed one. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import type { Db } from '#server/platform/database/database.ts'
import { CUSTOM_PLAN } from '#server/platform/database/prepared-statements.ts'
import { BLOCK_DAYS } from './rules.ts'
import type { Cover, Figures, Periods } from './rules.ts'
import { figuresFromRow, SALE_KINDS, salesSums, TRANSFER_FACTS } from './sums-store.ts'
import type { FiguresRow, ReportView } from './sums-store.ts'

const FIGURES = sql`labels, charged_cents, cost_cents, voided, refunded_cents, refunded_cost_cents`

/** Transfers of sales since `from` that are in no sum. */
const newerSales = ({ lastSummed }: ReportView, from: Date): RawBuilder<unknown> =>
  sql`(${TRANSFER_FACTS} and t.kind in ${SALE_KINDS} and t.id > ${lastSummed} and t.created_at >= ${from}) newer`

/** `day`: the place of the midnight it follows, from 0. */
export type TradeOfDay = Figures & { day: number; serviceUid: string }

/** Oldest first. `midnights`: ascending whole quarters of an hour; days without sales are left out. */
export async function selectTrade(
  view: ReportView,
  midnights: readonly Date[],
): Promise<TradeOfDay[]> {
  const from = midnights[0]!
  const { rows } = await sql<
    FiguresRow & { day: number; serviceUid: string }
  >`${sql.raw(CUSTOM_PLAN)}
    select width_bucket(at, ${midnights}::timestamptz[]) - 1 as day, service_uid as "serviceUid", ${salesSums('moved')}
      from (
        select period_start as at, service_uid, ${FIGURES} from trade_sum where period_start >= ${from}
        union all
        select at, service_uid, ${FIGURES} from ${newerSales(view, from)}) moved
      group by 1, 2 order by 1`.execute(view.db)
  return rows.map(row => ({ day: row.day, serviceUid: row.serviceUid, ...figuresFromRow(row) }))
}

export type CustomerFigures = Figures & { user: UserRef }

/** `most`: no more than this was charged to the user. */
type Candidate = { userId: number; most: number }

/**
 * The users who were charged most in any day or block of the cover, `ofEach` of each, and those with newer sales since `from`, by `most`.
 * `others`: no more was charged to any other user; null if there is none.
 */
export async function selectCandidates(
  view: ReportView,
  from: Date,
  { days, blocks }: Cover,
  ofEach: number,
): Promise<{ candidates: Candidate[]; others: number | null }> {
  const largest = (length: number, starts: readonly Date[]) => sql`
    select ${sql.lit(length)} as days, c.* from unnest(${starts}::timestamptz[]) start (at) cross join lateral (
      select period_start, user_id, charged_cents as cents from customer_sum
        where days = ${sql.lit(length)} and period_start = start.at order by charged_cents desc limit ${ofEach}) c`
  const { rows } = await sql<Candidate & { others: number | null }>`${sql.raw(CUSTOM_PLAN)}
    with largest as materialized (${largest(1, days)} union all ${largest(BLOCK_DAYS, blocks)}),
    lowest as materialized (
      select days, period_start, min(cents) as cents from largest group by 1, 2 having count(*) = ${ofEach}),
    beyond as (
      select user_id, l.cents - coalesce(lowest.cents, 0) as cents from largest l left join lowest using (days, period_start)
      union all
      select user_id, charged_cents from ${newerSales(view, from)}),
    others as (select sum(cents)::bigint as cents from lowest)
    select user_id as "userId", (coalesce(others.cents, 0) + sum(beyond.cents))::bigint as most, others.cents as others
      from beyond, others group by user_id, others.cents order by most desc`.execute(view.db)
  return { candidates: rows, others: rows[0]?.others ?? null }
}

/** The users with the most revenue since the periods begin, the most first; `among`: of these users, null for all. */
export async function selectCustomers(
  view: ReportView,
  { from, wholeDay, wholeDays, wholeBlocks }: Periods,
  limit: number,
  among: readonly number[] | null,
): Promise<CustomerFigures[]> {
  const them = among === null ? sql`` : sql`and user_id = any(${among}::bigint[])`
  const sums = (days: number, starts: readonly Date[]) => sql`
    select user_id, ${FIGURES} from customer_sum
      where days = ${sql.lit(days)} and period_start = any(${starts}::timestamptz[]) ${them}`
  const { rows } = await sql<FiguresRow & { user: UserRef }>`${sql.raw(CUSTOM_PLAN)}
    with top as (
      select user_id, ${salesSums('moved')} from (
          ${sums(BLOCK_DAYS, wholeBlocks)}
          union all ${sums(1, wholeDays)}
          union all
          select user_id, ${FIGURES} from user_sum where period_start >= ${from} and period_start < ${wholeDay} ${them}
          union all
          select user_id, ${FIGURES} from ${newerSales(view, from)}) moved
        group by user_id order by sum((charged_cents - refunded_cents)::float8) desc, user_id limit ${limit})
    select top.*, json_build_object('id', u.id, 'name', u.name, 'email', u.email) as user
      from top join app_user u on u.id = top.user_id
      order by charged_cents - refunded_cents desc, u.id`.execute(view.db)
  return rows.map(row => ({ user: row.user, ...figuresFromRow(row) }))
}

export type FailureReason = { reason: string; count: number }

/** Released holds by reason, the most first; '' without a reason. `total`: of all reasons. */
export async function selectFailures(
  view: ReportView,
  from: Date,
  limit: number,
): Promise<{ reasons: FailureReason[]; total: number }> {
  const { rows } = await sql<FailureReason & { total: number }>`${sql.raw(CUSTOM_PLAN)}
    select reason, sum(labels)::bigint as count, (sum(sum(labels)) over ())::bigint as total from (
        select reason, labels from failure_sum where period_start >= ${from}
        union all
        select reason, 1 from (
          ${TRANSFER_FACTS} and t.kind = 'release' and t.id > ${view.lastSummed} and t.created_at >= ${from}) newer) failed
      group by reason order by 2 desc, 1 limit ${limit}`.execute(view.db)
  return {
    reasons: rows.map(({ reason, count }) => ({ reason, count })),
    total: rows[0]?.total ?? 0,
  }
}

/** Few, and found by an index of their own. */
export async function sumAdjustments(db: Db, from: Date): Promise<{ up: Cents; down: Cents }> {
  const { rows } = await sql<{ up: number; down: number }>`
    select coalesce(sum(cents) filter (where kind = 'adjust_up'), 0)::bigint as up,
        coalesce(sum(cents) filter (where kind = 'adjust_down'), 0)::bigint as down
      from transfer where kind in ('adjust_up', 'adjust_down') and created_at >= ${from}`.execute(
    db,
  )
  return { up: cents(rows[0]!.up), down: cents(rows[0]!.down) }
}

/** Labels bought for more than their price. */
export async function sumLostLabels(db: Db, from: Date): Promise<{ labels: number; lost: Cents }> {
  const { rows } = await sql<{ labels: number; lost: number }>`
    select count(*) as labels, coalesce(sum(cost_cents - price_cents), 0)::bigint as lost from postage_loss
      where outcome = 'bought' and recorded_at >= ${from}`.execute(db)
  return { labels: rows[0]!.labels, lost: cents(rows[0]!.lost) }
}

/** `since`: the first label of all, where it is after `from`; else `from`. Null without a label. */
export type CarrierSpending = { spent: Cents; since: Date | null }

/** What the carrier charged less its refunds since `from`. */
export async function selectCarrierSpending(
  view: ReportView,
  from: Date,
): Promise<CarrierSpending> {
  const { rows } = await sql<{ spent: number; since: Date | null }>`${sql.raw(CUSTOM_PLAN)}
    select coalesce(sum(cost_cents) - sum(refunded_cost_cents), 0)::bigint as spent,
        case when exists (select 1 from trade_sum where period_start < ${from} and labels > 0) then ${from}::timestamptz
          else min(at) filter (where labels > 0) end as since
      from (
        select period_start as at, ${FIGURES} from trade_sum where period_start >= ${from}
        union all
        select at, ${FIGURES} from ${newerSales(view, from)}) moved`.execute(view.db)
  return { spent: cents(rows[0]!.spent), since: rows[0]!.since }
}
