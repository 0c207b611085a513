import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type LabelMime = 'application/pdf' | 'image/png'

/** What we have of a label that its carrier has made. `problem`: why it is not here, or cannot be joined with others. */
export type CarrierLabelFileRecord = {
  orderId: number
  state: 'wanted' | 'kept' | 'gone'
  problem: string | null
  fileName: string | null
  mime: LabelMime | null
}

/** A label whose file is to be fetched, with what its carrier must be told. */
export type PendingLabelFile = {
  orderId: number
  batchId: number | null
  round: number
  trackingNumber: string
  attempt: number
}

/** From now on these labels have a file to be fetched. */
export async function requestLabelFiles(tx: Tx, orderIds: number[]): Promise<void> {
  await sql`insert into carrier_label_file (order_id) select * from unnest(${orderIds}::bigint[]) on conflict do nothing`.execute(
    tx,
  )
}

/**
 * Takes files that are due, or `orderId`'s if it is; for so long (ms) nobody else fetches them. One that is in somebody's hands has no
 * problem until he says which.
 */
export async function claimDueLabelFiles(
  tx: Tx,
  limit: number,
  leaseMs: number,
  orderId?: number,
): Promise<PendingLabelFile[]> {
  const { rows } = await sql<PendingLabelFile>`
    with due as materialized (
      select order_id from carrier_label_file
        where state = 'wanted' and run_after <= clock_timestamp() ${orderId === undefined ? sql`` : sql`and order_id = ${orderId}`}
        order by run_after limit ${limit} for update skip locked)
    update carrier_label_file p
      set attempt = p.attempt + 1, problem = null, run_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      from due, shipment_order o where p.order_id = due.order_id and o.id = due.order_id
      returning p.order_id as "orderId", o.batch_id as "batchId", o.round, o.tracking_number as "trackingNumber", p.attempt`.execute(
    tx,
  )
  return rows
}

/** How long (ms) until a wanted file is fetched next, and whether somebody is at it now; null where it is not wanted. */
export async function findNextFetch(
  db: Db,
  orderId: number,
): Promise<{ dueMs: number; isBeingFetched: boolean } | null> {
  const { rows } = await sql<{ dueMs: number; isBeingFetched: boolean }>`
    select greatest(0, extract(epoch from run_after - clock_timestamp()) * 1000)::float8 as "dueMs",
        attempt > 0 and problem is null and run_after > clock_timestamp() as "isBeingFetched"
      from carrier_label_file where order_id = ${orderId} and state = 'wanted'`.execute(db)
  return rows[0] ?? null
}

export type StoredLabelFile = {
  orderId: number
  fileName: string
  mime: LabelMime
  bytes: number
  sha256: string
  problem: string | null
}

/** Notes a file that was written; one that is there already stays. Returns whether it was noted. */
export async function recordLabelFile(
  tx: Tx,
  { orderId, fileName, mime, bytes, sha256, problem }: StoredLabelFile,
): Promise<boolean> {
  const done = await tx
    .updateTable('carrier_label_file')
    .set({
      state: 'kept',
      file_name: fileName,
      mime,
      bytes,
      sha256,
      problem,
      stored_at: sql`clock_timestamp()`,
    })
    .where('order_id', '=', orderId)
    .where('state', '<>', 'kept')
    .executeTakeFirst()
  return Number(done.numUpdatedRows) > 0
}

/** A file has not come; it is tried again after so long (ms), or never where `waitMs` is null. */
export async function postponeLabelFile(
  tx: Tx,
  orderId: number,
  problem: string,
  waitMs: number | null,
): Promise<void> {
  await tx
    .updateTable('carrier_label_file')
    .set({
      problem,
      state: waitMs === null ? 'gone' : 'wanted',
      run_after: sql`clock_timestamp() + ${waitMs ?? 0} * interval '1 millisecond'`,
    })
    .where('order_id', '=', orderId)
    .where('state', '=', 'wanted')
    .execute()
}

/**
 * A file that was kept is not where it was: it is fetched again. At once the first time; a store that loses what was fetched before
 * costs a question each time, so that they become fewer.
 */
export async function requestLabelFileAgain(
  tx: Tx,
  orderId: number,
  fileName: string,
): Promise<void> {
  await tx
    .updateTable('carrier_label_file')
    .set({
      state: 'wanted',
      problem: 'The file is not where it was kept',
      file_name: null,
      mime: null,
      bytes: null,
      sha256: null,
      stored_at: null,
      run_after: sql`case when attempt = 0 then clock_timestamp() else stored_at + 2 ^ least(attempt, 6) * interval '1 minute' end`,
    })
    .where('order_id', '=', orderId)
    .where('file_name', '=', fileName)
    .execute()
}

export async function findLabelFiles(
  db: Db,
  orderIds: number[],
): Promise<Map<number, CarrierLabelFileRecord>> {
  const rows = await db
    .selectFrom('carrier_label_file')
    .select(['order_id', 'state', 'problem', 'file_name', 'mime'])
    .where(sql<boolean>`order_id = any(${orderIds}::bigint[])`)
    .execute()
  return new Map(
    rows.map(({ order_id: orderId, state, problem, file_name: fileName, mime }) => [
      orderId,
      { orderId, state, problem, fileName, mime },
    ]),
  )
}

/** How many labels of a batch are still without their file. */
export async function countPendingLabelFiles(db: Db, batchId: number): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from carrier_label_file p join shipment_order o on o.id = p.order_id
      where p.state = 'wanted' and o.batch_id = ${batchId}`.execute(db)
  return rows[0]!.many
}
