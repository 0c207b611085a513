/**
 * Rate limit per carrier account: a token bucket in the database, shared by all processes, spent in
 * the transaction that claims the work.
 */
import type { Tx } from '#server/platform/database/database.ts'
import { endPause, lockBudget, pause, spendTokens } from './budget-store.ts'
import type { Carrier, PurchaseResult, CarrierVoidResult, QuoteResult } from './port.ts'
import type { CarrierContext } from './service.ts'

/** Pause after an account problem, which is no label's fault. */
const ACCOUNT_PAUSE_MS = 30_000
/** How long the one label that probes such an account may take before another does. */
const PROBE_TIMEOUT_MS = 5_000

export type CarrierAction = 'look-up' | 'document' | 'void' | 'buy' | 'track' | 'quote'

/**
 * Share of the bucket reserved for more important calls: look-ups, label files and SCAN forms come
 * before new purchases.
 */
const RESERVED_SHARE: Record<CarrierAction, number> = {
  'look-up': 0,
  document: 0,
  void: 0.05,
  buy: 0.1,
  track: 0.5,
  quote: 0.5,
}

type RateLimitedCarrier = Pick<Carrier, 'account' | 'rateLimit' | 'callsPerLabel' | 'callsPerVoid'>

const callsFor = (carrier: RateLimitedCarrier, act: CarrierAction): number =>
  act === 'buy' ? carrier.callsPerLabel : act === 'void' ? (carrier.callsPerVoid ?? 1) : 1

/**
 * How many of `most` calls are available now; one if the account has a problem. recordCalls counts
 * them in the same transaction.
 */
export async function availableCalls(
  tx: Tx,
  carrier: RateLimitedCarrier,
  act: CarrierAction,
  most: number,
): Promise<number> {
  const budget = await lockBudget(tx, carrier.account, carrier.rateLimit)
  if (budget.needsAdministrator && act === 'buy') return 0
  const troubled = budget.reason !== null && !budget.needsAdministrator
  if (budget.pauseMs > 0 && (!troubled || act === 'buy')) return 0
  const wanted = troubled && act === 'buy' ? Math.min(1, most) : most
  if (budget.tokens === null) return wanted
  const free = budget.tokens - carrier.rateLimit!.burst * RESERVED_SHARE[act]
  return Math.max(0, Math.min(wanted, Math.floor(free / callsFor(carrier, act))))
}

/**
 * Counts calls about to be made; a negative number gives back calls that were not needed. While the
 * account has a problem, other workers wait for the result.
 */
export async function recordCalls(
  tx: Tx,
  carrier: RateLimitedCarrier,
  act: CarrierAction,
  count: number,
): Promise<void> {
  if (count === 0 || !carrier.rateLimit) return
  await spendTokens(
    tx,
    carrier.account,
    carrier.rateLimit,
    count * callsFor(carrier, act),
    act === 'buy' ? PROBE_TIMEOUT_MS : 0,
  )
}

export type BudgetedClaim<Claim> = {
  /** The claims that cost a call; all of them without it. */
  counted?: (claims: Claim[]) => Claim[]
}

/**
 * The only way to claim work for a carrier: `claim` gets how many of `most` items the carrier may
 * be called for now, and what it claims is counted in the same transaction. Lock order in a claim:
 * the account's budget row comes first; its holder waits for no other row of a settlement.
 */
export async function claimWithBudget<Claim>(
  tx: Tx,
  carrier: RateLimitedCarrier,
  action: CarrierAction,
  most: number,
  claim: (available: number) => Promise<Claim[]>,
  { counted = claims => claims }: BudgetedClaim<Claim> = {},
): Promise<Claim[]> {
  const available = await availableCalls(tx, carrier, action, most)
  if (available === 0) return []
  const claims = await claim(available)
  await recordCalls(tx, carrier, action, counted(claims).length)
  return claims
}

/**
 * Applies a result to the account for all processes: the requested pause, an account problem, or
 * its end. A failed update is repeated by the next call.
 */
export async function applyBackoff(
  ctx: CarrierContext,
  outcome: PurchaseResult | CarrierVoidResult | QuoteResult,
): Promise<void> {
  const { account, rateLimit } = ctx.carrier
  const kind = 'kind' in outcome ? outcome.kind : 'bought'
  const asked = 'retryAfterMs' in outcome ? (outcome.retryAfterMs ?? 0) : 0
  try {
    if (kind === 'account' && 'message' in outcome) {
      const { message: reason } = outcome
      const before = await ctx.database.tx(async tx => {
        const { reason: known } = await lockBudget(tx, account, rateLimit)
        await pause(tx, account, ACCOUNT_PAUSE_MS, reason)
        return known
      })
      // Once: all labels under way are refused with it, and then a probe every half minute.
      if (before !== reason)
        ctx.log.error({ account, reason }, 'the carrier account has a problem; buying is paused')
    } else if (kind === 'retryable' && asked > 0 && rateLimit) {
      await ctx.database.tx(tx => pause(tx, account, asked, null))
    }
  } catch (error) {
    ctx.log.warn({ err: error }, 'how the carrier wants to be asked could not be noted')
  }
}

/** Called in the transaction that settles the purchase. */
export const clearPause = (tx: Tx, carrier: RateLimitedCarrier): Promise<void> =>
  endPause(tx, carrier.account)
