import { setTimeout as wait } from 'node:timers/promises'
import type { UnboughtCode } from '#contract/batches.ts'
import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { parcelFault } from '#contract/parcel-rules.ts'
import type { BulkRow, RowItem } from '#contract/rows.ts'
import { assertWithinDailyLimit, countKeySpending } from '#server/accounts/api-keys.ts'
import { requireUser } from '#server/accounts/service.ts'
import { confirmFormatOfFile, findOmittedRows } from '#server/labels/auto-confirm.ts'
import { assertAffordable, hold } from '#server/ledger/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { BEING_CHECKED, bulkRowFromOrder } from '#server/orders/rules.ts'
import type { UnboughtRow } from '#server/orders/rules.ts'
import {
  countStates,
  reopenFailed,
  selectRetryable,
  selectRetryableParcels,
  selectUnbought,
  sumRetryable,
} from '#server/orders/service.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { cutPage } from '#server/platform/http/list-range.ts'
import type { ListRange } from '#server/platform/http/list-range.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { selectBatchIds, selectBatchIdsAfter } from './batch-list-store.ts'
import { CARRIER_REFUSED } from './failures.ts'
import { sumExceptions } from './outcome-store.ts'
import { selectPartiallyPurchased } from './partially-purchased-store.ts'
import type { PartiallyPurchasedRow } from './partially-purchased-store.ts'
import { countStatesForProgress } from './recent-counts.ts'
import { countsOf, finalStatus, isOpen, isUnfinished, requeueWindowMs } from './rules.ts'
import type { BatchCounts } from './rules.ts'
import { lockSubmissions } from './seen-store.ts'
import { refuseBoughtSince } from './seen.ts'
import {
  findBatch,
  findRunning,
  lockBatches,
  selectBatches,
  startRetry,
  updateFrozenCounts,
} from './store.ts'
import type { BatchRecord } from './store.ts'

export { resetBatchesAfterRestore } from './store.ts'
export type { BatchRecord } from './store.ts'

export type BatchCaller = Pick<Caller, 'userId' | 'role'> & { key?: Caller['key'] }

/**
 * Lock order: batches by id, before orders and balances. Returns the open ones, each with how long
 * ago (ms) one of its labels may have become unknown and still be queued again.
 */
export async function lockBatchesAndListOpen(
  tx: Tx,
  batchIds: number[],
): Promise<Map<number, number>> {
  const batches = await lockBatches(tx, batchIds)
  return new Map(
    batches.flatMap(({ id, status, retriedMs }) =>
      status && isOpen(status) ? [[id, requeueWindowMs(status, retriedMs)]] : [],
    ),
  )
}

/** Updates frozen counts and status, and makes the files stale. Skips open batches. */
export async function recountClosedBatches(tx: Tx, batchIds: number[]): Promise<void> {
  const states = await countStates(tx, batchIds)
  for (const batch of await lockBatches(tx, batchIds)) {
    if (!batch.status || isOpen(batch.status)) continue
    const counts = countsOf('completed', states.get(batch.id)!)
    const status =
      batch.status === 'generating_files' ? batch.status : finalStatus(states.get(batch.id)!)
    await updateFrozenCounts(tx, batch.id, status, counts.processed, counts.failed)
  }
}

/** Recounts changed batches that are closed. Emit the progress after the commit. */
export async function withBatchesLocked<Result>(
  tx: Tx,
  batchIds: number[],
  work: (open: Map<number, number>) => Promise<{ result: Result; changedBatchIds: number[] }>,
): Promise<Result> {
  const open = await lockBatchesAndListOpen(tx, batchIds)
  const { result, changedBatchIds } = await work(open)
  await recountClosedBatches(
    tx,
    changedBatchIds.filter(id => !open.has(id)),
  )
  return result
}

export const batchNotFound = (): Refusal =>
  new Refusal('batch_unknown', 'There is no such bulk order')

/** Throws Refusal 404, also for a batch of another user. */
export async function getBatchFor(
  ctx: LabelContext,
  caller: BatchCaller,
  batchId: number,
): Promise<BatchRecord> {
  const batch = await findBatch(ctx.database.db, batchId)
  if (!batch?.status || (batch.userId !== caller.userId && caller.role !== 'admin'))
    throw batchNotFound()
  return batch
}

/** Counts are frozen when the batch ends. */
export type CountedBatch = { batch: BatchRecord; counts: BatchCounts }

export async function findCountedBatch(db: Db, batchId: number): Promise<CountedBatch | null> {
  const batch = await findBatch(db, batchId)
  return batch?.status ? { batch, counts: (await getCountsOf(db, [batch])).get(batchId)! } : null
}

