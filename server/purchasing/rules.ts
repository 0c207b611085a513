import type { Cents } from '#contract/money.ts'
import type {
  Attempt,
  Purchase,
  PurchaseLookupResult,
  PurchaseResult,
} from '#server/carriers/port.ts'
import { backOffMs, REFUSED_MS } from '#server/carriers/rules.ts'
import { BEING_CHECKED, READY_AT_CARRIER } from '#server/orders/rules.ts'
import { NOT_SOLD } from './manual-resolution-rules.ts'

/** Customers see this reason. */
export const WAITING_FOR_ACCOUNT = 'Waiting for the carrier account'

/**
 * `refusal`: why the label fails once a look-up proves that it was not sold. `cost`: what the
 * carrier charged, null if unknown. `hasFile`: the answer has the label's file. `refusedCost`: the
 * carrier's price, where it is why the label was not bought. `isUncertain`: the call may have sold
 * it, so only the same account is asked again.
 */
export type Verdict =
  | {
      state: 'purchased'
      trackingNumber: string
      cost: Cents | null
      isVoided: boolean
      hasFile?: true
    }
  | { state: 'failed'; reason: string; refusedCost?: Cents }
  | { state: 'queued'; waitMs: number; reason: string; isUncertain?: true }
  | { state: 'unknown'; waitMs: number; reason: string; refusal?: string; isUncertain?: true }

const DAY_MS = 24 * 60 * 60 * 1000
/** A label may have waited for days without a try, for example while purchases were paused. */
const TRIES_BEFORE_FAILURE = 10
const ACCOUNT_WAIT_MS = 60_000
/** With a second source, which may sell the label as soon as the pause of this account is known. */
const OTHER_SOURCE_WAIT_MS = 1_000
const FIRST_LOOKUP_MS = 250
/** A carrier may complete a sale after its connection broke, but none is known to take longer. */
const GIVE_UP_MS = 2 * 60_000

/** `attempt`: of all rounds. `doubtMs`: since an answer of this round went missing, null if none did. */
export type PurchaseHistory = { attempt: number; waitedMs: number; doubtMs: number | null }

/** Whether the tries of its round decide about a label. */
export const dependsOnTries = (
  outcome: PurchaseResult,
  { round, waitedMs }: { round: number; waitedMs: number },
): boolean => !outcome.ok && outcome.kind === 'retryable' && round > 1 && waitedMs > DAY_MS

/** What the carrier is asked to sell for a claimed label. */
export const attemptOf = ({
  id,
  round,
  attempt,
  doubtMs,
}: Pick<PurchaseHistory, 'attempt' | 'doubtMs'> & { id: number; round: number }): Attempt => ({
  reference: String(id),
  round,
  ...((attempt > 1 || doubtMs !== null) && { mayBeKnown: true }),
})

/**
 * If an earlier call of the round had no answer, it may have sold the label, so a refusal proves
 * nothing; nor does a day without success. In both cases the label fails only after a look-up.
 * `tries`: attempts of this round.
 */
export function verdictOnPurchase(
  outcome: PurchaseResult,
  { attempt, waitedMs, doubtMs }: PurchaseHistory,
  hasSecondSource = false,
  tries = attempt,
): Verdict {
  if (outcome.ok) return purchasedVerdict(outcome.purchase)
  switch (outcome.kind) {
    case 'permanent':
      return doubtMs === null
        ? {
            state: 'failed',
            reason: outcome.message,
            ...(outcome.costCents !== undefined && { refusedCost: outcome.costCents }),
          }
        : verdictPendingLookup(outcome.message)
    case 'unknown':
      return { state: 'unknown', waitMs: FIRST_LOOKUP_MS, reason: BEING_CHECKED }
    case 'account':
      // The message is for the operator, not for the customer.
      return {
        ...(waitedMs > DAY_MS
          ? verdictPendingLookup('The carrier account is not ready; not accepted within 24 hours')
          : {
              state: 'queued',
              waitMs: hasSecondSource ? OTHER_SOURCE_WAIT_MS : ACCOUNT_WAIT_MS,
              reason: WAITING_FOR_ACCOUNT,
            }),
        ...(outcome.isUncertain && { isUncertain: outcome.isUncertain }),
      }
    case 'retryable':
      return waitedMs > DAY_MS && tries >= TRIES_BEFORE_FAILURE
        ? verdictPendingLookup(`${outcome.message}; not accepted within 24 hours`)
        : {
            state: 'queued',
            waitMs: backOffMs(attempt, outcome.retryAfterMs),
            reason: `${outcome.message}; it will be tried again`,
          }
  }
}

