import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { StoredPackage } from '#server/carriers/port.ts'
import { currentAccount } from '#server/carriers/service.ts'
import { restoredAt } from '#server/platform/backup/restore-state.ts'
import { arrayOf, scalarOf } from '#server/platform/database/array-of.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { BEING_CHECKED, READY_AT_CARRIER, toRowItem } from './rules.ts'
import type {
  BatchRow,
  OrderRecord,
  OrderState,
  StateCounts,
  StoredItem,
  UnboughtRow,
} from './rules.ts'
import { ORDER_SELECTION, ROW_COLUMNS, toFields, toOrderRecord } from './store.ts'
import type { RawFields } from './store.ts'

const PAGE_TOKEN = sql<string | null>`(
  select p.page_token from parcel_tracking p where p.order_id = shipment_order.id)`.as('pageToken')

/** The state as stored: a label being purchased is 'queued' here. Files show both as pending. */
const batchRowsAfter = (db: Db, batchId: number, afterRow: number, limit: number) =>
  db
    .selectFrom('shipment_order')
    .select([...ROW_COLUMNS, 'state', PAGE_TOKEN])
    .where('batch_id', '=', scalarOf('bigint', batchId))
    .where('row_no', '>', scalarOf('int', afterRow))
    .orderBy('row_no')
    .limit(scalarOf('int', limit))

type RawBatchRow = RawFields<Omit<BatchRow, 'rowNo'>> & { rowNo: number | null }

const toBatchRow = ({ rowNo, ...raw }: RawBatchRow): BatchRow => ({
  ...toFields(raw),
  rowNo: rowNo!,
})

/** In the order of rows. */
export async function selectBatchRows(
  db: Db,
  batchId: number,
  afterRow: number,
  limit: number,
): Promise<BatchRow[]> {
  return (await batchRowsAfter(db, batchId, afterRow, limit).execute()).map(toBatchRow)
}

/** Differs after each change of a row. A database that lost commits may count its transactions again, so xmin is not enough. */
const ROW_VERSION = sql<string>`concat_ws(':', shipment_order.xmin, state, tracking_number)`

export async function selectBatchRowVersions(
  db: Db,
  batchId: number,
  afterRow: number,
  limit: number,
): Promise<{ order: BatchRow; version: string }[]> {
  const rows = await batchRowsAfter(db, batchId, afterRow, limit)
    .select(ROW_VERSION.as('version'))
    .execute()
  return rows.map(({ version, ...row }) => ({ order: toBatchRow(row), version }))
}

