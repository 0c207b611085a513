/**
 * Ends by the operator's word what no carrier answers: a label of unknown outcome, a void without an end. The carrier is asked once more
 * first, and what it says counts. Nothing is bought here (docs/decisions/0028).
 */
import { dollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { carrierAccountNames } from '#server/carriers/service.ts'
import type { Verdict } from '#server/orders/rules.ts'
import { findOrder } from '#server/orders/store.ts'
import type { OrderRecord } from '#server/orders/store.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import { askAndSettleVoids, applyVoidVerdicts, claimOneVoid } from '#server/voids/service.ts'
import {
  labelResolvableAfterMs,
  voidResolvableAfterMs,
  NOT_PAID_BACK,
  NOT_SOLD,
  normalizeTracking,
  trackingProblem,
} from './manual-resolution-rules.ts'
import {
  findPendingLabel,
  findLabelByTrackingNumber,
  hasPurchaseAnswer,
} from './manual-resolution-store.ts'
import { claimUnknownById } from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { LABEL_LEASE_MS, lookUpAndSettle } from './reconcile.ts'
import { batchIdsOf, applyVerdicts } from './settle.ts'
import type { LabelContext } from './settle.ts'

/** What the operator knows of a label. `cost`: what the carrier took, null where he does not know it. */
export type LabelResolution =
  | { outcome: 'sold'; trackingNumber: string; cost: Cents | null }
  | { outcome: 'not-sold' }
export type VoidResolution = 'paid-back' | 'refused'

/** `isAnswered`: the carrier has answered, so that its word counts and not the operator's. */
export type ResolutionResult = { order: OrderRecord; isAnswered: boolean }

/** From when on a label may be ended by hand; what of it. Null where nothing is open, or in another account. */
export type ManualResolution = { what: 'label' | 'void'; from: Date }

/** Whether and from when a label may be ended by hand, and the account that has it where that is not the one that is open. */
export async function manualResolutionFor(
  ctx: LabelContext,
  orderId: number,
): Promise<{ hand: ManualResolution | null; otherAccount: string | null }> {
  const waiting = await findPendingLabel(ctx.database.db, carrierAccountNames(ctx), orderId)
  if (!waiting?.since || waiting.account !== null)
    return { hand: null, otherAccount: waiting?.account ?? null }
  const { state, since, isSubmitted } = waiting
  return {
    hand: {
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
 * Ends a label of unknown outcome. Sold: the hold is captured and its file is wanted; not sold: the hold is given back, and Retry Failed
 * buys it in a new round. Throws Refusal: 'not_found'; 'conflict' for any other label, too early, of another account, or while somebody
 * else settles it; 'unprocessable' for a number that cannot be its own.
 */
export async function resolveLabelManually(
  ctx: LabelContext,
  actorId: number,
  orderId: number,
  word: LabelResolution,
  reason: string,
): Promise<ResolutionResult> {
  const { db, tx: inTx } = ctx.database
  const verdict = verdictFrom(ctx, word)
  const order = await assertPending(ctx, orderId, 'unknown')
  const [claim] = await inTx(tx => claimUnknownForAdmin(ctx, tx, actorId, order))
  if (!claim) throw new Refusal('conflict', CLAIM_LOST)
  const [finding] = await lookUpAndSettle(ctx, [claim])
  const now = (await findOrder(db, orderId))!
  if (finding!.found.found !== 'unknown') {
    if (now.state !== 'unknown') return { order: now, isAnswered: true }
    throw new Refusal(
      'conflict',
      'The carrier has just answered about this label. Its answer is believed in a few minutes; please wait.',
    )
  }
  await inTx(async tx => {
    const batchIds = batchIdsOf([claim])
    const open = await ctx.batchKeeper.lock(tx, batchIds)
    if (verdict.state === 'purchased') await assertNumberUnused(tx, verdict.trackingNumber)
    const { ended } = await applyVerdicts(ctx, tx, [{ claim, verdict }])
    if (ended.length === 0) throw new Refusal('conflict', CLAIM_LOST)
    // Behind the label's lock: whoever writes a late answer down has done so or comes too late to be believed.
    if (verdict.state === 'failed' && (await hasPurchaseAnswer(tx, orderId, claim.round)))
      throw new Refusal('conflict', CARRIER_SAID_SOLD)
    await ctx.batchKeeper.changed(
      tx,
      batchIds.filter(id => !open.has(id)),
    )
    const detail = {
      orderId,
      outcome: word.outcome,
      round: claim.round,
      ...auditDetailOf(verdict),
      reason,
    }
    await insertAuditEntry(tx, { actorId, subjectId: order.userId, action: 'label-ended', detail })
  })
  ctx.meter?.labelsSettled([verdict.state])
  ctx.batchKeeper.progressed(batchIdsOf([claim]))
  return { order: (await findOrder(db, orderId))!, isAnswered: false }
}

const CLAIM_LOST =
  'Somebody else was faster: the label was settled, or is being asked about, at this moment. Please look at it again.'
const CARRIER_SAID_SOLD =
  'The carrier has said that it sold this label; its answer came too late to be written down with the number. '
  + 'Look the number up at the carrier, and end the label as sold.'

type FinalVerdict = Extract<Verdict, { state: 'purchased' | 'failed' }>

/** What the audit keeps of it, in dollars. */
const auditDetailOf = (verdict: FinalVerdict): Record<string, string | number> =>
  verdict.state === 'failed'
    ? {}
    : {
        trackingNumber: verdict.trackingNumber,
        ...(verdict.cost !== null && { cost: dollars(verdict.cost) }),
      }

function verdictFrom({ config }: LabelContext, word: LabelResolution): FinalVerdict {
  if (word.outcome === 'not-sold') return { state: 'failed', reason: NOT_SOLD }
  const trackingNumber = normalizeTracking(word.trackingNumber)
  const problem = trackingProblem(trackingNumber, config.mode === 'sandbox')
  if (problem) throw refuseFields({ trackingNumber: problem })
  return { state: 'purchased', trackingNumber, cost: word.cost, isVoided: false }
}

/** The label, if it waits for its carrier's word for long enough. */
async function assertPending(
  ctx: LabelContext,
  orderId: number,
  state: 'unknown' | 'voiding',
): Promise<OrderRecord> {
  const { db } = ctx.database
  const [order, waiting] = [
    await findOrder(db, orderId),
    await findPendingLabel(db, carrierAccountNames(ctx), orderId),
  ]
  if (!order || !waiting) throw new Refusal('not_found', 'There is no such label')
  if (waiting.state !== state) {
    throw new Refusal(
      'conflict',
      state === 'unknown' ? 'What became of this label is known' : 'No void of this label is open',
    )
  }
  if (waiting.account !== null) {
    throw new Refusal(
      'conflict',
      `This label was bought with the carrier account ${waiting.account}, which has to be asked first. `
        + 'Start with its key.',
    )
  }
  const wantedMs = resolvableAfterMs(ctx, state, waiting.isSubmitted)
  if (waiting.waitedMs < wantedMs) {
    throw new Refusal(
      'conflict',
      `The carrier is still being asked. This can be ended by hand ${waitSpanText(wantedMs)} after it began to wait.`,
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
  const taken = await claimUnknownById(tx, carrierAccountNames(ctx), order.id, LABEL_LEASE_MS)
  if (taken.length > 0) await auditCarrierCheck(tx, actorId, order)
  return taken
}

const auditCarrierCheck = (tx: Tx, actorId: number, { id, userId }: OrderRecord): Promise<number> =>
  insertAuditEntry(tx, {
    actorId,
    subjectId: userId,
    action: 'label-checked',
    detail: { orderId: id },
  })

async function assertNumberUnused(tx: Tx, trackingNumber: string): Promise<void> {
  const holder = await findLabelByTrackingNumber(tx, trackingNumber)
  if (holder !== null)
    throw refuseFields({ trackingNumber: `Label ${holder} has this tracking number` })
}

/**
 * Ends a void that the carrier does not decide. Paid back: the price goes back to the customer; refused: the label stays good. Throws
 * Refusal as above.
 */
export async function resolveVoidManually(
  ctx: LabelContext,
  actorId: number,
  orderId: number,
  word: VoidResolution,
  reason: string,
): Promise<ResolutionResult> {
  const { db, tx: inTx } = ctx.database
  const order = await assertPending(ctx, orderId, 'voiding')
  const taken = await inTx(async tx => {
    const found = await claimOneVoid(ctx, tx, orderId)
    if (found.claims.length > 0) await auditCarrierCheck(tx, actorId, order)
    return found
  })
  const [claim] = taken.claims
  if (!claim) throw new Refusal('conflict', CLAIM_LOST)
  const [asked] = await askAndSettleVoids(ctx, taken, ctx.config.carrierTimeoutMs)
  if (asked!.answer.kind === 'voided' || asked!.answer.kind === 'permanent') {
    return { order: (await findOrder(db, orderId))!, isAnswered: true }
  }
  await inTx(async tx => {
    const verdict =
      word === 'paid-back'
        ? { state: 'voided' as const }
        : { state: 'purchased' as const, reason: NOT_PAID_BACK }
    if ((await applyVoidVerdicts(ctx, tx, [{ claim, verdict }])) === 0)
      throw new Refusal('conflict', CLAIM_LOST)
    await insertAuditEntry(tx, {
      actorId,
      subjectId: order.userId,
      action: 'void-ended',
      detail: { orderId, outcome: word, reason },
    })
  })
  ctx.batchKeeper.progressed(batchIdsOf([claim]))
  return { order: (await findOrder(db, orderId))!, isAnswered: false }
}
