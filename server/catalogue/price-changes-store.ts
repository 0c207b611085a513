import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { PriceChangeState, ServicePrices } from './tables.ts'

type Person = { id: number; name: string }

/** `userId`: null for the default services. */
export type PriceChangeRecord = {
  id: number
  userId: number | null
  requestKey: string
  content: ServicePrices[]
  kind: 'prices' | 'costs'
  fileName: string | null
  reason: string
  state: PriceChangeState
  startsAt: Date
  setBy: Person
  endedBy: Person | null
  endedAt: Date | null
  failure: string | null
  createdAt: Date
}

const RECORD = sql`
  select c.id, c.user_id as "userId", c.request_key as "requestKey", c.content, c.kind, c.file_name as "fileName", c.reason, c.state,
         c.starts_at as "startsAt", jsonb_build_object('id', s.id, 'name', s.name) as "setBy",
         case when e.id is not null then jsonb_build_object('id', e.id, 'name', e.name) end as "endedBy",
         c.ended_at as "endedAt", c.failure, c.created_at as "createdAt"
    from price_change c join app_user s on s.id = c.set_by left join app_user e on e.id = c.ended_by`

const LISTED = 100

/** Newest first. */
export async function selectPriceChanges(
  db: Db,
  userId: number | null,
): Promise<PriceChangeRecord[]> {
  const { rows } = await sql<PriceChangeRecord>`
    ${RECORD} where c.user_id is not distinct from ${userId}::bigint order by c.id desc limit ${LISTED}`.execute(
    db,
  )
  return rows
}

export async function selectPriceChange(db: Db, id: number): Promise<PriceChangeRecord | null> {
  const { rows } = await sql<PriceChangeRecord>`${RECORD} where c.id = ${id}::bigint`.execute(db)
  return rows[0] ?? null
}

export async function selectPriceChangeByKey(
  db: Db,
  key: string,
): Promise<PriceChangeRecord | null> {
  const { rows } =
    await sql<PriceChangeRecord>`${RECORD} where c.request_key = ${key}::uuid`.execute(db)
  return rows[0] ?? null
}

export type NewPriceChange = Pick<
  PriceChangeRecord,
  'userId' | 'requestKey' | 'kind' | 'content' | 'fileName' | 'reason'
> & { startsAt: Date | null; setBy: number }

/** Without `startsAt` it counts from now on, as the caller applies it in the same transaction. */
export async function insertPriceChange(tx: Tx, change: NewPriceChange): Promise<number> {
  const { userId, requestKey, kind, content, fileName, reason, startsAt, setBy } = change
  const { rows } = await sql<{ id: number }>`
    insert into price_change (user_id, request_key, kind, content, file_name, reason, state, starts_at, set_by, ended_at)
      values (${userId}::bigint, ${requestKey}::uuid, ${kind}, ${JSON.stringify(content)}::jsonb, ${fileName}, ${reason},
              ${startsAt ? 'scheduled' : 'applied'}, coalesce(${startsAt}::timestamptz, now()), ${setBy}::bigint,
              ${startsAt ? null : new Date()}::timestamptz)
      returning id`.execute(tx)
  return rows[0]!.id
}

/** Only of a scheduled change. */
export async function endPriceChange(
  tx: Tx,
  id: number,
  end: { state: 'applied' | 'canceled' | 'failed'; endedBy?: number; failure?: string },
): Promise<void> {
  await tx
    .updateTable('price_change')
    .set({
      state: end.state,
      ended_at: new Date(),
      ended_by: end.endedBy ?? null,
      failure: end.failure ?? null,
    })
    .where('id', '=', id)
    .where('state', '=', 'scheduled')
    .execute()
}

/** Returns the keys of the services of each. */
export async function cancelScheduledOf(
  tx: Tx,
  userId: number,
  endedBy: number,
): Promise<{ services: string[]; reason: string }[]> {
  const rows = await tx
    .updateTable('price_change')
    .set({ state: 'canceled', ended_at: new Date(), ended_by: endedBy })
    .where('user_id', '=', userId)
    .where('state', '=', 'scheduled')
    .returning(['content', 'reason'])
    .execute()
  return rows.map(({ content, reason }) => ({ services: content.map(({ uid }) => uid), reason }))
}

/** Scheduled changes whose time has come, in the order in which they start. */
export async function selectDueChanges(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from price_change where state = 'scheduled' and starts_at <= now() order by starts_at, id limit 100`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/** The prices that the services of a change had right before it; null where they had none. */
export async function selectPricesBefore(db: Db, changeId: number): Promise<ServicePrices[]> {
  const { rows } = await sql<ServicePrices>`
    select d.uid, coalesce(b.ranges, '[]') as ranges, b.price_table as "table", b.rule
      from price_version p left join user_service u on u.id = p.user_service_id
      join default_service d on d.id = coalesce(p.default_id, u.default_id)
      left join price_version b on b.version = p.version - 1
        and (b.default_id = p.default_id or b.user_service_id = p.user_service_id)
      where p.change_id = ${changeId}::bigint order by d.position, d.id`.execute(db)
  return rows
}