/** MD5 of the versions of all rows, each followed by a space, in the order of rows. */
export async function hashRowVersions(db: Db, batchId: number): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select md5(coalesce(string_agg(${ROW_VERSION} || ' ', '' order by row_no), '')) as hash
      from shipment_order where batch_id = ${batchId}`.execute(db)
  return rows[0]!.hash
}

/** Whether one of the `count` rows after `afterRow` has not ended. */
export async function hasRowsToEnd(
  db: Db,
  batchId: number,
  afterRow: number,
  count: number,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shipment_order
      where batch_id = ${scalarOf('bigint', batchId)} and row_no > ${scalarOf('int', afterRow)}
        and row_no <= ${scalarOf('int', afterRow + count)} and state in ('queued', 'purchasing', 'unknown') limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** What the confirmation file needs of a row. */
export type ConfirmSource = Pick<
  OrderRecord,
  'orderRef' | 'itemRef' | 'items' | 'serviceName' | 'state' | 'trackingNumber' | 'purchasedAt'
> & { rowNo: number; quantity: string }

export async function selectConfirmRows(
  db: Db,
  batchId: number,
  afterRow: number,
  limit: number,
): Promise<ConfirmSource[]> {
  const { rows } = await sql<Omit<ConfirmSource, 'items'> & { items: StoredItem[] | null }>`
    select row_no as "rowNo", order_ref as "orderRef", item_ref as "itemRef", items, service_name as "serviceName", state,
        tracking_number as "trackingNumber", purchased_at as "purchasedAt", package ->> 'quantity' as quantity
      from shipment_order where batch_id = ${batchId} and row_no > ${afterRow} order by row_no limit ${limit}`.execute(
    db,
  )
  return rows.map(row => ({ ...row, items: row.items?.map(toRowItem) ?? null }))
}

/** What is packed under a label. */
export type PackedSource = Pick<OrderRecord, 'id' | 'orderRef' | 'items'> & {
  rowNo: number
  sku: string
  quantity: string
  description: string
}

/** Of bought labels, in the order of rows. */
export async function selectPackedRows(
  db: Db,
  batchId: number,
  afterRow: number,
  limit: number,
): Promise<PackedSource[]> {
  const { rows } = await sql<Omit<PackedSource, 'items'> & { items: StoredItem[] | null }>`
    select id, row_no as "rowNo", order_ref as "orderRef", items, package ->> 'sku' as sku, package ->> 'quantity' as quantity,
        package ->> 'description' as description
      from shipment_order where batch_id = ${batchId} and row_no > ${afterRow} and state = 'purchased'
      order by row_no limit ${limit}`.execute(db)
  return rows.map(row => ({ ...row, items: row.items?.map(toRowItem) ?? null }))
}

/** In the order of rows, after `afterRow`; at most `each` rows of a batch. */
export async function selectUnbought(
  db: Db,
  batchIds: number[],
  each: number,
  afterRow = 0,
): Promise<UnboughtRow[]> {
  const { rows } = await sql<UnboughtRow>`
    select b.id as "batchId", o.*
      from unnest(${batchIds}::bigint[]) as b (id)
      cross join lateral (
        select row_no as "row", id, state, receiver ->> 'name' as receiver, item_ref as "itemRef", reason, replaced_by as "replacedBy",
               concat_ws(', ', nullif(receiver ->> 'street1', ''), nullif(concat_ws(' ', nullif(receiver ->> 'city', ''),
                 nullif(receiver ->> 'state', ''), nullif(receiver ->> 'zip', '')), '')) as address
          from shipment_order where batch_id = b.id and state in ('failed', 'unknown') and row_no > ${afterRow}
          order by row_no limit ${each}) o`.execute(db)
  return rows
}

/** Failed labels that no other batch has replaced, in the order of rows. */
export async function selectRetryable(
  db: Db,
  batchId: number,
  afterRow: number,
  limit: number,
): Promise<OrderRecord[]> {
  const rows = await db
    .selectFrom('shipment_order')
    .select(ORDER_SELECTION)
    .where('batch_id', '=', batchId)
    .where('state', '=', sql.lit('failed'))
    .where('replaced_by', 'is', null)
    .where('row_no', '>', afterRow)
    .orderBy('row_no')
    .limit(limit)
    .execute()
  return rows.map(toOrderRecord)
}

/** Ids in the file of a failed row. `replacedBy`: the batch that has bought it since, edited. */
export type FailedIds = Pick<OrderRecord, 'orderRef' | 'itemRef' | 'items' | 'replacedBy'> & {
  rowNo: number
}

/** In the order of rows. */
export async function selectFailedIds(db: Db, batchId: number): Promise<FailedIds[]> {
  const { rows } = await sql<Omit<FailedIds, 'items'> & { items: StoredItem[] | null }>`
    select row_no as "rowNo", order_ref as "orderRef", item_ref as "itemRef", items, replaced_by as "replacedBy"
      from shipment_order where batch_id = ${batchId} and state = 'failed' order by row_no`.execute(
    db,
  )
  return rows.map(row => ({ ...row, items: row.items?.map(toRowItem) ?? null }))
}

/**
 * Condition on a queued row `o` of the batch `b`. It is found in the queue of its user, between the first and the last row: ids rise with
 * the number of the row, and an index of the batch's own queued rows would be one more entry for each label.
 */
const IS_QUEUED_ROW = sql<boolean>`o.state = 'queued' and o.batch_id = b.id
            and o.user_id = (select user_id from shipment_order where batch_id = b.id order by row_no limit 1)
            and o.id >= (select id from shipment_order where batch_id = b.id order by row_no limit 1)
            and o.id <= (select id from shipment_order where batch_id = b.id order by row_no desc limit 1)`
const QUEUED_ROWS = sql`only shipment_order o where ${IS_QUEUED_ROW}`

/** Rows `o` of the batch `b` that Retry Failed has reopened after a restore: the index has only such rows. */
const REOPENED_ROWS = sql`only shipment_order o where o.state = 'purchasing' and o.batch_id = b.id`

/**
 * Of each bulk order. States are literals, each with an index that has few of the rows; the purchased ones, which are most, are the
 * rest: rows are numbered without gaps.
 */
export async function countStates(db: Db, batchIds: number[]): Promise<Map<number, StateCounts>> {
  const counts = new Map<number, StateCounts>(
    batchIds.map(id => [
      id,
      { queued: 0, purchasing: 0, unknown: 0, purchased: 0, failed: 0, voiding: 0, voided: 0 },
    ]),
  )
  if (batchIds.length === 0) return counts
  const { rows } = await sql<{ batchId: number; state: OrderState; n: number }>`
    select b.id as "batchId", s.state, s.n
      from unnest(${arrayOf('bigint', batchIds)}) as b (id)
      cross join lateral (
        select 'purchased' as state, coalesce(max(row_no), 0)::bigint as n from shipment_order where batch_id = b.id
        union all
        select 'queued', count(*) from ${QUEUED_ROWS}
        union all
        select 'purchasing', count(*) from ${REOPENED_ROWS}
        union all
        select state, count(*) from shipment_order where batch_id = b.id and state in ('failed', 'unknown') group by state
        union all
        select state, count(*) from shipment_order where batch_id = b.id and state = 'voided' group by state
        union all
        select state, count(*) from shipment_order where batch_id = b.id and state = 'voiding' group by state) s`.execute(
    db,
  )
  for (const { batchId, state, n } of rows) {
    const counted = counts.get(batchId)!
    counted[state] += n
    // 'purchased' has the number of all rows.
    if (state !== 'purchased') counted.purchased -= n
  }
  return counts
}

/** Whether the bulk order has labels to buy. */
export async function hasOpenRows(db: Db, batchId: number): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select exists (select from ${QUEUED_ROWS}) or exists (select from ${REOPENED_ROWS}) as "isOpen"
      from (select ${batchId}::bigint as id) b`.execute(db)
  return rows[0]!.isOpen
}

