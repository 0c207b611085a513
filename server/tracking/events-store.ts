/** The history of parcels: the carrier's events, each once, in any order of arrival. */
import { sql } from 'kysely'
import type { TrackingEvent, TrackingResult } from '#server/carriers/port.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** A carrier reports some 10 to 30; USPS at most 99. */
const EVENTS_KEPT = 200

/** The only writer. An answer without events counts as its one newest event. */
export async function insertEvents(
  tx: Tx,
  answers: readonly { id: number; tracked: TrackingResult | null }[],
): Promise<void> {
  const rows = answers.flatMap(({ id, tracked }) =>
    tracked ? eventsOf(tracked).map(event => ({ id, ...event })) : [],
  )
  if (rows.length === 0) return
  const column = <T>(pick: (row: (typeof rows)[number]) => T): T[] => rows.map(pick)
  await sql`
    insert into parcel_event (order_id, at, status, text, place)
      select * from unnest(${column(r => r.id)}::bigint[], ${column(r => r.at)}::timestamptz[], ${column(r => r.status)}::text[],
        ${column(r => r.text)}::text[], ${column(r => r.place)}::text[])
      on conflict do nothing`.execute(tx)
}

function eventsOf({ events, at, status, detail }: TrackingResult): TrackingEvent[] {
  if (events) return events.slice(-EVENTS_KEPT)
  return at && status !== 'unknown' ? [{ at, status, text: detail ?? '', place: '' }] : []
}
