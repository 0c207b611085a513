import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { TrackingEvent } from '#server/carriers/port.ts'
import {
  CHARGE_SUBJECTS,
  chargeSubject,
  refusedVoidSubject,
  transferKeys,
} from '#server/ledger/rules.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { LabelFacts, LabelTransfer, LaterCharges } from './details-rules.ts'
import type { OrderRecord } from './rules.ts'

/** Transfers of a label and all holds of its bulk order, oldest first; found by their keys. */
export async function selectLabelTransfers(
  db: Db,
  { id, userId, batchId, round }: OrderRecord,
  submissions: number,
): Promise<LabelTransfer[]> {
  const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1)
  const keys = [
    ...upTo(round).flatMap(one => [
      transferKeys.capture(id, one),
      transferKeys.release(id, one),
      ...(batchId === null ? [transferKeys.holdOrder(id, one)] : []),
    ]),
    ...(batchId === null ? [] : upTo(submissions).map(one => transferKeys.holdBatch(batchId, one))),
    transferKeys.refund(id),
  ]
  return selectTransfersByKey(db, userId, keys)
}

/** Charges and credits of a label beyond its price, oldest first, and what of them waits for money. */
export async function selectLaterCharges(
  db: Db,
  { id, userId }: Pick<OrderRecord, 'id' | 'userId'>,
): Promise<LaterCharges> {
  const { rows: subjects } = await sql<{
    name: string
    collections: number
    waiting: number
    at: Date
    reason: string
  }>`
    select s.name, coalesce(c.collections, 0) as collections, c.created_at as at, c.reason,
        coalesce(c.cents - c.collected_cents - c.waived_cents, 0)::bigint as waiting
      from (select ${sql.lit(CHARGE_SUBJECTS.adjustment)} || a.id as name from carrier_adjustment a where a.order_id = ${id}
        union all values (${chargeSubject('voidedScan', id)}), (${chargeSubject('voidCredit', id)})) s
      left join owed_charge c on c.subject = s.name order by c.id`.execute(db)
  const keys = subjects.flatMap(({ name, collections }) => [
    transferKeys.carrierCredit(name),
    transferKeys.carrierCredit(refusedVoidSubject(name)),
    transferKeys.returned(name),
    ...Array.from({ length: collections }, (_, n) => transferKeys.collect(name, n + 1)),
  ])
  return {
    transfers: await selectTransfersByKey(db, userId, keys),
    waiting: subjects
      .filter(({ waiting }) => waiting > 0)
      .map(({ at, waiting, reason }) => ({ at, cents: cents(waiting), reason })),
  }
}

async function selectTransfersByKey(
  db: Db,
  ownerId: number,
  keys: readonly string[],
): Promise<LabelTransfer[]> {
  const rows = await db
    .selectFrom('transfer')
    .select(['id', 'kind', 'cents', 'created_at as at', 'round', 'reason'])
    .where('owner_id', '=', ownerId)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .orderBy('id')
    .execute()
  return rows.map(row => ({ ...row, cents: cents(row.cents) }))
}

/** Of a row of a bulk order's first round it is the key of the bulk order. */
const KEY_ID = sql`coalesce(o.api_key_id, case when o.round = 1 then b.api_key_id end)`

/** Names of the keys that orders were ordered with, by order id; without those ordered on a page. */
export async function selectKeyNames(
  db: Db,
  orderIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select o.id, k.name from shipment_order o
      left join batch b on b.id = o.batch_id
      join api_key k on k.id = ${KEY_ID}
      where o.id = any(${orderIds}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** `apiKey`: name of the key that the label was ordered with. */
type LabelOrigin = { submissions: number; serviceUid: string; apiKey: string | null }

/** What an order's record does not contain. */
export async function selectLabelFacts(db: Db, orderId: number): Promise<LabelFacts & LabelOrigin> {
  const { rows } = await sql<LabelFacts & LabelOrigin>`
    select o.service_uid as "serviceUid",
        (select k.name from api_key k where k.id = ${KEY_ID}) as "apiKey",
         coalesce(b.submission, 0) as submissions, r.accepted_at as "replacedAt",
        case when o.state = 'unknown' then o.unknown_since end as "unknownSince",
        o.void_requested_at as "voidRequestedAt", o.void_requested_by as "voidRequestedBy", o.void_is_automatic as "isAutomatic",
        case when o.void_reason is not null then (
          select max(c.finished_at) from carrier_call c
            where c.order_id = o.id and c.act = 'void' and c.outcome = 'permanent') end as "voidRefusedAt"
      from shipment_order o
      left join batch b on b.id = o.batch_id
      left join batch r on r.id = o.replaced_by
      where o.id = ${orderId}`.execute(db)
  return rows[0]!
}

/** More than any carrier reports of a parcel. */
const EVENTS_SHOWN = 200

/** What the carrier reported of the parcel, oldest first. */
export async function selectParcelEvents(db: Db, orderId: number): Promise<TrackingEvent[]> {
  const { rows } = await sql<TrackingEvent>`
    select at, status, text, place from (
        select * from parcel_event where order_id = ${orderId} order by at desc, text limit ${EVENTS_SHOWN}) newest
      order by at, text desc`.execute(db)
  return rows
}