/** The service of a queued label of the batch; null if none is queued. */
export async function findNextService(db: Db, batchId: number): Promise<string | null> {
  const { rows } = await sql<{ uid: string }>`
    select o.service_uid as uid from (select ${batchId}::bigint as id) b
      cross join lateral (select o.service_uid from ${QUEUED_ROWS} limit 1) o`.execute(db)
  return rows[0]?.uid ?? null
}

/** Whether the bulk order has labels of which the carrier has not ended the void. The state is a literal: it has an index. */
export async function hasLabelsBeingVoided(db: Db, batchId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shipment_order where batch_id = ${batchId} and state = 'voiding' limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export type RetryableParcel = { rowNo: number; serviceUid: string; package: StoredPackage }

/** The parcels of the rows that `selectRetryable` would return. */
export async function selectRetryableParcels(db: Db, batchId: number): Promise<RetryableParcel[]> {
  const { rows } = await sql<RetryableParcel>`
    select row_no as "rowNo", service_uid as "serviceUid", package from shipment_order
      where batch_id = ${batchId} and state = 'failed' and replaced_by is null order by row_no`.execute(
    db,
  )
  return rows
}

/** How many rows `selectRetryable` would return, and their price. */
export async function sumRetryable(
  db: Db,
  batchId: number,
): Promise<{ count: number; price: Cents }> {
  const row = await db
    .selectFrom('shipment_order')
    .select(eb => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<string>('price_cents'), sql.lit('0')).as('price'),
    ])
    .where('batch_id', '=', batchId)
    .where('state', '=', 'failed')
    .where('replaced_by', 'is', null)
    .executeTakeFirstOrThrow()
  return { count: row.count, price: cents(Number(row.price)) }
}

