/** What is written down about one label. */
import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { FileKind } from '#contract/orders.ts'
import type { Person } from '#server/accounts/trail-store.ts'
import { keys } from '#server/ledger/rules.ts'
import type { OrderRecord } from '#server/orders/store.ts'
import type { Db } from '#server/platform/database.ts'
import type { CallRow, MoveRow } from './story.ts'

export async function selectCalls(db: Db, orderId: number): Promise<CallRow[]> {
  return db
    .selectFrom('carrier_call')
    .select([
      'act',
      'round',
      'started_at as startedAt',
      'finished_at as finishedAt',
      'outcome',
      'code',
      'message',
    ])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
}

/** Transfers about a label, and all holds of its bulk order, in the order in which they were written; found by their keys. */
export async function selectMoves(
  db: Db,
  { id, userId, batchId, round }: OrderRecord,
  submissions: number,
): Promise<MoveRow[]> {
  const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1)
  const about = [
    ...upTo(round).flatMap(one => [
      keys.capture(id, one),
      keys.release(id, one),
      ...(batchId === null ? [keys.holdOrder(id, one)] : []),
    ]),
    ...(batchId === null ? [] : upTo(submissions).map(one => keys.holdBatch(batchId, one))),
    keys.refund(id),
  ]
  const rows = await db
    .selectFrom('transfer')
    .select(['id', 'kind', 'cents', 'created_at as at', 'round', 'reason'])
    .where('owner_id', '=', userId)
    .where('key', '=', sql<string>`any(${about}::text[])`)
    .orderBy('id')
    .execute()
  return rows.map(row => ({ ...row, cents: cents(row.cents) }))
}

/** What else is known about a label: its bulk order, where it went from there, and who wanted it voided. */
export type Surroundings = {
  submissions: number
  files: { kind: FileKind; at: Date }[]
  replacedAt: Date | null
  unknownSince: Date | null
  askedAt: Date | null
  askedBy: Person | null
  isAutomatic: boolean
}

export async function selectSurroundings(db: Db, orderId: number): Promise<Surroundings> {
  const {
    rows: [row],
  } = await sql<Omit<Surroundings, 'files'> & { batchId: number | null }>`
    select o.batch_id as "batchId", coalesce(b.submission, 0) as submissions, r.accepted_at as "replacedAt",
        case when o.state = 'unknown' then o.unknown_since end as "unknownSince", o.void_requested_at as "askedAt",
        o.void_is_automatic as "isAutomatic",
        case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "askedBy"
      from shipment_order o
      left join batch b on b.id = o.batch_id
      left join batch r on r.id = o.replaced_by
      left join app_user u on u.id = o.void_requested_by
      where o.id = ${orderId}`.execute(db)
  const { batchId, ...around } = row!
  const files =
    batchId === null
      ? []
      : await db
          .selectFrom('label_file')
          .select(['kind', 'created_at as at'])
          .where('batch_id', '=', batchId)
          .execute()
  return { ...around, files }
}