async function getCountsOf(db: Db, batches: BatchRecord[]): Promise<Map<number, BatchCounts>> {
  const running = batches.filter(batch => isUnfinished(batch.status!))
  const states = await countStatesForProgress(db, running)
  return new Map(
    batches.map(batch => {
      const counted = states.get(batch.id)
      return [
        batch.id,
        counted
          ? countsOf(batch.status!, counted)
          : { processed: batch.processed, failed: batch.failed },
      ]
    }),
  )
}

/** `retryable`: false for a label that is unknown or replaced by another batch. */
export type UnboughtLabel = {
  row: number
  labelId: number
  itemRef: string
  receiver: string
  address: string
  reason: string
  code: UnboughtCode
  retryable: boolean
}

const toUnboughtLabel = ({
  row,
  id,
  state,
  receiver,
  address,
  itemRef,
  reason,
  replacedBy,
}: UnboughtRow): UnboughtLabel => ({
  row,
  labelId: id,
  itemRef: itemRef ?? '',
  receiver,
  address,
  reason: state === 'unknown' ? BEING_CHECKED : (reason ?? CARRIER_REFUSED),
  code: state === 'unknown' ? 'label_unknown' : 'label_refused',
  retryable: state === 'failed' && replacedBy === null,
})

/** In the order of rows, after `afterRow`. */
export async function listFailedLabels(
  db: Db,
  batchId: number,
  afterRow: number,
  limit: number,
): Promise<UnboughtLabel[]> {
  return (await selectUnbought(db, [batchId], limit, afterRow)).map(toUnboughtLabel)
}

/** The status call has no such limits. */
const FAILED_OF_BATCH = 1_000
const FAILED_OF_LIST = 50_000

/** `finalCost`: of labels bought and not voided; null until the batch has ended. */
export type BatchOutcome = { voided: number; finalCost: Cents | null }

export async function findOutcomes(
  db: Db,
  batches: BatchRecord[],
): Promise<Map<number, BatchOutcome>> {
  const exceptions = await sumExceptions(
    db,
    batches.map(batch => batch.id),
  )
  return new Map(
    batches.map(({ id, status, cost }) => {
      const { voided = 0, uncharged = ZERO } = exceptions.get(id) ?? {}
      return [id, { voided, finalCost: isUnfinished(status!) ? null : cents(cost - uncharged) }]
    }),
  )
}

/** `leftOut`: bought labels that the confirmation file omits. */
export type BatchListItem = CountedBatch & {
  outcome: BatchOutcome
  failedLabels: UnboughtLabel[]
  leftOut: number
}

/** Newest first. */
export const findBatchIds = (
  db: Db,
  userId: number,
  page: number,
  limit: number,
): Promise<{ ids: number[]; total: number }> =>
  selectBatchIds(db, userId, (page - 1) * limit, limit)

/** Newest first. */
export async function findBatchIdsAfter(
  db: Db,
  userId: number,
  range: ListRange,
): Promise<{ ids: number[]; total: number; next: number | null }> {
  const { limit } = range
  const { ids, total } = await selectBatchIdsAfter(db, userId, { ...range, limit: limit + 1 })
  const { page, next } = cutPage(ids, limit, id => id)
  return { ids: page, total, next }
}

/** Newest first. `listLength`: of the whole list, whose failed labels are limited. */
export async function describeBatches(
  db: Db,
  ids: number[],
  listLength: number,
): Promise<BatchListItem[]> {
  const batches = await selectBatches(db, ids)
  const counts = await getCountsOf(db, batches)
  const outcomes = await findOutcomes(db, batches)
  const each = Math.min(FAILED_OF_BATCH, Math.floor(FAILED_OF_LIST / Math.max(1, listLength)))
  const failed = Map.groupBy(
    await selectUnbought(
      db,
      batches.map(batch => batch.id),
      each,
    ),
    label => label.batchId,
  )
  const confirmed = batches.filter(
    ({ status, confirmName }) => confirmName !== null && !isUnfinished(status!),
  )
  const partlyBought = Map.groupBy(
    await selectPartiallyPurchased(
      db,
      confirmed.map(batch => batch.id),
    ),
    row => row.batchId,
  )
  return batches.map(batch => ({
    batch,
    counts: counts.get(batch.id)!,
    outcome: outcomes.get(batch.id)!,
    failedLabels: (failed.get(batch.id) ?? []).map(toUnboughtLabel),
    leftOut: countLeftOut(batch, partlyBought.get(batch.id) ?? []),
  }))
}

