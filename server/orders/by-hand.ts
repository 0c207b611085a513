/**
 * Ends by the operator's word what no carrier answers: a label of unknown outcome, a void without an end. The carrier is asked once more
 * first, and what it says counts. Nothing is bought here (docs/decisions/0028).
 */
import { dollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { insertAudit } from '#server/accounts/store.ts'
import { accountsOf } from '#server/carriers/service.ts'
import type { Tx } from '#server/platform/database.ts'
import { Refusal, refuseFields } from '#server/platform/refusal.ts'
import {
  endLabelAfterMs,
  endVoidAfterMs,
  NOT_PAID_BACK,
  NOT_SOLD,
  tidyTracking,
  trackingProblem,
} from './by-hand-rules.ts'
import { findWaiting, holderOf, wasSaidSold } from './by-hand-store.ts'
import { claimUnknownNow } from './queue-store.ts'
import type { Claim } from './queue-store.ts'
import { LEASE_MS, lookUp } from './reconcile.ts'
import type { Verdict } from './rules.ts'
import { batchesOf, enter } from './settle.ts'
import type { WithOrders } from './settle.ts'
import { findOrder } from './store.ts'
import type { OrderRecord } from './store.ts'
import { askAndSettle, enterVoids, takeNow } from './voids.ts'

/** What the operator knows of a label. `cost`: what the carrier took, null where he does not know it. */
export type LabelWord =
  | { outcome: 'sold'; trackingNumber: string; cost: Cents | null }
  | { outcome: 'not-sold' }
export type VoidWord = 'paid-back' | 'refused'

/** `isAnswered`: the carrier has answered, so that its word counts and not the operator's. */
export type Ended = { order: OrderRecord; isAnswered: boolean }

/** From when on a label may be ended by hand; what of it. Null where nothing is open, or in another account. */
export type ByHand = { what: 'label' | 'void'; from: Date }

/** Whether and from when a label may be ended by hand, and the account that has it where that is not the one that is open. */
export async function handOf(
  house: WithOrders,
  orderId: number,
): Promise<{ hand: ByHand | null; otherAccount: string | null }> {
  const waiting = await findWaiting(house.database.db, accountsOf(house), orderId)
  if (!waiting?.since || waiting.account !== null)
    return { hand: null, otherAccount: waiting?.account ?? null }
  const { state, since, isSubmitted } = waiting
  return {
    hand: {
      what: state === 'unknown' ? 'label' : 'void',
      from: new Date(since.getTime() + afterMs(house, state, isSubmitted)),
    },
    otherAccount: null,
  }
}

const afterMs = (
  { carrier }: WithOrders,
  state: OrderRecord['state'],
  isSubmitted: boolean,
): number =>
  state === 'unknown' ? endLabelAfterMs(carrier.quarantineMs) : endVoidAfterMs(isSubmitted)

/**
 * Ends a label of unknown outcome. Sold: the hold is captured and its file is wanted; not sold: the hold is given back, and Retry Failed
 * buys it in a new round. Throws Refusal: 'not_found'; 'conflict' for any other label, too early, of another account, or while somebody
 * else settles it; 'unprocessable' for a number that cannot be its own.
 */
export async function endLabelByHand(
  house: WithOrders,
  actorId: number,
  orderId: number,
  word: LabelWord,
  reason: string,
): Promise<Ended> {
  const { db, tx: inTx } = house.database
  const verdict = verdictOf(house, word)
  const order = await demandWaiting(house, orderId, 'unknown')
  const [claim] = await inTx(tx => takeUnknown(house, tx, actorId, order))
  if (!claim) throw new Refusal('conflict', OVERTAKEN)
  const [finding] = await lookUp(house, [claim])
  const now = (await findOrder(db, orderId))!
  if (finding!.found.found !== 'unknown') {
    if (now.state !== 'unknown') return { order: now, isAnswered: true }
    throw new Refusal(
      'conflict',
      'The carrier has just answered about this label. Its answer is believed in a few minutes; please wait.',
    )
  }
  await inTx(async tx => {
    const batchIds = batchesOf([claim])
    const open = await house.batchKeeper.lock(tx, batchIds)
    if (verdict.state === 'purchased') await demandOwnNumber(tx, verdict.trackingNumber)
    const { ended } = await enter(house, tx, [{ claim, verdict }])
    if (ended.length === 0) throw new Refusal('conflict', OVERTAKEN)
    // Behind the label's lock: whoever writes a late answer down has done so or comes too late to be believed.
    if (verdict.state === 'failed' && (await wasSaidSold(tx, orderId, claim.round)))
      throw new Refusal('conflict', SAID_SOLD)
    await house.batchKeeper.changed(
      tx,
      batchIds.filter(id => !open.has(id)),
    )
    const detail = {
      orderId,
      outcome: word.outcome,
      round: claim.round,
      ...factsOf(verdict),
      reason,
    }
    await insertAudit(tx, { actorId, subjectId: order.userId, action: 'label-ended', detail })
  })
  house.meter?.labels([verdict.state])
  house.batchKeeper.progressed(batchesOf([claim]))
  return { order: (await findOrder(db, orderId))!, isAnswered: false }
}

const OVERTAKEN =
  'Somebody else was faster: the label was settled, or is being asked about, at this moment. Please look at it again.'
const SAID_SOLD =
  'The carrier has said that it sold this label; its answer came too late to be written down with the number. '
  + 'Look the number up at the carrier, and end the label as sold.'

type EndVerdict = Extract<Verdict, { state: 'purchased' | 'failed' }>

/** What the audit keeps of it, in dollars. */
const factsOf = (verdict: EndVerdict): Record<string, string | number> =>
  verdict.state === 'failed'
    ? {}
    : {
        trackingNumber: verdict.trackingNumber,
        ...(verdict.cost !== null && { cost: dollars(verdict.cost) }),
      }

function verdictOf({ config }: WithOrders, word: LabelWord): EndVerdict {
  if (word.outcome === 'not-sold') return { state: 'failed', reason: NOT_SOLD }
  const trackingNumber = tidyTracking(word.trackingNumber)
  const problem = trackingProblem(trackingNumber, config.mode === 'sandbox')
  if (problem) throw refuseFields({ trackingNumber: problem })
  return { state: 'purchased', trackingNumber, cost: word.cost, isVoided: false }
}

/** The label, if it waits for its carrier's word for long enough. */
async function demandWaiting(
  house: WithOrders,
  orderId: number,
  state: 'unknown' | 'voiding',
): Promise<OrderRecord> {
  const { db } = house.database
  const [order, waiting] = [
    await findOrder(db, orderId),
    await findWaiting(db, accountsOf(house), orderId),
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
  const wantedMs = afterMs(house, state, waiting.isSubmitted)
  if (waiting.waitedMs < wantedMs) {
    throw new Refusal(
      'conflict',
      `The carrier is still being asked. This can be ended by hand ${spanOf(wantedMs)} after it began to wait.`,
    )
  }
  return order
}

const spanOf = (ms: number): string => {
  const hours = ms / 3_600_000
  return hours >= 48
    ? `${Math.round(hours / 24)} days`
    : hours >= 2
      ? `${Math.round(hours)} hours`
      : `${Math.round(hours * 60)} minutes`
}

async function takeUnknown(
  house: WithOrders,
  tx: Tx,
  actorId: number,
  order: OrderRecord,
): Promise<Claim[]> {
  const taken = await claimUnknownNow(tx, accountsOf(house), order.id, LEASE_MS)
  if (taken.length > 0) await noteAsked(tx, actorId, order)
  return taken
}

const noteAsked = (tx: Tx, actorId: number, { id, userId }: OrderRecord): Promise<number> =>
  insertAudit(tx, { actorId, subjectId: userId, action: 'label-checked', detail: { orderId: id } })

async function demandOwnNumber(tx: Tx, trackingNumber: string): Promise<void> {
  const holder = await holderOf(tx, trackingNumber)
  if (holder !== null)
    throw refuseFields({ trackingNumber: `Label ${holder} has this tracking number` })
}

/**
 * Ends a void that the carrier does not decide. Paid back: the price goes back to the customer; refused: the label stays good. Throws
 * Refusal as above.
 */
export async function endVoidByHand(
  house: WithOrders,
  actorId: number,
  orderId: number,
  word: VoidWord,
  reason: string,
): Promise<Ended> {
  const { db, tx: inTx } = house.database
  const order = await demandWaiting(house, orderId, 'voiding')
  const taken = await inTx(async tx => {
    const found = await takeNow(house, tx, orderId)
    if (found.claims.length > 0) await noteAsked(tx, actorId, order)
    return found
  })
  const [claim] = taken.claims
  if (!claim) throw new Refusal('conflict', OVERTAKEN)
  const [asked] = await askAndSettle(house, taken, house.config.carrierTimeoutMs)
  if (asked!.answer.kind === 'voided' || asked!.answer.kind === 'permanent') {
    return { order: (await findOrder(db, orderId))!, isAnswered: true }
  }
  await inTx(async tx => {
    const verdict =
      word === 'paid-back'
        ? { state: 'voided' as const }
        : { state: 'purchased' as const, reason: NOT_PAID_BACK }
    if ((await enterVoids(house, tx, [{ claim, verdict }])) === 0)
      throw new Refusal('conflict', OVERTAKEN)
    await insertAudit(tx, {
      actorId,
      subjectId: order.userId,
      action: 'void-ended',
      detail: { orderId, outcome: word, reason },
    })
  })
  house.batchKeeper.progressed(batchesOf([claim]))
  return { order: (await findOrder(db, orderId))!, isAnswered: false }
}
