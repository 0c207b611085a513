/** A file that did not come with the purchase is fetched; the label is never bought again. */
import { batchIdsOf } from '#server/batches/rules.ts'
import { withBatchesLocked } from '#server/batches/service.ts'
import { callFetchLabel } from '#server/carriers/calls.ts'
import { PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type { CarrierLabel, PurchaseResult } from '#server/carriers/port.ts'
import { claimWithBudget } from '#server/carriers/rate-limit.ts'
import { backOffMs } from '#server/carriers/rules.ts'
import {
  findPause,
  namesOfOtherCarrierAccounts,
  namesOfOwnCarrierAccount,
} from '#server/carriers/service.ts'
import {
  LABEL_FILE_LEASE_MS,
  rejectionReason,
  writeLabelFile,
} from '#server/labels/carrier-label-file.ts'
import {
  claimDueLabelFiles,
  findNextFetch,
  isLabelFileDue,
  postponeLabelFile,
  recordLabelFile,
} from '#server/labels/service.ts'
import type { LabelFileKey, PendingLabelFile, StoredLabelFile } from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { contextOfLabel } from '#server/orders/label-account.ts'
import { selectInAccounts } from '#server/orders/service.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import { storageUnavailable } from '#server/platform/storage/open.ts'
import type { FileStore } from '#server/platform/storage/port.ts'
import { doubtStore, takesFiles } from '#server/platform/storage/takes-files.ts'
import type { AnsweredPurchase } from './settle.ts'

const FETCHES_AT_ONCE = 8
/** A link of a carrier may be dead for a day. */
const LONGEST_WAIT_MS = 10 * 60_000
const OTHER_ACCOUNT_WAIT_MS = 6 * 60 * 60_000
/** After a fetched file could not be stored, although the store took one before the fetch. */
const NOT_STORED_WAIT_MS = 5 * 60_000
/**
 * Limits the files that are being stored: a store that does not answer would fill the memory. No fetch begins above it. Fetched files
 * are always stored, which adds at most FETCHES_AT_ONCE of the largest files for each account, and those that users wait for.
 */
const MOST_WAITING_BYTES = 64 * 1024 * 1024

const waitingBytes = new WeakMap<FileStore, number>()

const hasRoom = (files: FileStore, bytes = 0): boolean =>
  (waitingBytes.get(files) ?? 0) + bytes <= MOST_WAITING_BYTES

/**
 * Stores the files that came with purchases. Others are fetched later: those that cannot be used or stored, and those that exceed the
 * memory for files.
 */
async function storeDeliveredFiles(ctx: LabelContext, answered: AnsweredPurchase[]): Promise<void> {
  const delivered = answered.flatMap(({ claim, outcome }) => {
    const label = deliveredLabel(outcome)
    return label ? [{ orderId: claim.id, batchId: claim.batchId, label }] : []
  })
  const problems = await Promise.all(
    delivered.map(async ({ orderId, batchId, label }) => {
      const key: FileOfLabel = { orderId, format: PURCHASED_FORMAT, batchId }
      const rejection = rejectionReason(label, key.format)
      if (rejection === null && hasRoom(ctx.files, label.bytes.length))
        return storeOrPostpone(ctx, key, label, 0)
      const problem = rejection ?? 'Too many files wait to be stored'
      await ctx.database.tx(tx => postponeLabelFile(tx, key, problem, 0))
      return rejection === null ? new Error('too many label files wait for the store') : null
    }),
  )
  const error = problems.find(problem => problem !== null)
  if (error) ctx.log.warn({ err: error }, 'label files could not be stored; they will be fetched')
}

/** Waits for the store at most as long as for a carrier; the files are still written after that. Never throws. */
export const storeDeliveredFilesInTime = (
  ctx: LabelContext,
  answered: AnsweredPurchase[],
): Promise<void> => inTime(ctx, storeDeliveredFiles(ctx, answered))

const inTime = (ctx: LabelContext, storing: Promise<unknown>): Promise<void> =>
  withTimeout(ctx.config.carrierTimeoutMs, () => storing).then(
    () => {},
    error =>
      ctx.log.warn({ err: error }, 'label files are not stored yet; those that fail are fetched'),
  )

const deliveredLabel = (outcome: PurchaseResult): CarrierLabel | undefined =>
  outcome.ok ? outcome.purchase.label : undefined

/**
 * Fetches all due files, also those of a process that died. Fetches none while the store takes no
 * files: a carrier may give a file only a few times.
 */
export async function fetchLabelFiles(ctx: LabelContext): Promise<void> {
  if (!ctx.carrier.fetchLabel) return
  const others = namesOfOtherCarrierAccounts(ctx)
  while (!ctx.closing.aborted) {
    if (!(await isLabelFileDue(ctx.database.db, { others })) || !(await mayFetch(ctx))) return
    const pending = await claimWithinLimit(ctx, FETCHES_AT_ONCE)
    if (pending.length === 0) return
    await Promise.all(pending.map(one => fetchLabelFile(ctx, one)))
  }
}

const mayFetch = async ({ files }: LabelContext): Promise<boolean> =>
  hasRoom(files) && (await takesFiles(files))

function claimWithinLimit(
  ctx: LabelContext,
  most: number,
  only?: LabelFileKey,
): Promise<PendingLabelFile[]> {
  const { carrier, database } = ctx
  const others = namesOfOtherCarrierAccounts(ctx)
  return database.tx(tx =>
    claimWithBudget(
      tx,
      carrier,
      'document',
      most,
      available => claimDueLabelFiles(tx, available, LABEL_FILE_LEASE_MS, { others, only }),
      // The first call for the file of a purchase was counted with the purchase.
      {
        counted: files =>
          files.filter(({ attempt, format }) => attempt > 1 || format !== PURCHASED_FORMAT),
      },
    ),
  )
}

/** `waitMs`: until the next fetch. `isBeingFetched`: by another process or request. */
export type LabelFileDelay = { waitMs: number; isBeingFetched: boolean }

/**
 * Fetches a file only if it is due, so repeated requests cause no more calls to the carrier. Null
 * after a fetch, or if the file is not pending any more. Throws Refusal 503 while the store takes no files.
 */
export async function fetchLabelFileNow(
  given: LabelContext,
  key: LabelFileKey,
): Promise<LabelFileDelay | null> {
  const ctx = await contextOfLabel(given, key.orderId)
  const isDue = await isLabelFileDue(ctx.database.db, { others: [], only: key })
  if (isDue && !(await mayFetch(ctx))) throw storageUnavailable()
  const [pending] = await claimWithinLimit(ctx, 1, key)
  if (pending) {
    await fetchLabelFile(ctx, pending)
    return null
  }
  const { db } = ctx.database
  const due = await findNextFetch(db, key)
  if (!due) return null
  const pause = await findPause(db, ctx.carrier.account)
  const pauseMs = pause?.until && pause.reason === null ? pause.until.getTime() - Date.now() : 0
  return { waitMs: Math.max(due.dueMs, pauseMs), isBeingFetched: due.isBeingFetched }
}

async function fetchLabelFile(ctx: LabelContext, pending: PendingLabelFile): Promise<void> {
  const { orderId, format, round, trackingNumber, attempt } = pending
  if (
    !(await selectInAccounts(ctx.database.db, namesOfOwnCarrierAccount(ctx), [orderId])).has(
      orderId,
    )
  ) {
    return ctx.database.tx(tx =>
      postponeLabelFile(
        tx,
        pending,
        'The label was bought with another carrier account',
        OTHER_ACCOUNT_WAIT_MS,
      ),
    )
  }
  const purchase = { attempt: { reference: String(orderId), round }, trackingNumber }
  const answer = await callFetchLabel(ctx.carrier, purchase, format, ctx.config.carrierTimeoutMs)
  const problem = answer.kind === 'label' ? rejectionReason(answer.label, format) : answer.message
  if (answer.kind === 'label' && problem === null)
    return inTime(ctx, storeFetched(ctx, pending, answer.label))
  const requestedMs = 'retryAfterMs' in answer ? (answer.retryAfterMs ?? 0) : 0
  const waitMs =
    answer.kind === 'gone'
      ? null
      : Math.min(LONGEST_WAIT_MS, Math.max(requestedMs, backOffMs(attempt)))
  await ctx.database.tx(tx => postponeLabelFile(tx, pending, problem!, waitMs))
  if (answer.kind === 'gone' && format === PURCHASED_FORMAT)
    ctx.log.error({ orderId, code: answer.code }, 'a label file is gone at the carrier')
}

async function storeFetched(
  ctx: LabelContext,
  pending: PendingLabelFile,
  label: CarrierLabel,
): Promise<void> {
  const error = await storeOrPostpone(ctx, pending, label, NOT_STORED_WAIT_MS)
  if (error)
    ctx.log.warn(
      { err: error, orderId: pending.orderId },
      'a label file could not be stored; it will be fetched again',
    )
}

type FileOfLabel = Pick<PendingLabelFile, 'orderId' | 'format' | 'batchId'>

/** Returns the error of a file that is not stored; it is due again in `waitMs`. Never throws. */
async function storeOrPostpone(
  ctx: LabelContext,
  key: FileOfLabel,
  label: CarrierLabel,
  waitMs: number,
): Promise<Error | null> {
  const { files, database } = ctx
  const { length } = label.bytes
  waitingBytes.set(files, (waitingBytes.get(files) ?? 0) + length)
  try {
    await storeLabelFile(ctx, key, label)
    return null
  } catch (error) {
    // Otherwise it is due when its lease ends.
    await database
      .tx(tx => postponeLabelFile(tx, key, 'The file could not be stored', waitMs))
      .catch(() => {})
    return error as Error
  } finally {
    waitingBytes.set(files, waitingBytes.get(files)! - length)
  }
}

/**
 * The bytes are written before the record, so a record always has its file. A closed batch then
 * builds its files again.
 */
async function storeLabelFile(
  ctx: LabelContext,
  { orderId, format, batchId }: FileOfLabel,
  label: CarrierLabel,
): Promise<void> {
  const stored = await writeOrDoubt(ctx, { orderId, format }, label)
  // Other formats are not part of a batch's files.
  if (format !== PURCHASED_FORMAT)
    return ctx.database.tx(async tx => void (await recordLabelFile(tx, stored)))
  const batchIds = batchIdsOf([{ batchId }])
  await ctx.database.tx(tx =>
    withBatchesLocked(tx, batchIds, async () => {
      const isNew = await recordLabelFile(tx, stored)
      return { result: undefined, changedBatchIds: isNew ? batchIds : [] }
    }),
  )
  if (batchId !== null) ctx.batchProgress.emit(batchIds)
}

/** The store is doubted once the write fails or takes too long, and not for errors of the database. */
async function writeOrDoubt(
  { files, config }: LabelContext,
  key: LabelFileKey,
  label: CarrierLabel,
): Promise<StoredLabelFile> {
  const timer = setTimeout(() => doubtStore(files), config.carrierTimeoutMs)
  try {
    return await writeLabelFile(files, key, label)
  } catch (error) {
    doubtStore(files)
    throw error
  } finally {
    clearTimeout(timer)
  }
}
