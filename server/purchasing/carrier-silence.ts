/**
 * What the purchase calls of this process tell about a carrier account: whether it answers. The purchase worker and the
 * requests that buy a single label share one circuit breaker per account, and other processes are told of its pauses.
 */
import type { Carrier, PurchaseResult } from '#server/carriers/port.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import { noteSilence } from '#server/carriers/sources.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'

/** `toldUntil`: until when other processes were told that the account does not answer. */
type Silence = { breaker: CircuitBreaker; toldUntil: number }

const silences = new WeakMap<Carrier, Silence>()

function silenceOf({ carrier }: CarrierContext): Silence {
  const known = silences.get(carrier)
  if (known) return known
  const silence = { breaker: createCircuitBreaker(), toldUntil: -Infinity }
  silences.set(carrier, silence)
  return silence
}

/** Labels of the account that this process may claim: Infinity, 1 as a probe, or 0. `now`: by `performance.now()`. */
export const purchaseAllowance = (ctx: CarrierContext, now: number): number =>
  silenceOf(ctx).breaker.allowance(now)

/** `calledAt`: when the call began, and `now`, when it ended: by `performance.now()`. */
export function recordPurchaseCall(
  ctx: CarrierContext,
  { calledAt, now }: { calledAt: number; now: number },
  outcome: PurchaseResult,
): void {
  const silence = silenceOf(ctx)
  const { account } = ctx.carrier
  if (outcome.ok || outcome.kind !== 'unknown') {
    if (!silence.breaker.recordAnswer(now)) return
    ctx.log.warn({ account }, 'the carrier answers again')
    void noteSilence(ctx, null)
    return
  }
  if (silence.breaker.recordSilence(calledAt, now))
    ctx.log.warn({ account, code: outcome.code }, 'the carrier does not answer; buying is paused')
  // Until the probe after the pause has its answer; once for each pause.
  const until = now + silence.breaker.pauseMs(now)
  if (until <= Math.max(now, silence.toldUntil + 1)) return
  silence.toldUntil = until
  void noteSilence(ctx, until - now + ctx.config.carrierTimeoutMs)
}

/** A carrier that answers look-ups may still leave purchases without an answer: the next label is a probe. */
export const recordLookupAnswer = (ctx: CarrierContext): void => silenceOf(ctx).breaker.probeNow()
