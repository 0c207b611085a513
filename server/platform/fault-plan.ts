import { z } from 'zod'

const shareOfCalls = z.number().min(0).max(1).default(0)
const durationMs = z.number().int().min(0).default(0)

/**
 * How badly the sandbox carrier serves, as data: the same plan fails the same tries of the same labels, so that a run that went
 * wrong is played again. Shares (0 to 1) are of all tries to buy, and which tries they are follows from `seed`, the label's attempt
 * key and how often it was asked for. For tests; without a plan the sandbox fails only where an address tells it to.
 */
export const FaultPlan = z
  .strictObject({
    seed: z.number().int().default(0),
    /** The connection breaks before anything is sold. */
    resetBefore: shareOfCalls,
    /** It is sold, then the connection breaks. */
    resetAfter: shareOfCalls,
    /** It is sold, then the answer is a 500. */
    errorAfter: shareOfCalls,
    /** It is sold, and the answer comes when nobody waits any more. */
    late: shareOfCalls,
    /** It is sold, and the answer makes no sense. */
    nonsense: shareOfCalls,
    /** 429: certainly nothing was sold. */
    busy: shareOfCalls,
    /** The connection breaks, and it is sold `registersAfterMs` later: a look-up before that finds nothing. */
    registersLate: shareOfCalls,
    registersAfterMs: durationMs,
    /** The share of questions afterwards that get no answer. */
    silentLookUp: shareOfCalls,
    /** Nothing is answered for `downForMs`, from `downAfterMs` after this process asked for its first label. */
    downAfterMs: durationMs,
    downForMs: durationMs,
    /** `lookup`: it sells again whatever is asked for again; only a question afterwards tells what was sold. */
    memory: z.enum(['key', 'lookup']).default('key'),
    /** With memory `lookup`: what this carrier is said to need (ms) until 'not sold' can be believed. */
    quarantineMs: durationMs,
  })
  .refine(
    plan =>
      plan.resetBefore
        + plan.resetAfter
        + plan.errorAfter
        + plan.late
        + plan.nonsense
        + plan.busy
        + plan.registersLate
      <= 1,
    { error: 'has shares of tries that add up to more than 1' },
  )
export type FaultPlan = z.output<typeof FaultPlan>

/**
 * How badly the sandbox's payment service delivers its messages, as shares of them; which they are follows from `seed` and their number
 * since the start. For tests; without a plan each comes once and in order.
 */
export const DeliveryPlan = z
  .strictObject({
    seed: z.number().int().default(0),
    /** It never comes. */
    lost: shareOfCalls,
    /** It comes twice, each time as a delivery of its own. */
    twice: shareOfCalls,
    /** It comes after the next one. */
    late: shareOfCalls,
  })
  .refine(plan => plan.lost + plan.twice + plan.late <= 1, {
    error: 'has shares of messages that add up to more than 1',
  })
export type DeliveryPlan = z.output<typeof DeliveryPlan>
export type FaultPlanInput = z.input<typeof FaultPlan>
