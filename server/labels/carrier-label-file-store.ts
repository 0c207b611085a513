import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type LabelMime = 'application/pdf' | 'image/png'

/** A carrier's label file. `problem`: why it is missing, or cannot be merged. */
export type CarrierLabelFileRecord = {
  orderId: number
  state: 'pending' | 'stored' | 'unavailable'
  problem: string | null
  fileName: string | null
  mime: LabelMime | null
}

/** A label whose file is to be fetched, with what the carrier needs to know. */
export type PendingLabelFile = {
  orderId: number
  batchId: number | null
  round: number
  trackingNumber: string
  attempt: number
}

export async function requestLabelFiles(tx: Tx, orderIds: number[]): Promise<void> {
  await sql`insert into carrier_label_file (order_id) select * from unnest(${orderIds}::bigint[]) on conflict do nothing`.execute(
    tx,
  )
}

/**
 * Claims files that are due, or `orderId`'s; others do not fetch them for `leaseMs`. A claimed file
 * has no problem until its fetch reports one.
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
        where state = 'pending' and run_after <= clock_timestamp() ${orderId === undefined ? sql`` : sql`and order_id = ${orderId}`}
        order by run_after limit ${limit} for update skip locked)
    update carrier_label_file p
      set attempt = p.attempt + 1, problem = null, run_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      from due, shipment_order o where p.order_id = due.order_id and o.id = due.order_id
      returning p.order_id as "orderId", o.batch_id as "batchId", o.round, o.tracking_number as "trackingNumber", p.attempt`.execute(
    tx,
  )
  return rows
}

/**
 * Time (ms) until a pending file is fetched, and whether it is being fetched; null if none is
 * pending.
 */
export async function findNextFetch(
  db: Db,
  orderId: number,
): Promise<{ dueMs: number; isBeingFetched: boolean } | null> {
  const { rows } = await sql<{ dueMs: number; isBeingFetched: boolean }>`
    select greatest(0, extract(epoch from run_after - clock_timestamp()) * 1000)::float8 as "dueMs",
        attempt > 0 and problem is null and run_after > clock_timestamp() as "isBeingFetched"
      from carrier_label_file where order_id = ${orderId} and state = 'pending'`.execute(db)
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

/** Records a written file unless one is recorded. Returns whether it was recorded. */
export async function recordLabelFile(
  tx: Tx,
  { orderId, fileName, mime, bytes, sha256, problem }: StoredLabelFile,
): Promise<boolean> {
  const done = await tx
    .updateTable('carrier_label_file')
    .set({
      state: 'stored',
      file_name: fileName,
      mime,
      bytes,
      sha256,
      problem,
      stored_at: sql`clock_timestamp()`,
    })
    .where('order_id', '=', orderId)
    .where('state', '<>', 'stored')
    .executeTakeFirst()
  return Number(done.numUpdatedRows) > 0
}

/** Schedules the next fetch in `waitMs`, or never for null. */
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
      state: waitMs === null ? 'unavailable' : 'pending',
      run_after: sql`clock_timestamp() + ${waitMs ?? 0} * interval '1 millisecond'`,
    })
    .where('order_id', '=', orderId)
    .where('state', '=', 'pending')
    .execute()
}

/**
 * A stored file is missing: it is fetched again, at once the first time and then with growing
 * pauses, since each fetch costs a carrier call.
 */
export async function requestLabelFileAgain(
  tx: Tx,
  orderId: number,
  fileName: string,
): Promise<void> {
  await tx
    .updateTable('carrier_label_file')
    .set({
      state: 'pending',
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

export async function countPendingLabelFiles(db: Db, batchId: number): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from carrier_label_file p join shipment_order o on o.id = p.order_id
      where p.state = 'pending' and o.batch_id = ${batchId}`.execute(db)
  return rows[0]!.many
}
