/**
 * How fast a carrier is asked: a bucket of questions per account that all processes share, kept in the database. Who takes work asks
 * here first, in the transaction in which he takes it.
 */
import type { Tx } from '#server/platform/database/database.ts'
import { endPause, lockBudget, pause, spendTokens } from './budget-store.ts'
import type { Carrier, PurchaseResult, CarrierVoidResult } from './port.ts'
import type { CarrierContext } from './service.ts'

/** The carrier says that the operator's account has a problem: nobody's labels are to blame, so nothing is bought for a while. */
const ACCOUNT_PAUSE_MS = 30_000
/** How long the one label that tries such an account has for its answer before another tries. */
const PROBE_TIMEOUT_MS = 5_000

export type CarrierAction = 'look-up' | 'paper' | 'void' | 'buy' | 'track'

/** The share of a bucket that is left for those before: to know and to have a label is worth more than to buy the next one. */
const RESERVED_SHARE: Record<CarrierAction, number> = {
  'look-up': 0,
  paper: 0,
  void: 0.05,
  buy: 0.1,
  track: 0.5,
}

type RateLimitedCarrier = Pick<Carrier, 'account' | 'rateLimit' | 'callsPerLabel'>

const callsFor = (carrier: RateLimitedCarrier, act: CarrierAction): number =>
  act === 'buy' ? carrier.callsPerLabel : 1

/**
 * How many of `most` the carrier may be asked about now. An account with a problem is tried with one label at a time. What is taken
 * of them is noted by `asking` in the same transaction.
 */
export async function availableCalls(
  tx: Tx,
  carrier: RateLimitedCarrier,
  act: CarrierAction,
  most: number,
): Promise<number> {
  const budget = await lockBudget(tx, carrier.account, carrier.rateLimit)
  const troubled = budget.reason !== null
  if (budget.pauseMs > 0 && (!troubled || act === 'buy')) return 0
  const wanted = troubled && act === 'buy' ? Math.min(1, most) : most
  if (budget.tokens === null) return wanted
  const free = budget.tokens - carrier.rateLimit!.burst * RESERVED_SHARE[act]
  return Math.max(0, Math.min(wanted, Math.floor(free / callsFor(carrier, act))))
}

/** Notes that the carrier is about to be asked about `count`. While its account has a problem, others wait for what it says. */
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
 * The only way to claim work for a carrier: `claim` gets how many of `most` items the carrier may be called for now, and what it
 * claims is counted in the same transaction. Lock order: the account's budget row comes first.
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
 * Heeds what a carrier has said about being asked: the rest that it wants, or that its account has a problem or none any more. All
 * processes keep to it. What cannot be noted is said again with the next question.
 */
export async function applyBackoff(
  ctx: CarrierContext,
  outcome: PurchaseResult | CarrierVoidResult,
): Promise<void> {
  const { account, rateLimit } = ctx.carrier
  const kind = 'kind' in outcome ? outcome.kind : 'bought'
  const asked = 'retryAfterMs' in outcome ? (outcome.retryAfterMs ?? 0) : 0
  try {
    if (kind === 'account' && 'message' in outcome) {
      ctx.log.error(
        { reason: outcome.message },
        'the carrier account has a problem; buying is paused',
      )
      await ctx.database.tx(tx => pause(tx, account, ACCOUNT_PAUSE_MS, outcome.message))
    } else if (kind === 'retryable' && asked > 0 && rateLimit) {
      await ctx.database.tx(tx => pause(tx, account, asked, null))
    }
  } catch (error) {
    ctx.log.warn({ err: error }, 'how the carrier wants to be asked could not be noted')
  }
}

/** The account has sold something: whatever its problem was, it is solved. Called in the transaction that settles a purchase. */
export const clearPause = (tx: Tx, carrier: RateLimitedCarrier): Promise<void> =>
  endPause(tx, carrier.account)