const verdictPendingLookup = (refusal: string): Extract<Verdict, { state: 'unknown' }> => ({
  state: 'unknown',
  waitMs: FIRST_LOOKUP_MS,
  reason: BEING_CHECKED,
  refusal,
})

/**
 * What a restored database does not know. 'bought_later': in a later round. 'elsewhere': by another account, which
 * looks it up next.
 */
export type LookupConclusion = PurchaseLookupResult | { found: 'bought_later' | 'elsewhere' }

/** Each further round needs a Retry Failed, which only labels of batches have. */
export const FORGOTTEN_ROUNDS = 3

/** Calls that a look-up at one account may need beyond the first. */
export const laterLookups = (claim: { isBeforeRestore: boolean; batchId: number | null }): number =>
  claim.isBeforeRestore && claim.batchId !== null ? FORGOTTEN_ROUNDS : 0

/** See `PurchaseClaim`. */
export type UnknownHistory = {
  unknownMs: number
  doubtMs?: number | null
  attempt?: number
  refusal?: string | null
}

/**
 * `mayQueue`: no batch or an open one; a closed batch has counted the label as failed. Queueing is
 * safe at once, as the purchase repeats its idempotency key. Failing is not: a late sale would have
 * no owner, and the next round would buy again. Attempts after the second back off, so that a
 * carrier that loses every answer is not called each second.
 */
export function verdictOnLookup(
  found: LookupConclusion,
  history: UnknownHistory,
  quarantineMs: number,
  mayQueue: boolean,
): Verdict {
  const { unknownMs, doubtMs = null, attempt = 1, refusal = null } = history
  if (found.found === 'purchased') return purchasedVerdict(found.purchase)
  if (found.found === 'elsewhere')
    return { state: 'unknown', waitMs: FIRST_LOOKUP_MS, reason: BEING_CHECKED }
  if (refusal !== null && found.found === 'not_purchased') {
    const leftMs = doubtMs === null ? 0 : Math.max(quarantineMs, REFUSED_MS) - doubtMs
    if (leftMs <= 0) return { state: 'failed', reason: refusal }
    return { state: 'unknown', waitMs: lookupRetryMs(unknownMs, leftMs), reason: BEING_CHECKED }
  }
  const gapMs =
    mayQueue || found.found === 'bought_later' ? quarantineMs : Math.max(quarantineMs, GIVE_UP_MS)
  if (found.found === 'unknown' || unknownMs < gapMs) {
    return {
      state: 'unknown',
      waitMs: lookupRetryMs(unknownMs, gapMs - unknownMs),
      reason: BEING_CHECKED,
    }
  }
  if (found.found === 'bought_later') return { state: 'failed', reason: READY_AT_CARRIER }
  if (!mayQueue) return { state: 'failed', reason: NOT_SOLD }
  return { state: 'queued', waitMs: attempt > 1 ? backOffMs(attempt - 1) : 0, reason: '' }
}

const purchasedVerdict = ({
  trackingNumber,
  costCents,
  isVoided = false,
  label,
}: Purchase): Verdict => ({
  state: 'purchased',
  trackingNumber,
  cost: costCents,
  isVoided,
  ...(label && { hasFile: true as const }),
})

/**
 * Look-ups grow sparse, but one falls on the moment from which 'not purchased' counts (`leftMs` from
 * now, past if not positive).
 */
function lookupRetryMs(unknownMs: number, leftMs: number): number {
  const waitMs = Math.min(60_000, Math.max(1_000, unknownMs / 2))
  return leftMs > 0 ? Math.min(waitMs, leftMs) : waitMs
}

/** A label that costs more than its price and the operator's ceiling together. */
export type Loss = { outcome: 'refused' | 'bought'; price: Cents; cost: Cents }

/** Null within the ceiling (cents, null without one), and for labels of unknown cost. */
export function lossOf(verdict: Verdict, price: Cents, maxLoss: Cents | null): Loss | null {
  if (verdict.state === 'failed' && verdict.refusedCost !== undefined)
    return { outcome: 'refused', price, cost: verdict.refusedCost }
  if (verdict.state !== 'purchased' || verdict.cost === null || maxLoss === null) return null
  return verdict.cost > price + maxLoss ? { outcome: 'bought', price, cost: verdict.cost } : null
}
