import { sql } from 'kysely'
import type { UpdateObject } from 'kysely'
import type { BatchStatus } from '#contract/batch-status.ts'
import type { SubmittedFile } from '#contract/batches.ts'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { SourceId } from '#contract/sources.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Tables } from '#server/platform/database/tables.ts'

/** Database channel: a batch has changed. The payload is its id. */
export const BATCH_PROGRESS_CHANNEL = 'batch_progress'

/** `status` is null until rows are accepted. Spans in ms are by the clock of the database. */
export type BatchRecord = {
  id: number
  userId: number
  status: BatchStatus | null
  contentHash: string | null
  total: number
  cost: Cents
  submission: number
  processed: number
  failed: number
  fileKey: string
  pdfName: string | null
  resultName: string | null
  confirmName: string | null
  fileName: string | null
  source: SourceId | null
  filesStale: boolean
  changeCount: number
  isLeased: boolean
  waitedMs: number
  quietMs: number
  retriedMs: number | null
  createdAt: Date
  acceptedAt: Date | null
  updatedAt: Date
}

const COLUMNS = [
  'id',
  'user_id as userId',
  'status',
  'content_hash as contentHash',
  'total_count as total',
  'cost_cents as cost',
  'submission',
  'processed_count as processed',
  'failed_count as failed',
  'file_key as fileKey',
  'pdf_name as pdfName',
  'result_name as resultName',
  'confirm_name as confirmName',
  'file_name as fileName',
  'file_source as source',
  'files_stale as filesStale',
  'change_count as changeCount',
  'created_at as createdAt',
  'accepted_at as acceptedAt',
  'updated_at as updatedAt',
] as const

const CLOCK_COLUMNS = [
  sql<boolean>`coalesce(work_lease_until > clock_timestamp(), false)`.as('isLeased'),
  /** Since when only unknown rows are open. */
  sql<number>`coalesce(extract(epoch from clock_timestamp() - only_unknown_since) * 1000, 0)::float8`.as(
    'waitedMs',
  ),
  /** Since the last change. */
  sql<number>`(extract(epoch from clock_timestamp() - updated_at) * 1000)::float8`.as('quietMs'),
  sql<number | null>`(extract(epoch from clock_timestamp() - retried_at) * 1000)::float8`.as(
    'retriedMs',
  ),
]

const batches = (db: Db) => db.selectFrom('batch').select(COLUMNS).select(CLOCK_COLUMNS)

const toBatchRecord = (raw: Omit<BatchRecord, 'cost'> & { cost: number }): BatchRecord => ({
  ...raw,
  cost: cents(raw.cost),
})

