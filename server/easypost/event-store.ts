/** Events: the messages of deliveries to endpoints made through /v2, as they were sent. */
import { sql } from 'kysely'
import { boundedBody, MAX_PAGE_BYTES } from '#server/platform/database/bounded-bodies.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { PageRequest } from './pages-store.ts'

/** `states`: of its deliveries. */
export type EventRecord = { id: number; body: string; states: string[] }

const OWN = (userId: number) => sql`
  webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id and e.format = 'easypost' and e.user_id = ${userId}`

/**
 * The first delivery of each message; `id`: of that. After an id the oldest of the newer ones. Each
 * endpoint gives one page: a message's deliveries follow one another, and at most that of the
 * message `after` comes beside it. The page ends when its bodies have `mostBytes`.
 */
export async function selectEvents(
  db: Db,
  userId: number,
  { size, before, after, from, to }: PageRequest,
  mostBytes = MAX_PAGE_BYTES,
): Promise<{ events: EventRecord[]; hasMore: boolean }> {
  const isAscending = after !== null && before === null
  const order = isAscending ? sql`asc` : sql`desc`
  const { rows } = await sql<EventRecord & { body: string | null }>`
    select d.id,
        ${boundedBody(order, mostBytes)} as body,
        (select array_agg(other.state) from webhook_delivery other where other.message_id = d.message_id) as states
      from webhook_endpoint e cross join lateral (
        select id, body, message_id from webhook_delivery
          where endpoint_id = e.id
            and id < coalesce(${before}::bigint, 9223372036854775807) and id > coalesce(${after}::bigint, 0)
            and created_at >= coalesce(${from}::timestamptz, '-infinity') and created_at < coalesce(${to}::timestamptz, 'infinity')
          order by id ${order} limit ${size + 2}) d
      where e.format = 'easypost' and e.user_id = ${userId} and not exists (
          select 1 from webhook_delivery first join webhook_endpoint fe on fe.id = first.endpoint_id and fe.format = 'easypost'
            where first.message_id = d.message_id and first.id < d.id)
      order by d.id ${order} limit ${size + 1}`.execute(db)
  const fitting = rows.filter((row): row is EventRecord => row.body !== null)
  const events = fitting.slice(0, size)
  return {
    events: isAscending ? events.toReversed() : events,
    hasMore: rows.length > events.length,
  }
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
