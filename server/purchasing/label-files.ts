/** Label files of carriers that make them. A file that did not come with the purchase is fetched; the label is never bought again. */
import { batchIdsOf } from '#server/batches/rules.ts'
import { withBatchesLocked } from '#server/batches/service.ts'
import { callFetchLabel } from '#server/carriers/calls.ts'
import type { CarrierLabel, PurchaseResult } from '#server/carriers/port.ts'
import { claimWithBudget } from '#server/carriers/rate-limit.ts'
import { backOffMs } from '#server/carriers/rules.ts'
import { carrierAccountNames, findPause } from '#server/carriers/service.ts'
import { rejectionReason, writeLabelFile } from '#server/labels/carrier-label-file.ts'
import {
  claimDueLabelFiles,
  findNextFetch,
  postponeLabelFile,
  recordLabelFile,
} from '#server/labels/service.ts'
import type { PendingLabelFile } from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { selectInAccounts } from '#server/orders/service.ts'
import type { AnsweredPurchase } from './settle.ts'

const FETCHES_AT_ONCE = 8
/** Longer than a call to the carrier and storing the file. */
const LEASE_MS = 30_000
/** A carrier may take minutes for the file of a label, and a link may be dead for a day. */
const LONGEST_WAIT_MS = 10 * 60_000
/** The other account may be connected again by then. */
const OTHER_ACCOUNT_WAIT_MS = 6 * 60 * 60_000

/** Stores the files that came with purchases. A file that cannot be used is fetched later. */
export async function storeDeliveredFiles(
  ctx: LabelContext,
  answered: AnsweredPurchase[],
): Promise<void> {
  const delivered = answered.flatMap(({ claim, outcome }) => {
    const label = deliveredLabel(outcome)
    return label ? [{ orderId: claim.id, batchId: claim.batchId, label }] : []
  })
  await Promise.all(
    delivered.map(async ({ orderId, batchId, label }) => {
      if (rejectionReason(label) === null) await storeLabelFile(ctx, { orderId, batchId }, label)
    }),
  )
}

const deliveredLabel = (outcome: PurchaseResult): CarrierLabel | undefined =>
  outcome.ok ? outcome.purchase.label : undefined

/** Fetches all due files, also those of a process that died. */
export async function fetchLabelFiles(ctx: LabelContext): Promise<void> {
  if (!ctx.carrier.fetchLabel) return
  while (!ctx.closing.aborted) {
    const pending = await claimWithinLimit(ctx, FETCHES_AT_ONCE)
    if (pending.length === 0) return
    await Promise.all(pending.map(one => fetchLabelFile(ctx, one)))
  }
}

function claimWithinLimit(
  { carrier, database }: LabelContext,
  most: number,
  orderId?: number,
): Promise<PendingLabelFile[]> {
  return database.tx(tx =>
    claimWithBudget(
      tx,
      carrier,
      'paper',
      most,
      available => claimDueLabelFiles(tx, available, LEASE_MS, orderId),
      // The first call for each file was counted with its purchase.
      { counted: files => files.filter(({ attempt }) => attempt > 1) },
    ),
  )
}

/** `waitMs`: until the next fetch. `isBeingFetched`: another process or request is fetching the file now. */
export type LabelFileDelay = { waitMs: number; isBeingFetched: boolean }

/**
 * Fetches one label file at once if it is due: repeated requests cause no additional calls to the carrier. Null after a fetch, or if
 * the file is not pending any more; the result is in the record of the file.
 */
export async function fetchLabelFileNow(
  ctx: LabelContext,
  orderId: number,
): Promise<LabelFileDelay | null> {
  const [pending] = await claimWithinLimit(ctx, 1, orderId)
  if (pending) {
    await fetchLabelFile(ctx, pending)
    return null
  }
  const { db } = ctx.database
  const due = await findNextFetch(db, orderId)
  if (!due) return null
  const pause = await findPause(db, ctx.carrier.account)
  const pauseMs = pause?.until && pause.reason === null ? pause.until.getTime() - Date.now() : 0
  return { waitMs: Math.max(due.dueMs, pauseMs), isBeingFetched: due.isBeingFetched }
}

async function fetchLabelFile(ctx: LabelContext, pending: PendingLabelFile): Promise<void> {
  const { orderId, round, trackingNumber, attempt } = pending
  if (
    !(await selectInAccounts(ctx.database.db, carrierAccountNames(ctx), [orderId])).has(orderId)
  ) {
    return ctx.database.tx(tx =>
      postponeLabelFile(
        tx,
        orderId,
        'The label was bought with another carrier account',
        OTHER_ACCOUNT_WAIT_MS,
      ),
    )
  }
  const purchase = { attempt: { reference: String(orderId), round }, trackingNumber }
  const answer = await callFetchLabel(ctx.carrier, purchase, ctx.config.carrierTimeoutMs)
  const problem = answer.kind === 'label' ? rejectionReason(answer.label) : answer.message
  try {
    if (answer.kind === 'label' && problem === null)
      return await storeLabelFile(ctx, pending, answer.label)
    const requestedMs = 'retryAfterMs' in answer ? (answer.retryAfterMs ?? 0) : 0
    const waitMs =
      answer.kind === 'gone'
        ? null
        : Math.min(LONGEST_WAIT_MS, Math.max(requestedMs, backOffMs(attempt)))
    await ctx.database.tx(tx => postponeLabelFile(tx, orderId, problem!, waitMs))
    if (answer.kind === 'gone')
      ctx.log.error({ orderId, code: answer.code }, 'a label file is gone at the carrier')
  } catch (error) {
    ctx.log.warn(
      { err: error, orderId },
      'a label file could not be stored; it will be fetched again',
    )
  }
}

/** The bytes are written before the record, so that a record always has its file. A closed batch then builds its files again. */
async function storeLabelFile(
  ctx: LabelContext,
  { orderId, batchId }: Pick<PendingLabelFile, 'orderId' | 'batchId'>,
  label: CarrierLabel,
): Promise<void> {
  const stored = await writeLabelFile(ctx.files, orderId, label)
  const batchIds = batchIdsOf([{ batchId }])
  await ctx.database.tx(tx =>
    withBatchesLocked(tx, batchIds, async () => {
      const isNew = await recordLabelFile(tx, stored)
      return { result: undefined, changedBatchIds: isNew ? batchIds : [] }
    }),
  )
  if (batchId !== null) ctx.batchProgress.emit(batchIds)
}
