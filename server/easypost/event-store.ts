/** Events: the messages of deliveries to endpoints made through /v2, as they were sent. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { PageRequest } from './pages-store.ts'

/** `states`: of its deliveries. */
export type EventRecord = { id: number; body: string; states: string[] }

const OWN = (userId: number) => sql`
  webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id and e.format = 'easypost' and e.user_id = ${userId}`

/** The first delivery of each message; `id`: of that. After an id the oldest of the newer ones. */
export async function selectEvents(
  db: Db,
  userId: number,
  { size, before, after, from, to }: PageRequest,
): Promise<{ events: EventRecord[]; hasMore: boolean }> {
  const isAscending = after !== null && before === null
  const { rows } = await sql<EventRecord>`
    select d.id, d.body,
        (select array_agg(other.state) from webhook_delivery other where other.message_id = d.message_id) as states
      from ${OWN(userId)}
      where d.id < coalesce(${before}::bigint, 9223372036854775807) and d.id > coalesce(${after}::bigint, 0)
        and d.created_at >= coalesce(${from}::timestamptz, '-infinity') and d.created_at < coalesce(${to}::timestamptz, 'infinity')
        and not exists (
          select 1 from webhook_delivery first join webhook_endpoint fe on fe.id = first.endpoint_id and fe.format = 'easypost'
            where first.message_id = d.message_id and first.id < d.id)
      order by d.id ${isAscending ? sql`asc` : sql`desc`} limit ${size + 1}`.execute(db)
  const events = rows.slice(0, size)
  return { events: isAscending ? events.toReversed() : events, hasMore: rows.length > size }
}

export async function selectEvent(
  db: Db,
  userId: number,
  messageId: string,
): Promise<EventRecord | undefined> {
  const { rows } = await sql<EventRecord>`
    select min(d.id) as id, min(d.body) as body, array_agg(d.state) as states
      from ${OWN(userId)} where d.message_id = ${messageId}::uuid having count(*) > 0`.execute(db)
  return rows[0]
}