const countLeftOut = (
  { confirmName, source }: BatchRecord,
  rows: PartiallyPurchasedRow[],
): number =>
  confirmName === null ? 0 : findOmittedRows(rows, confirmFormatOfFile(confirmName, source)).length

export async function findRunningBatch(db: Db, userId: number): Promise<CountedBatch | null> {
  const batch = await findRunning(db, userId)
  return batch ? { batch, counts: (await getCountsOf(db, [batch])).get(batch.id)! } : null
}

export type EditableRow = {
  orderId: number
  row: number
  reason: string
  data: BulkRow
  items?: RowItem[]
}

/** Failed rows after `afterRow`, in their order. */
export async function listEditableRows(
  db: Db,
  batchId: number,
  afterRow: number,
  limit: number,
): Promise<EditableRow[]> {
  const failed = await selectRetryable(db, batchId, afterRow, limit)
  return failed.map(order => ({
    orderId: order.id,
    row: order.rowNo!,
    reason: order.reason ?? '',
    data: bulkRowFromOrder(order),
    ...(order.items && { items: order.items }),
  }))
}

export const countEditableRows = async (db: Db, batchId: number): Promise<number> =>
  (await sumRetryable(db, batchId)).count

const RETRY_PATIENCE_MS = 20_000

export type BatchRetryResult = CountedBatch & { recovered: number }

/**
 * `allowRepeats`: rows may have a label of a later batch. `inTurn` runs the part that changes all
 * rows.
 */
export type RetryOptions = {
  allowRepeats?: boolean
  inTurn?: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * At their original prices. Throws Refusal: 409 if the batch is unfinished, has nothing to
 * retry or rows that were bought since, 422 if the carrier does not take a parcel,
 * 402.
 */
export async function retryBatch(
  ctx: LabelContext,
  caller: BatchCaller,
  batchId: number,
  { allowRepeats = false, inTurn = work => work() }: RetryOptions = {},
): Promise<BatchRetryResult> {
  const { userId } = await getBatchFor(ctx, caller, batchId)
  const boughtBefore = await inTurn(() =>
    reopenBatch(ctx, userId, batchId, { allowRepeats, key: caller.key ?? null }),
  )
  ctx.batchProgress.emit([batchId])
  const until = performance.now() + RETRY_PATIENCE_MS
  for (;;) {
    await wait(50)
    const progress = (await findCountedBatch(ctx.database.db, batchId))!
    if (isUnfinished(progress.batch.status!) && !ctx.closing.aborted && performance.now() <= until)
      continue
    return { ...progress, recovered: (await countBought(ctx.database.db, batchId)) - boughtBefore }
  }
}

async function reopenBatch(
  ctx: LabelContext,
  userId: number,
  batchId: number,
  { allowRepeats, key }: { allowRepeats: boolean; key: Caller['key'] },
): Promise<number> {
  return ctx.database.tx(async tx => {
    await lockSubmissions(tx, userId, { refusesRepeats: !allowRepeats })
    const [batch] = await lockBatches(tx, [batchId])
    if (isUnfinished(batch!.status!)) {
      throw new Refusal(
        'batch_processing',
        `Bulk order ${batchId} is still being processed. Retry once it has finished.`,
      )
    }
    await requireUser(tx, userId)
    const retryable = await sumRetryable(tx, batchId)
    if (retryable.count === 0)
      throw new Refusal(
        'nothing_to_do',
        `Bulk order ${batchId} has no failed label, so there is nothing to retry`,
      )
    if (!allowRepeats) await refuseBoughtSince(tx, batch!)
    await assertParcelsAccepted(tx, batchId)
    await assertAffordable(tx, userId, retryable.price)
    const bought = await countBought(tx, batchId)
    await assertWithinDailyLimit(tx, key, retryable.price)
    const { price, at } = await reopenFailed(tx, batchId, key?.id ?? null)
    const submission = batch!.submission + 1
    await hold(tx, userId, price, { batchId, submission })
    await countKeySpending(tx, key, { amount: price, at })
    await startRetry(tx, batchId, submission)
    return bought
  })
}

/** Rows of an earlier version may be larger than the service takes. */
async function assertParcelsAccepted(tx: Tx, batchId: number): Promise<void> {
  for (const { rowNo, serviceUid, package: parcel } of await selectRetryableParcels(tx, batchId)) {
    const fault = parcelFault(serviceUid, parcel)
    if (fault !== null)
      throw new Refusal(
        fault.code,
        `Row ${rowNo}: ${fault.text}. Correct the row and submit it again.`,
      )
  }
}

async function countBought(db: Db, batchId: number): Promise<number> {
  const states = (await countStates(db, [batchId])).get(batchId)!
  return states.purchased + states.voiding + states.voided
}