/** Failed orders that the batch buys again, edited. Returns how many it marked. */
export async function replaceOrders(
  tx: Tx,
  userId: number,
  ids: number[],
  byBatch: number,
): Promise<number> {
  const { rows } = await sql`
    with replaced as materialized (
      select id from shipment_order where id = any(${ids}::bigint[]) and user_id = ${userId} and state = 'failed' and replaced_by is null
        and batch_id is not null order by id for update)
    update shipment_order o set replaced_by = ${byBatch} from replaced where o.id = replaced.id returning o.id`.execute(
    tx,
  )
  return rows.length
}

export async function selectBatchIdsOfOrders(
  db: Db,
  userId: number,
  ids: number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct batch_id as id from shipment_order
    where id = any(${ids}::bigint[]) and user_id = ${userId} and batch_id is not null order by 1`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/**
 * Skips labels that another batch has replaced. `price` of all, `at`: when they are queued, one
 * moment for all. An order from before a restore is looked up first, at each connected account, as a label whose lease has
 * ended: this round may have been sold after the backup. Until then the batch has a row to be bought, so it does not end.
 */
export async function reopenFailed(
  tx: Tx,
  batchId: number,
  keyId: number | null,
): Promise<{ price: Cents; at: Date }> {
  const { rows } = await sql<{ price: number; at: Date }>`
    with again as materialized (
      select id from shipment_order where batch_id = ${batchId} and state = 'failed' and replaced_by is null order by id for update),
    reopened as (
      update shipment_order o
        set state = 'queued', round = o.round + 1, reason = null, lease_until = null,
            answer_missing_at = case when o.reason = ${READY_AT_CARRIER} then clock_timestamp() end,
            run_after = clock_timestamp(), queued_at = statement_timestamp(), api_key_id = ${keyId}
        from again where o.id = again.id
        returning o.price_cents)
    select coalesce(sum(price_cents), 0)::bigint as price, statement_timestamp() as at from reopened`.execute(
    tx,
  )
  await sql`
    update only shipment_order o
      set state = 'purchasing', fence = o.fence + 1, lease_until = clock_timestamp(), reason = ${BEING_CHECKED},
          carrier_account = case when o.answer_missing_at is null then coalesce(${currentAccount}, o.carrier_account)
            else o.carrier_account end
      from (select ${batchId}::bigint as id) b where ${IS_QUEUED_ROW} and o.created_at < ${restoredAt}`.execute(
    tx,
  )
  const { price, at } = rows[0]!
  return { price: cents(price), at }
}

/**
 * Orders whose present round was ordered with a key, with the key and when it was ordered: a row of
 * the first round has the key of its batch.
 */
export async function selectKeysOfOrders(
  tx: Tx,
  orderIds: number[],
): Promise<{ keyId: number; at: Date; amount: Cents }[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<{ keyId: number; at: Date; amount: number }>`
    select coalesce(o.api_key_id, b.api_key_id) as "keyId",
        case when o.round > 1 then o.queued_at when o.batch_id is null then o.created_at else b.accepted_at end as at,
        o.price_cents as amount
      from shipment_order o
      left join batch b on b.id = o.batch_id and o.round = 1
      where o.id = any(${orderIds}::bigint[]) and coalesce(o.api_key_id, b.api_key_id) is not null`.execute(
    tx,
  )
  return rows.map(row => ({ ...row, amount: cents(row.amount) }))
}
