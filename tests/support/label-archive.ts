/** Installations with an archive of labels. */
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { databaseCode } from '#server/platform/database/database.ts'
import { keepLabelArchive, putLabelArchive } from '#server/platform/database/label-archive.ts'
import { cloneDatabase } from './database.ts'
import type { TestDatabase } from './database.ts'
import { newUser } from './users.ts'

export const MONTHS = 13

/** A database of one user, whose last weeks have evidence. */
export async function openInstallation() {
  const { database, drop } = await cloneDatabase()
  onTestFinished(drop)
  const userId = await newUser(database, 'ana')
  await database.owner.pool.query(
    `insert into audit_entry (action, created_at) values ('login', now() - interval '20 days')`,
  )
  return { database, userId }
}

/** As the start of a process that has no time to prepare the archive. */
export const turnOn = ({ owner }: TestDatabase): Promise<unknown> =>
  owner.pool.query('insert into label_archive (months) values ($1)', [MONTHS])

export const keep = async (of: pg.Pool): Promise<string[]> => {
  const done: string[] = []
  await keepLabelArchive(of, { say: step => done.push(step), isStopped: () => false })
  return done
}

/** Turns the archive on, if it is off, and moves what can move. */
export async function archiveOldLabels({ pool, owner }: TestDatabase): Promise<void> {
  await putLabelArchive(owner.pool, MONTHS)
  await keep(pool)
}

let serial = 0
/** Adds a label that was ordered `months` ago; `changes` are SQL assignments. Returns its id. */
export async function addLabel(
  { owner }: TestDatabase,
  userId: number,
  { months = 20, changes = '' }: { months?: number; changes?: string } = {},
): Promise<number> {
  const { rows } = await owner.pool.query<{ id: number }>(
    `insert into shipment_order (user_id, service_uid, service_name, price_cents, sender, receiver, package, state, tracking_number,
        cost_cents, created_at, queued_at, purchased_at)
      select $1, 's', 's', 100, '{"name":"Ana"}', '{}', '{}', 'purchased', 'T' || $2, 80, at, at, at
        from (select now() - $3 * interval '1 month' as at) moment returning id`,
    [userId, String(++serial), months],
  )
  const { id } = rows[0]!
  if (changes !== '')
    await write(owner.pool, `update shipment_order set ${changes} where id = ${id}`)
  return id
}

/** Writes a state that the steps of a label's life do not lead to. */
export const write = (pool: pg.Pool, statement: string): Promise<unknown> =>
  pool.query(`alter table shipment_order disable trigger refuse_order_transition; ${statement};
    alter table shipment_order enable trigger refuse_order_transition`)

/** Ids in the archive and beside it, each in order. */
export async function placesOf({
  owner,
}: TestDatabase): Promise<{ archived: number[]; others: number[] }> {
  const { rows } = await owner.pool.query<{ id: number; isArchived: boolean }>(
    `select id, tableoid = 'shipment_order_archive'::regclass as "isArchived" from shipment_order order by id`,
  )
  const idsOf = (isArchived: boolean): number[] =>
    rows.filter(row => row.isArchived === isArchived).map(({ id }) => id)
  return { archived: idsOf(true), others: idsOf(false) }
}

export const refusalOf = (pool: pg.Pool, statement: string): Promise<unknown> =>
  pool.query(statement).catch((error: unknown) => databaseCode(error))
