/**
 * What the operator owes to all users, from the ledger: `ledger_total` stores its sums by kind, and transfers after
 * the last summed one are read directly (docs/decisions/0018-figures-are-summed-once.md). Adding up the balances of
 * 100,000 users took 0.1 s.
 */
import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { CUSTOM_PLAN } from '#server/platform/database/prepared-statements.ts'

/** All transfers up to this id are in the totals. */
const LAST_TOTALLED = sql<number>`(select coalesce(max(last_transfer_id), 0) from ledger_total)`

/** Whether at least `atLeast` transfers are not in the totals. */
export async function hasUntotalled(db: Db, atLeast: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select 1 from transfer where id > ${LAST_TOTALLED} limit ${atLeast}) newer`.execute(
    db,
  )
  return rows[0]!.n >= atLeast
}

/**
 * Adds at most `most` transfers to the totals, each exactly once: those from before `completeBefore`. Returns their
 * number. The caller holds the lock.
 */
export async function totalNext(tx: Tx, completeBefore: string, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with next as materialized (
      select id, kind, cents from transfer
        where id > ${LAST_TOTALLED}
          and id <= (select max(id) from transfer where id > ${LAST_TOTALLED} and created_at < ${completeBefore}::timestamptz)
        order by id limit ${most}),
    added as (
      insert into ledger_total as l (kind, cents, last_transfer_id) select kind, sum(cents), max(id) from next group by 1
        on conflict (kind) do update set cents = l.cents + excluded.cents, last_transfer_id = excluded.last_transfer_id
        returning 1)
    select (select count(*) from next) as n, (select count(*) from added) as kinds`.execute(tx)
  return rows[0]!.n
}

export type Liabilities = { available: Cents; held: Cents }

/** What all users together may spend, and what is held for open labels. `view`: a snapshot. */
export async function sumLiabilities(view: Db): Promise<Liabilities> {
  const last = await sql<{ id: number }>`select ${LAST_TOTALLED} as id`.execute(view)
  // A value, so that the few later transfers are planned as few.
  const { rows } = await sql<{ available: number; held: number }>`${sql.raw(CUSTOM_PLAN)}
    with moved as (
      select kind, cents from ledger_total
      union all
      select kind, cents from transfer where id > ${last.rows[0]!.id})
    select
        coalesce(sum(case 'available' when r.credit_kind then cents when r.debit_kind then -cents end), 0)::bigint as available,
        coalesce(sum(case 'held' when r.credit_kind then cents when r.debit_kind then -cents end), 0)::bigint as held
      from moved join transfer_rule r on r.kind = moved.kind`.execute(view)
  return { available: cents(rows[0]!.available), held: cents(rows[0]!.held) }
}
