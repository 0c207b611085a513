import { z } from 'zod'

const share = z.number().min(0).max(1).default(0)
const ms = z.number().int().min(0).default(0)

/**
 * How badly the sandbox carrier serves, as data: the same plan fails the same tries of the same labels, so that a run that went
 * wrong is played again. Shares (0 to 1) are of all tries to buy, and which tries they are follows from `seed`, the label's attempt
 * key and how often it was asked for. For tests; without a plan the sandbox fails only where an address tells it to.
 */
export const FaultPlan = z
  .strictObject({
    seed: z.number().int().default(0),
    /** The connection breaks before anything is sold. */
    resetBefore: share,
    /** It is sold, then the connection breaks. */
    resetAfter: share,
    /** It is sold, then the answer is a 500. */
    errorAfter: share,
    /** It is sold, and the answer comes when nobody waits any more. */
    late: share,
    /** It is sold, and the answer makes no sense. */
    nonsense: share,
    /** 429: certainly nothing was sold. */
    busy: share,
    /** The connection breaks, and it is sold `registersAfterMs` later: a look-up before that finds nothing. */
    registersLate: share,
    registersAfterMs: ms,
    /** The share of questions afterwards that get no answer. */
    silentLookUp: share,
    /** Nothing is answered for `downForMs`, from `downAfterMs` after this process asked for its first label. */
    downAfterMs: ms,
    downForMs: ms,
    /** `lookup`: it sells again whatever is asked for again; only a question afterwards tells what was sold. */
    memory: z.enum(['key', 'lookup']).default('key'),
    /** With memory `lookup`: what this carrier is said to need (ms) until 'not sold' can be believed. */
    quarantineMs: ms,
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
    lost: share,
    /** It comes twice, each time as a delivery of its own. */
    twice: share,
    /** It comes after the next one. */
    late: share,
  })
  .refine(plan => plan.lost + plan.twice + plan.late <= 1, {
    error: 'has shares of messages that add up to more than 1',
  })
export type DeliveryPlan = z.output<typeof DeliveryPlan>
export type FaultWish = z.input<typeof FaultPlan>