export async function insertBatch(tx: Tx, userId: number): Promise<number> {
  return (
    await tx
      .insertInto('batch')
      .values({
        user_id: userId,
        status: null,
        content_hash: null,
        pdf_name: null,
        result_name: null,
        confirm_name: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
}

/** Keeps the newest `kept` ids that the user has not submitted. */
export async function deleteUnusedBeyond(tx: Tx, userId: number, kept: number): Promise<void> {
  await sql`delete from batch where id in (
    select id from batch where user_id = ${userId} and status is null order by id desc offset ${kept} for update skip locked)`.execute(
    tx,
  )
}

/** Returns the number of deleted ids, at most `limit`. */
export async function deleteUnusedOlderThan(tx: Tx, hours: number, limit: number): Promise<number> {
  const { rows } = await sql`delete from batch where id in (
      select id from batch where status is null and created_at < now() - ${hours} * interval '1 hour' limit ${limit} for update skip locked)
    returning id`.execute(tx)
  return rows.length
}

export async function findBatch(db: Db, id: number): Promise<BatchRecord | undefined> {
  const row = await batches(db).where('id', '=', id).executeTakeFirst()
  return row && toBatchRecord(row)
}

/** Locks batches by id and reads them. */
export async function lockBatches(tx: Tx, ids: number[]): Promise<BatchRecord[]> {
  if (ids.length === 0) return []
  const rows = await batches(tx).where('id', 'in', ids).orderBy('id').forUpdate().execute()
  return rows.map(toBatchRecord)
}

const updateBatch = async (
  tx: Tx,
  id: number,
  change: UpdateObject<Tables, 'batch'>,
): Promise<void> => void (await tx.updateTable('batch').set(change).where('id', '=', id).execute())

/** `keyId`: the key that submits it. */
type AcceptedBatch = {
  contentHash: string
  total: number
  cost: Cents
  file: SubmittedFile | null
  keyId: number | null
}

export const acceptBatch = (tx: Tx, id: number, accepted: AcceptedBatch): Promise<void> =>
  updateBatch(tx, id, {
    status: 'processing',
    content_hash: accepted.contentHash,
    total_count: accepted.total,
    cost_cents: accepted.cost,
    file_name: accepted.file?.name ?? null,
    file_hash: accepted.file?.sha256.toLowerCase() ?? null,
    file_source: accepted.file?.source ?? null,
    api_key_id: accepted.keyId,
    submission: 1,
    accepted_at: sql`now()`,
    updated_at: sql`now()`,
  })

export const startRetry = (tx: Tx, id: number, submission: number): Promise<void> =>
  updateBatch(tx, id, {
    status: 'retrying_failed',
    submission,
    change_count: sql`change_count + 1`, // a build that began before leaves the files stale
    only_unknown_since: null,
    finished_at: null,
    retried_at: sql`clock_timestamp()`,
    updated_at: sql`clock_timestamp()`,
  })

export const startWaiting = (tx: Tx, id: number): Promise<void> =>
  updateBatch(tx, id, { only_unknown_since: sql`coalesce(only_unknown_since, clock_timestamp())` })

/** Files stay stale until they are built, so that a crash repeats the build. */
export const startFileBuild = (
  tx: Tx,
  id: number,
  status: BatchStatus,
  leaseMs: number,
): Promise<void> =>
  updateBatch(tx, id, {
    status,
    updated_at: sql`clock_timestamp()`,
    work_lease_until: sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`,
  })

/** `changeCount`: the count when the build started. Later changes leave the files stale. */
export type BatchEnd = {
  status: BatchStatus
  changeCount: number
  processed: number
  failed: number
  pdfName: string | null
  resultName: string | null
  confirmName: string | null
}

export const endBatch = (tx: Tx, id: number, end: BatchEnd): Promise<void> =>
  updateBatch(tx, id, {
    status: end.status,
    processed_count: end.processed,
    failed_count: end.failed,
    pdf_name: end.pdfName,
    result_name: end.resultName,
    confirm_name: end.confirmName,
    files_stale: sql`change_count <> ${end.changeCount}`,
    work_lease_until: null,
    only_unknown_since: null,
    files_problem: null,
    files_problem_at: null,
    finished_at: sql`coalesce(finished_at, clock_timestamp())`,
    updated_at: sql`clock_timestamp()`,
  })

export const updateFrozenCounts = (
  tx: Tx,
  id: number,
  status: BatchStatus,
  processed: number,
  failed: number,
): Promise<void> =>
  updateBatch(tx, id, {
    status,
    processed_count: processed,
    failed_count: failed,
    files_stale: true,
    change_count: sql`change_count + 1`,
    updated_at: sql`clock_timestamp()`,
  })

export const recordFileProblem = (
  tx: Tx,
  id: number,
  problem: string,
  waitMs: number,
): Promise<void> =>
  updateBatch(tx, id, {
    files_problem: problem,
    files_problem_at: sql`coalesce(files_problem_at, clock_timestamp())`,
    work_lease_until: sql`clock_timestamp() + ${waitMs} * interval '1 millisecond'`,
  })

/** A build that has ended meanwhile is not leased again. */
export const renewFileLease = async (tx: Tx, id: number, leaseMs: number): Promise<void> =>
  void (await tx
    .updateTable('batch')
    .set({ work_lease_until: sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'` })
    .where('id', '=', id)
    .where('work_lease_until', 'is not', null)
    .execute())

export async function selectUnfinished(db: Db, afterId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('batch')
    .select('id')
    .where('id', '>', afterId)
    .where(eb =>
      eb.or([
        eb('status', 'in', ['processing', 'generating_files', 'retrying_failed']),
        eb('files_stale', '=', true),
      ]),
    )
    .where(eb =>
      eb.or([
        eb('work_lease_until', 'is', null),
        eb('work_lease_until', '<', sql<Date>`clock_timestamp()`),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(row => row.id)
}

/** Newest first. */
export async function selectBatches(db: Db, ids: number[]): Promise<BatchRecord[]> {
  const rows = await batches(db)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toBatchRecord)
}

export async function findRunning(db: Db, userId: number): Promise<BatchRecord | undefined> {
  const row = await batches(db)
    .where('user_id', '=', userId)
    .where('status', 'in', ['processing', 'generating_files', 'retrying_failed'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toBatchRecord(row)
}

/** Call it after the commit, never inside the transaction. */
export async function notifyProgress(db: Db, ids: number[]): Promise<void> {
  await sql`select pg_notify(${BATCH_PROGRESS_CHANNEL}, id::text) from unnest(${ids}::bigint[]) as id`.execute(
    db,
  )
}

/** 'files_stale': finished, but files must be built again. */
export async function countUnfinishedBatches(db: Db): Promise<{ status: string; count: number }[]> {
  const { rows } = await sql<{ status: string; count: number }>`
    select case when status in ('processing', 'generating_files', 'retrying_failed') then status else 'files_stale' end as status,
        count(*) as count
      from batch where status in ('processing', 'generating_files', 'retrying_failed') or files_stale
      group by 1`.execute(db)
  return rows
}

/** As that of orders: there are never more bulk orders than orders. */
const BATCH_SEQUENCE_GAP = 1_000_000_000

/** Carriers accept voids for 30 days, and report them for twice as long: files of older batches do not change. */
const SETTLED_AFTER = "interval '60 days'"

/**
 * Ends leases, and restarts the wait for unknown labels. Files, above all in a bucket, may be newer
 * than the rows, so recently changed batches build theirs again. Ids since the backup are in
 * bookmarks and file names, so they are skipped.
 */
export async function resetBatchesAfterRestore(tx: Tx): Promise<void> {
  await sql`update batch set only_unknown_since = null, work_lease_until = null
    where status in ('processing', 'generating_files', 'retrying_failed') or files_stale`.execute(
    tx,
  )
  await sql`update batch set files_stale = true
    where result_name is not null and updated_at > (select max(updated_at) from batch) - ${sql.raw(SETTLED_AFTER)}`.execute(
    tx,
  )
  const sequence = sql`pg_get_serial_sequence('batch', 'id')`
  await sql`select setval(${sequence}, nextval(${sequence}) + ${BATCH_SEQUENCE_GAP})`.execute(tx)
}
