import { findPause } from '#server/carriers/budget-store.ts'
/**
 * Labels' files from carriers that make them. A label that was bought without its file is fetched, as often as it takes; it is never
 * bought again for it.
 */
import { callFetchLabel } from '#server/carriers/calls.ts'
import type { CarrierLabel, PurchaseResult } from '#server/carriers/port.ts'
import { recordCalls, availableCalls } from '#server/carriers/rate-limit.ts'
import { carrierAccountNames } from '#server/carriers/service.ts'
import {
  claimDueLabelFiles,
  findNextFetch,
  recordLabelFile,
  postponeLabelFile,
} from '#server/labels/carrier-label-file-store.ts'
import type { PendingLabelFile } from '#server/labels/carrier-label-file-store.ts'
import { rejectionReason, writeLabelFile } from '#server/labels/carrier-label-file.ts'
import { selectInAccounts } from '#server/orders/open-labels-store.ts'
import { backOffMs } from '#server/orders/rules.ts'
import { batchIdsOf } from './settle.ts'
import type { AnsweredPurchase, LabelContext } from './settle.ts'

const AT_ONCE = 8
/** Longer than any question to a carrier and the writing of its answer. */
const LEASE_MS = 30_000
/** A carrier that has made a label may take a while over its picture, and a link may be dead for a day. */
const LONGEST_WAIT_MS = 10 * 60_000
/** Another account's labels are left to it; it may be back by then. */
const OTHER_ACCOUNT_WAIT_MS = 6 * 60 * 60_000

/** Keeps the files that came with the answers to purchases. What fails here is fetched later. */
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

/** The worker's part: fetches files that are due, also those of a process that died over them. */
export async function fetchLabelFiles(ctx: LabelContext): Promise<void> {
  if (!ctx.carrier.fetchLabel) return
  while (!ctx.closing.aborted) {
    const wanted = await claimWithinLimit(ctx, AT_ONCE)
    if (wanted.length === 0) return
    await Promise.all(wanted.map(one => fetchLabelFile(ctx, one)))
  }
}

/** Takes files that are due, as many as the carrier has room for. The first question for each was counted with its purchase. */
async function claimWithinLimit(
  { carrier, database }: LabelContext,
  most: number,
  orderId?: number,
): Promise<PendingLabelFile[]> {
  return database.tx(async tx => {
    const room = await availableCalls(tx, carrier, 'paper', most)
    const taken = room === 0 ? [] : await claimDueLabelFiles(tx, room, LEASE_MS, orderId)
    await recordCalls(tx, carrier, 'paper', taken.filter(({ attempt }) => attempt > 1).length)
    return taken
  })
}

/** `waitMs`: how long until the carrier may be asked for it again; `isInHand`: somebody asks for it at this moment. */
export type LabelFileDelay = { waitMs: number; isBeingFetched: boolean }

/**
 * Fetches one label's file for somebody who waits for it, if its time has come: who asks again and again makes no more questions to the
 * carrier than there would be without him. Null when it was asked for, or is not wanted any more: what came of it is written down.
 */
export async function fetchLabelFileNow(
  ctx: LabelContext,
  orderId: number,
): Promise<LabelFileDelay | null> {
  const [wanted] = await claimWithinLimit(ctx, 1, orderId)
  if (wanted) {
    await fetchLabelFile(ctx, wanted)
    return null
  }
  const { db } = ctx.database
  const due = await findNextFetch(db, orderId)
  if (!due) return null
  const rest = await findPause(db, ctx.carrier.account)
  const restMs = rest?.until && rest.reason === null ? rest.until.getTime() - Date.now() : 0
  return { waitMs: Math.max(due.dueMs, restMs), isBeingFetched: due.isInHand }
}

async function fetchLabelFile(ctx: LabelContext, wanted: PendingLabelFile): Promise<void> {
  const { orderId, round, trackingNumber, attempt } = wanted
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
  const bought = { attempt: { reference: String(orderId), round }, trackingNumber }
  const answer = await callFetchLabel(ctx.carrier, bought, ctx.config.carrierTimeoutMs)
  const problem = answer.kind === 'label' ? rejectionReason(answer.label) : answer.message
  try {
    if (answer.kind === 'label' && problem === null)
      return await storeLabelFile(ctx, wanted, answer.label)
    const asked = 'retryAfterMs' in answer ? (answer.retryAfterMs ?? 0) : 0
    const waitMs =
      answer.kind === 'gone' ? null : Math.min(LONGEST_WAIT_MS, Math.max(asked, backOffMs(attempt)))
    await ctx.database.tx(tx => postponeLabelFile(tx, orderId, problem!, waitMs))
    if (answer.kind === 'gone')
      ctx.log.error({ orderId, code: answer.code }, 'a label’s file is gone at the carrier')
  } catch (error) {
    ctx.log.warn({ err: error, orderId }, 'a label’s file could not be kept; it is fetched again')
  }
}

/** First the bytes, then the note of them: a note always has its file. Files of a closed batch are made again with it. */
async function storeLabelFile(
  ctx: LabelContext,
  { orderId, batchId }: Pick<PendingLabelFile, 'orderId' | 'batchId'>,
  label: CarrierLabel,
): Promise<void> {
  const kept = await writeLabelFile(ctx.files, orderId, label)
  await ctx.database.tx(async tx => {
    const batches = batchIdsOf([{ batchId }])
    const open = await ctx.batchKeeper.lock(tx, batches)
    if (await recordLabelFile(tx, kept))
      await ctx.batchKeeper.changed(
        tx,
        batches.filter(id => !open.has(id)),
      )
  })
  if (batchId !== null) ctx.batchKeeper.progressed([batchId])
}
