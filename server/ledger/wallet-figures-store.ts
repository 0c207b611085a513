/** Copies of the figures by which lists sort users (docs/decisions/0080-figures-to-sort-users-by.md). */
import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

const LAST_COPIED = sql<number>`(select last_transfer_id from wallet_figure_progress)`

/** Users without later transfers are in `wallet_figure` as their balances are. Null before the first copy. */
export async function selectLastCopied(view: Db): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`select ${LAST_COPIED} as id`.execute(view)
  return rows[0]!.id
}

/** Whether at least `atLeast` transfers are not copied, or nothing is. */
export async function hasUncopied(db: Db, atLeast: number): Promise<boolean> {
  const { rows } = await sql<{ last: number | null; newer: number }>`
    select ${LAST_COPIED} as last, count(*) as newer
      from (select 1 from transfer where id > ${LAST_COPIED} limit ${atLeast}) newer`.execute(db)
  return rows[0]!.last === null || rows[0]!.newer >= atLeast
}

const COPY = sql`
  select aa.owner_id, available.credits - available.debits, available.deposited, held.captured - available.refunded
    from account aa join balance available on available.account_id = aa.id
    join account ah on ah.owner_id = aa.owner_id and ah.kind = 'held' join balance held on held.account_id = ah.id
    where aa.kind = 'available'`
const INSERT = sql`insert into wallet_figure as f (owner_id, available_cents, deposited_cents, spent_cents)`
const OR_UPDATE = sql`
  on conflict (owner_id) do update set available_cents = excluded.available_cents, deposited_cents = excluded.deposited_cents,
    spent_cents = excluded.spent_cents
    where (f.available_cents, f.deposited_cents, f.spent_cents)
      is distinct from (excluded.available_cents, excluded.deposited_cents, excluded.spent_cents)`

/**
 * Copies the users of the next `most` transfers from before `completeBefore`. Returns the number of transfers. The caller holds the
 * lock.
 */
export async function copyNext(tx: Tx, completeBefore: string, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with next as materialized (
      select id, owner_id from transfer
        where id > ${LAST_COPIED}
          and id <= (select max(id) from transfer where id > ${LAST_COPIED} and created_at < ${completeBefore}::timestamptz)
        order by id limit ${most}),
    copied as (${INSERT} ${COPY} and aa.owner_id in (select owner_id from next) order by 1 ${OR_UPDATE} returning 1),
    progress as (
      update wallet_figure_progress set last_transfer_id = (select max(id) from next) where exists (select from next) returning 1)
    select (select count(*) from next) as n, (select count(*) from copied) as copies`.execute(tx)
  return rows[0]!.n
}

/** Copies the next `many` users by id. Returns the last one's id; null after the last user. */
export async function copyUsers(
  tx: Tx,
  afterOwnerId: number,
  many: number,
): Promise<number | null> {
  const { rows } = await sql<{ lastId: number | null }>`
    with next as materialized (
      select owner_id from account where owner_id > ${afterOwnerId} and kind = 'available' order by owner_id limit ${many}),
    copied as (${INSERT} ${COPY} and aa.owner_id in (select owner_id from next) order by 1 ${OR_UPDATE} returning 1)
    select (select max(owner_id) from next) as "lastId", (select count(*) from copied) as copies`.execute(
    tx,
  )
  return rows[0]!.lastId
}

/** The last transfer from before `completeBefore`; 0 without one. */
export async function selectLastComplete(tx: Tx, completeBefore: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce((
      select id from transfer where created_at < ${completeBefore}::timestamptz order by id desc limit 1), 0) as id`.execute(
    tx,
  )
  return rows[0]!.id
}

export async function insertCopyProgress(tx: Tx, lastTransferId: number): Promise<void> {
  await tx
    .insertInto('wallet_figure_progress')
    .values({ last_transfer_id: lastTransferId })
    .execute()
}
