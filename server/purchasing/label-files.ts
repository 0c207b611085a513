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
import { rejectionReason, writeLabelFile } from '#server/labels/carrier-label-file.ts'
import {
  claimDueLabelFiles,
  findNextFetch,
  postponeLabelFile,
  recordLabelFile,
} from '#server/labels/service.ts'
import type { LabelFileKey, PendingLabelFile } from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { contextOfLabel } from '#server/orders/label-account.ts'
import { selectInAccounts } from '#server/orders/service.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import type { AnsweredPurchase } from './settle.ts'

const FETCHES_AT_ONCE = 8
const LEASE_MS = 30_000
/** A link of a carrier may be dead for a day. */
const LONGEST_WAIT_MS = 10 * 60_000
const OTHER_ACCOUNT_WAIT_MS = 6 * 60 * 60_000

/** Files that cannot be used are fetched later. */
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
      const key = { orderId, format: PURCHASED_FORMAT } as const
      if (rejectionReason(label, key.format) === null)
        await storeLabelFile(ctx, { ...key, batchId }, label)
    }),
  )
}

/** Waits for the store no longer than the carrier may take; what is not stored is fetched later. Never throws. */
export const storeDeliveredFilesInTime = (
  ctx: LabelContext,
  answered: AnsweredPurchase[],
): Promise<void> =>
  withTimeout(ctx.config.carrierTimeoutMs, () => storeDeliveredFiles(ctx, answered)).catch(error =>
    ctx.log.warn({ err: error }, 'label files are not stored yet; those that fail are fetched'),
  )

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
      'paper',
      most,
      available => claimDueLabelFiles(tx, available, LEASE_MS, { others, only }),
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
 * after a fetch, or if the file is not pending any more.
 */
export async function fetchLabelFileNow(
  given: LabelContext,
  key: LabelFileKey,
): Promise<LabelFileDelay | null> {
  const ctx = await contextOfLabel(given, key.orderId)
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
  try {
    if (answer.kind === 'label' && problem === null)
      return await storeLabelFile(ctx, pending, answer.label)
    const requestedMs = 'retryAfterMs' in answer ? (answer.retryAfterMs ?? 0) : 0
    const waitMs =
      answer.kind === 'gone'
        ? null
        : Math.min(LONGEST_WAIT_MS, Math.max(requestedMs, backOffMs(attempt)))
    await ctx.database.tx(tx => postponeLabelFile(tx, pending, problem!, waitMs))
    if (answer.kind === 'gone' && format === PURCHASED_FORMAT)
      ctx.log.error({ orderId, code: answer.code }, 'a label file is gone at the carrier')
  } catch (error) {
    ctx.log.warn(
      { err: error, orderId },
      'a label file could not be stored; it will be fetched again',
    )
  }
}

/**
 * The bytes are written before the record, so a record always has its file. A closed batch then
 * builds its files again.
 */
async function storeLabelFile(
  ctx: LabelContext,
  { orderId, format, batchId }: Pick<PendingLabelFile, 'orderId' | 'format' | 'batchId'>,
  label: CarrierLabel,
): Promise<void> {
  const stored = await writeLabelFile(ctx.files, { orderId, format }, label)
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
