/**
 * Ends unknown labels and voids that the carrier never decides. The carrier is called once more
 * first, and its answer wins. Buys nothing (docs/decisions/0028-manual-resolution.md).
 */
import { dollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { batchIdsOf } from '#server/batches/rules.ts'
import { withBatchesLocked } from '#server/batches/service.ts'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import { orderNotFound } from '#server/orders/access.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { contextOfLabel } from '#server/orders/label-account.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { findOrder } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { claimWaitingRefund } from '#server/voids/service.ts'
import type { VoidClaim } from '#server/voids/service.ts'
import { applyVoidVerdicts, askAndSettleVoids, claimOneVoid } from '#server/voids/settle.ts'
import { auditCarrierCheck } from './look-up.ts'
import {
  labelResolvableAfterMs,
  normalizeTracking,
  NOT_PAID_BACK,
  NOT_SOLD,
  trackingProblem,
  USED_AFTER_VOID,
  voidResolvableAfterMs,
} from './manual-resolution-rules.ts'
import {
  findPendingLabel,
  hasPurchaseAnswer,
  lockTrackingNumber,
} from './manual-resolution-store.ts'
import { countSettledLabels } from './metrics.ts'
import { claimUnknownById } from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { lookUpAndSettle } from './reconcile.ts'
import type { Verdict } from './rules.ts'
import { applyVerdicts } from './settle.ts'
import { selectLabelsOfNumbers } from './taken-numbers-store.ts'

/** `cost`: what the carrier charged, null if unknown. */
export type LabelResolution =
  | { outcome: 'sold'; trackingNumber: string; cost: Cents | null }
  | { outcome: 'not-sold' }
export type VoidResolution = 'paid-back' | 'refused'

/** `isAnswered`: the carrier's answer counts, not the operator's. */
export type ResolutionResult = { order: OrderRecord; isAnswered: boolean }

export type ManualResolution = { what: 'label' | 'void'; from: Date }

/** `otherAccount`: the carrier account of the label, if it is not connected. */
export async function manualResolutionFor(
  given: LabelContext,
  orderId: number,
): Promise<{ resolution: ManualResolution | null; otherAccount: string | null }> {
  const ctx = await contextOfLabel(given, orderId)
  const pending = await findPendingLabel(ctx.database.db, namesOfOwnCarrierAccount(ctx), orderId)
  if (pending?.since && pending.isConfirmed)
    return { resolution: { what: 'void', from: pending.since }, otherAccount: null }
  if (!pending?.since || pending.account !== null)
    return { resolution: null, otherAccount: pending?.account ?? null }
  const { state, since, isSubmitted } = pending
  return {
    resolution: {
      what: state === 'unknown' ? 'label' : 'void',
      from: new Date(since.getTime() + resolvableAfterMs(ctx, state, isSubmitted)),
    },
    otherAccount: null,
  }
}

const resolvableAfterMs = (
  { carrier }: LabelContext,
  state: OrderRecord['state'],
  isSubmitted: boolean,
): number =>
  state === 'unknown'
    ? labelResolvableAfterMs(carrier.quarantineMs)
    : voidResolvableAfterMs(isSubmitted)

/**
 * Sold: captures the hold and requests the label file. Not sold: releases the hold, and Retry
 * Failed buys a new round. Throws Refusal: 404, 409 (other state, too early, other
 * account, settled meanwhile), 422 (wrong tracking number).
 */
export async function resolveLabelManually(
  given: LabelContext,
  actorId: number,
  orderId: number,
  resolution: LabelResolution,
  reason: string,
): Promise<ResolutionResult> {
  const ctx = await contextOfLabel(given, orderId)
  const { db, tx: inTx } = ctx.database
  const verdict = verdictFrom(ctx, resolution)
  const order = await assertPending(ctx, orderId, 'unknown')
  const [claim] = await inTx(tx => claimUnknownForAdmin(ctx, tx, actorId, order))
  if (!claim) throw new Refusal('changed_meanwhile', CLAIM_LOST)
  const [finding] = await lookUpAndSettle(ctx, [claim], { isLimited: false })
  const now = (await findOrder(db, orderId))!
  if (finding!.found.found !== 'unknown') {
    if (now.state !== 'unknown') return { order: now, isAnswered: true }
    throw new Refusal(
      'carrier_asked',
      'The carrier has just answered for this label. The answer counts in a few minutes. Please wait.',
    )
  }
  if (finding!.isOpenElsewhere && resolution.outcome === 'not-sold')
    throw new Refusal(
      'carrier_asked',
      'This label was ordered before the database was restored, and another carrier account may have sold it. '
        + 'That account does not answer now. Please wait until it answers, or mark the label as sold.',
    )
  const batchIds = batchIdsOf([claim])
  await inTx(async tx => {
    await withBatchesLocked(tx, batchIds, async () => {
      if (verdict.state === 'purchased') await assertNumberUnused(tx, verdict.trackingNumber)
      const { ended } = await applyVerdicts(ctx, tx, [{ claim, verdict }])
      if (ended.length === 0) throw new Refusal('changed_meanwhile', CLAIM_LOST)
      // Checked under the lock of the label: a later answer comes too late to count.
      if (verdict.state === 'failed' && (await hasPurchaseAnswer(tx, orderId, claim.round)))
        throw new Refusal('changed_meanwhile', CARRIER_SAID_SOLD)
      return { result: undefined, changedBatchIds: batchIds }
    })
    const detail = {
      orderId,
      outcome: resolution.outcome,
      round: claim.round,
      ...auditDetailOf(verdict),
      reason,
    }
    await insertAuditEntry(tx, { actorId, subjectId: order.userId, action: 'label-ended', detail })
  })
  countSettledLabels(ctx.meter, [verdict.state])
  ctx.batchProgress.emit(batchIds)
  return { order: (await findOrder(db, orderId))!, isAnswered: false }
}

const CLAIM_LOST =
  'This label was settled or checked by someone else at the same time. Please check it again.'
const CARRIER_SAID_SOLD =
  'The carrier has answered that it sold this label, but too late for the tracking number to be saved. '
  + 'Look the number up at the carrier and mark the label as sold.'

type FinalVerdict = Extract<Verdict, { state: 'purchased' | 'failed' }>

/** Amounts in dollars. */
const auditDetailOf = (verdict: FinalVerdict): Record<string, string | number> =>
  verdict.state === 'failed'
    ? {}
    : {
        trackingNumber: verdict.trackingNumber,
        ...(verdict.cost !== null && { cost: dollars(verdict.cost) }),
      }

function verdictFrom({ config }: LabelContext, resolution: LabelResolution): FinalVerdict {
  if (resolution.outcome === 'not-sold') return { state: 'failed', reason: NOT_SOLD }
  const trackingNumber = normalizeTracking(resolution.trackingNumber)
  const problem = trackingProblem(trackingNumber, config.mode === 'sandbox')
  if (problem) throw refuseField('trackingNumber', 'tracking_number_malformed', problem)
  return { state: 'purchased', trackingNumber, cost: resolution.cost, isVoided: false }
}

async function assertPending(
  ctx: LabelContext,
  orderId: number,
  state: 'unknown' | 'voiding',
): Promise<OrderRecord> {
  const { db } = ctx.database
  const [order, pending] = [
    await findOrder(db, orderId),
    await findPendingLabel(db, namesOfOwnCarrierAccount(ctx), orderId),
  ]
  if (!order || !pending) throw orderNotFound()
  if (pending.state !== state) {
    throw new Refusal(
      'wrong_state',
      state === 'unknown' ? 'The outcome of this label is known' : 'This label has no open void',
    )
  }
  // Only the refund waits: the carrier has answered.
  if (pending.isConfirmed) return order
  if (pending.account !== null) {
    throw new Refusal(
      'carrier_asked',
      `This label was bought with the carrier account ${pending.account}, which must be asked first. `
        + 'Start Evenpost with its key.',
    )
  }
  const requiredMs = resolvableAfterMs(ctx, state, pending.isSubmitted)
  if (pending.waitedMs < requiredMs) {
    throw new Refusal(
      'carrier_asked',
      `The carrier is still being asked. You can resolve this manually ${waitSpanText(requiredMs)} after it started waiting.`,
    )
  }
  return order
}

const waitSpanText = (ms: number): string => {
  const hours = ms / 3_600_000
  return hours >= 48
    ? `${Math.round(hours / 24)} days`
    : hours >= 2
      ? `${Math.round(hours)} hours`
      : `${Math.round(hours * 60)} minutes`
}

async function claimUnknownForAdmin(
  ctx: LabelContext,
  tx: Tx,
  actorId: number,
  order: OrderRecord,
): Promise<PurchaseClaim[]> {
  const claims = await claimUnknownById(tx, namesOfOwnCarrierAccount(ctx), order.id, LABEL_LEASE_MS)
  if (claims.length > 0) await auditCarrierCheck(tx, actorId, order)
  return claims
}

async function assertNumberUnused(tx: Tx, trackingNumber: string): Promise<void> {
  await lockTrackingNumber(tx, trackingNumber)
  const [holder] = await selectLabelsOfNumbers(tx, [trackingNumber])
  if (holder)
    throw refuseField(
      'trackingNumber',
      'tracking_number_taken',
      `Label ${holder.id} already has this tracking number`,
    )
}

/**
 * Paid back: refunds the price. Refused: the label stays valid. Throws Refusal like
 * `resolveLabelManually`.
 */
export async function resolveVoidManually(
  given: LabelContext,
  actorId: number,
  orderId: number,
  resolution: VoidResolution,
  reason: string,
): Promise<ResolutionResult> {
  const ctx = await contextOfLabel(given, orderId)
  const { db, tx: inTx } = ctx.database
  const order = await assertPending(ctx, orderId, 'voiding')
  const waiting = await inTx(tx => claimWaitingRefund(tx, orderId, LABEL_LEASE_MS))
  if (waiting) {
    if (resolution === 'refused' && !waiting.isStopped)
      throw new Refusal(
        'wrong_state',
        'The carrier has confirmed this void: its refund can be refused only once the label was scanned',
      )
    await endVoid(ctx, actorId, waiting, { resolution, reason, refusal: USED_AFTER_VOID })
    return { order: (await findOrder(db, orderId))!, isAnswered: false }
  }
  const claimed = await inTx(async tx => {
    const found = await claimOneVoid(ctx, tx, orderId)
    if (found.claims.length > 0) await auditCarrierCheck(tx, actorId, order)
    return found
  })
  const [claim] = claimed.claims
  if (!claim) throw new Refusal('changed_meanwhile', CLAIM_LOST)
  const [asked] = await askAndSettleVoids(ctx, claimed, ctx.config.carrierTimeoutMs)
  const { verdict } = asked!
  // A confirmed void is answered too: its refund waits, and nothing may overwrite it.
  if (verdict.state !== 'voiding' || verdict.isConfirmed) {
    return { order: (await findOrder(db, orderId))!, isAnswered: true }
  }
  await endVoid(ctx, actorId, claim, { resolution, reason, refusal: NOT_PAID_BACK })
  return { order: (await findOrder(db, orderId))!, isAnswered: false }
}

async function endVoid(
  ctx: LabelContext,
  actorId: number,
  claim: VoidClaim,
  by: { resolution: VoidResolution; reason: string; refusal: string },
): Promise<void> {
  await ctx.database.tx(async tx => {
    const verdict =
      by.resolution === 'paid-back'
        ? { state: 'voided' as const }
        : { state: 'purchased' as const, reason: by.refusal }
    if ((await applyVoidVerdicts(ctx, tx, [{ claim, verdict }])) === 0)
      throw new Refusal('changed_meanwhile', CLAIM_LOST)
    await insertAuditEntry(tx, {
      actorId,
      subjectId: claim.userId,
      action: 'void-ended',
      detail: { orderId: claim.id, outcome: by.resolution, reason: by.reason },
    })
  })
  ctx.batchProgress.emit(batchIdsOf([claim]))
}
