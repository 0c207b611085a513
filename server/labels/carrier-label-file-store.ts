import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type { CarrierLabelFormat, LabelMime } from '#server/carriers/port.ts'
import { isNotOf } from '#server/carriers/service.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

/** The file of a label that was requested from the carrier in this format. */
export type LabelFileKey = { orderId: number; format: CarrierLabelFormat }

/** A carrier's label file. `problem`: why it is missing, or cannot be merged. */
export type CarrierLabelFileRecord = LabelFileKey & {
  state: 'pending' | 'stored' | 'unavailable'
  problem: string | null
  fileName: string | null
  mime: LabelMime | null
}

/** A label whose file is to be fetched, with what the carrier needs to know. */
export type PendingLabelFile = LabelFileKey & {
  batchId: number | null
  round: number
  trackingNumber: string
  attempt: number
}

/** A file that was requested before stays as it is. `waitMs`: until the first fetch. */
export async function requestLabelFiles(
  tx: Tx,
  orderIds: number[],
  format: CarrierLabelFormat = PURCHASED_FORMAT,
  waitMs = 0,
): Promise<void> {
  if (orderIds.length === 0) return
  await sql`insert into carrier_label_file (order_id, format, run_after)
    select id, ${format}, clock_timestamp() + ${waitMs} * interval '1 millisecond'
      from unnest(${orderIds}::bigint[]) as id on conflict do nothing`.execute(tx)
}

/** Condition on pending files `f` that are due, or on this one, without those of the carrier accounts `others`. */
type DueFiles = { others: readonly string[]; only?: LabelFileKey | undefined }

const dueLabelFiles = ({ others, only }: DueFiles): RawBuilder<unknown> => sql`carrier_label_file f
          ${others.length === 0 ? sql`` : sql`join shipment_order o on o.id = f.order_id and ${isNotOf(others)}`}
        where f.state = 'pending' and f.run_after <= clock_timestamp()
          ${only ? sql`and f.order_id = ${only.orderId} and f.format = ${only.format}` : sql``}`

export async function isLabelFileDue(db: Db, due: DueFiles): Promise<boolean> {
  const { rows } = await sql`select 1 from ${dueLabelFiles(due)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Claims files that are due; other processes do not fetch them for `leaseMs`. A claimed file has no problem until its fetch reports one.
 * Files of purchases come first: a batch waits for them.
 */
export async function claimDueLabelFiles(
  tx: Tx,
  limit: number,
  leaseMs: number,
  due: DueFiles,
): Promise<PendingLabelFile[]> {
  const { rows } = await sql<PendingLabelFile>`
    with due as materialized (
      select f.order_id, f.format from ${dueLabelFiles(due)}
        order by f.format, f.run_after limit ${limit} for update of f skip locked)
    update carrier_label_file p
      set attempt = p.attempt + 1, problem = null, run_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      from due, shipment_order o
      where p.order_id = due.order_id and p.format = due.format and o.id = due.order_id
      returning p.order_id as "orderId", p.format, p.attempt,
        o.batch_id as "batchId", o.round, o.tracking_number as "trackingNumber"`.execute(tx)
  return rows
}

/**
 * Time (ms) until a pending file is fetched, and whether it is being fetched, or stored as it came with
 * the purchase; null if none is pending.
 */
export async function findNextFetch(
  db: Db,
  { orderId, format }: LabelFileKey,
): Promise<{ dueMs: number; isBeingFetched: boolean } | null> {
  const { rows } = await sql<{ dueMs: number; isBeingFetched: boolean }>`
    select greatest(0, extract(epoch from run_after - clock_timestamp()) * 1000)::float8 as "dueMs",
        problem is null and run_after > clock_timestamp() as "isBeingFetched"
      from carrier_label_file
      where order_id = ${orderId} and format = ${format} and state = 'pending'`.execute(db)
  return rows[0] ?? null
}

export type StoredLabelFile = LabelFileKey & {
  fileName: string
  mime: LabelMime
  bytes: number
  sha256: string
  problem: string | null
}

/** Records a written file unless one is recorded. Returns whether it was recorded. */
export async function recordLabelFile(
  tx: Tx,
  { orderId, format, fileName, mime, bytes, sha256, problem }: StoredLabelFile,
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
    .where('format', '=', format)
    .where('state', '<>', 'stored')
    .executeTakeFirst()
  return Number(done.numUpdatedRows) > 0
}

/** Schedules the next fetch in `waitMs`, or never for null. */
export async function postponeLabelFile(
  tx: Tx,
  { orderId, format }: LabelFileKey,
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
    .where('format', '=', format)
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
  format: CarrierLabelFormat = PURCHASED_FORMAT,
): Promise<Map<number, CarrierLabelFileRecord>> {
  const rows = await db
    .selectFrom('carrier_label_file')
    .select(['order_id', 'state', 'problem', 'file_name', 'mime'])
    .where(sql<boolean>`order_id = any(${orderIds}::bigint[])`)
    .where('format', '=', format)
    .execute()
  return new Map(
    rows.map(({ order_id: orderId, state, problem, file_name: fileName, mime }) => [
      orderId,
      { orderId, format, state, problem, fileName, mime },
    ]),
  )
}

/** Only files of purchases: other formats are fetched when they are requested. */
export async function countPendingLabelFiles(db: Db, batchId: number): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from carrier_label_file p join shipment_order o on o.id = p.order_id
      where p.state = 'pending' and p.format = ${PURCHASED_FORMAT} and o.batch_id = ${batchId}`.execute(
    db,
  )
  return rows[0]!.many
}
