/** Movements of a user are counted once: those up to a transfer are stored by kind, and only later ones are counted again. */
import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { isOfMonth } from './store.ts'
import type { MovementChoice } from './store.ts'

/** `newer`: how many of them were counted one by one. */
export type MovementCount = { total: number; newer: number }

/** Exact, also when nothing is stored. Those of a month are counted one by one. */
export async function countMovements(
  db: Db,
  ownerId: number,
  { kinds, month }: MovementChoice,
): Promise<MovementCount> {
  if (month !== null) return countOfMonth(db, ownerId, { kinds, month })
  const { rows } = await sql<MovementCount>`
    with stored as (select last_transfer_id, counts from movement_count where owner_id = ${ownerId}),
    newer as (
      select count(*) as n from transfer
        where owner_id = ${ownerId} and kind <> 'capture' and kind = any(${kinds}::text[])
          and id > coalesce((select last_transfer_id from stored), 0))
    select newer.n as newer, newer.n + coalesce((
        select sum(value::bigint) from stored, jsonb_each_text(counts) where key = any(${kinds}::text[])), 0)::bigint as total
      from newer`.execute(db)
  return rows[0]!
}

async function countOfMonth(
  db: Db,
  ownerId: number,
  { kinds, month }: MovementChoice,
): Promise<MovementCount> {
  const { rows } = await sql<MovementCount>`
    select count(*) as total, 0 as newer from transfer
      where owner_id = ${ownerId} and kind <> 'capture' and kind = any(${kinds}::text[]) and ${isOfMonth(month)}`.execute(
    db,
  )
  return rows[0]!
}

/** Stores the count of all movements from before `completeBefore` (see `selectCompleteBefore`). */
export async function storeMovementCount(
  tx: Tx,
  ownerId: number,
  completeBefore: string,
): Promise<void> {
  await sql`insert into movement_count (owner_id) values (${ownerId}) on conflict (owner_id) do nothing`.execute(
    tx,
  )
  await sql`select 1 from movement_count where owner_id = ${ownerId} for update`.execute(tx)
  // A statement of its own: it reads what another process stored before the lock.
  await sql`
    with complete as (
      select max(id) as id from transfer
        where owner_id = ${ownerId} and kind <> 'capture' and created_at < ${completeBefore}::timestamptz),
    added as (
      select t.kind, count(*) as n
        from movement_count c join transfer t on t.owner_id = c.owner_id and t.id > c.last_transfer_id
        where c.owner_id = ${ownerId} and t.kind <> 'capture' and t.id <= (select id from complete) group by 1)
    update movement_count c
      set last_transfer_id = greatest(c.last_transfer_id, coalesce((select id from complete), 0)),
          counts = coalesce((select jsonb_object_agg(kind, n) from (
            select kind, sum(n)::bigint as n from (
              select kind, n from added union all select key, value::bigint from jsonb_each_text(c.counts)) each_part
              group by kind) summed), '{}')
      where c.owner_id = ${ownerId}`.execute(tx)
}
