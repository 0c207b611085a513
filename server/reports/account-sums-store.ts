/** The sums of server/migrations/0047_carrier_account_sums.sql, and what they tell about each account. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import { labelAccount } from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { CUSTOM_PLAN } from '#server/platform/database/prepared-statements.ts'
import { SALE_KINDS, TRANSFER_FACTS } from './sums-store.ts'
import type { CarrierSpending } from './trade-store.ts'

const LAST_SUMMED = sql<number>`(select coalesce(max(last_transfer_id), 0) from carrier_account_progress)`

/**
 * What transfers after the id `lastSummed` count for the account of their label, which the facts have the alias `o` for.
 * Append conditions with `and`.
 */
const newerFacts = (lastSummed: RawBuilder<number>): RawBuilder<unknown> => sql`
  select coalesce(${labelAccount}, '') as account, o.id, o.at, o.labels, o.cost_cents, o.refunded_cost_cents
    from (${TRANSFER_FACTS} and t.kind in ${SALE_KINDS} and t.id > ${lastSummed}) o
    where true`

export async function hasUnsummedOfAccounts(db: Db, atLeast: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select 1 from transfer where id > ${LAST_SUMMED} limit ${atLeast}) newer`.execute(
    db,
  )
  return rows[0]!.n >= atLeast
}

export async function deleteAccountSumsWithoutProgress(tx: Tx): Promise<void> {
  const { rows } = await sql`select 1 from carrier_account_progress`.execute(tx)
  if (rows.length === 0) await tx.deleteFrom('carrier_account_sum').execute()
}

/**
 * Adds at most `most` transfers to the sums, those from before `completeBefore` (see `selectCompleteBefore` of the
 * ledger). Returns their number. The caller holds the lock.
 */
export async function sumNextOfAccounts(
  tx: Tx,
  completeBefore: string,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with next as materialized (
      select id from transfer
        where id > ${LAST_SUMMED}
          and id <= (select max(id) from transfer where id > ${LAST_SUMMED} and created_at < ${completeBefore}::timestamptz)
        order by id limit ${most}),
    sums as (
      insert into carrier_account_sum as s (account, period_start, labels, cost_cents, refunded_cost_cents)
        select account, date_bin('15 minutes', at, 'epoch'), sum(labels), sum(cost_cents), sum(refunded_cost_cents)
          from (${newerFacts(LAST_SUMMED)} and o.id <= (select max(id) from next)) facts
          group by 1, 2 order by 1, 2
        on conflict (account, period_start) do update
          set labels = s.labels + excluded.labels, cost_cents = s.cost_cents + excluded.cost_cents,
              refunded_cost_cents = s.refunded_cost_cents + excluded.refunded_cost_cents
        returning 1),
    progress as (
      insert into carrier_account_progress (last_transfer_id) select max(id) from next having max(id) is not null
        on conflict (only_row) do update set last_transfer_id = excluded.last_transfer_id
        returning 1)
    select (select count(*) from next) as n, (select count(*) from sums) + (select count(*) from progress) as written`.execute(
    tx,
  )
  return rows[0]!.n
}

/**
 * What accounts charged less their refunds since `from`, by the first of their `names` at the carrier, present and
 * former. Accounts without a transfer are left out. `db`: a snapshot.
 */
export async function selectAccountSpending(
  db: Db,
  accounts: readonly CarrierAccountNames[],
  from: Date,
): Promise<Map<string, CarrierSpending>> {
  const names = accounts.flatMap(of => of.map(name => ({ name, account: of[0] })))
  const lastSummed = await sql<{ id: number }>`select ${LAST_SUMMED} as id`.execute(db)
  // A value, so that the few later ones are planned as few.
  const newer = newerFacts(sql<number>`${lastSummed.rows[0]!.id}`)
  const { rows } = await sql<{ account: string } & CarrierSpending>`${sql.raw(CUSTOM_PLAN)}
    with named as (
      select * from unnest(${names.map(({ name }) => name)}::text[], ${names.map(({ account }) => account)}::text[]) as n (name, present))
    select n.present as account, coalesce(sum(cost_cents) - sum(refunded_cost_cents), 0)::bigint as spent,
        case when exists (
            select 1 from carrier_account_sum s join named on named.name = s.account
              where named.present = n.present and s.period_start < ${from} and s.labels > 0)
          then ${from}::timestamptz else min(at) filter (where labels > 0) end as since
      from named n join (
        select account, period_start as at, labels, cost_cents, refunded_cost_cents
          from carrier_account_sum where period_start >= ${from}
        union all
        select account, at, labels, cost_cents, refunded_cost_cents from (${newer} and o.at >= ${from}) newer) facts
        on facts.account = n.name
      group by n.present`.execute(db)
  return new Map(rows.map(({ account, spent, since }) => [account, { spent: cents(spent), since }]))
}
