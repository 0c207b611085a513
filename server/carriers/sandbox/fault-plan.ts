import { z } from 'zod'

const shareOfCalls = z.number().min(0).max(1).default(0)
const durationMs = z.number().int().min(0).default(0)
const numberOfCalls = z.number().int().min(0).optional()

/**
 * Faults of the sandbox carrier, for tests (SANDBOX_CARRIER_FAULTS). Shares (0 to 1) are of all
 * purchase calls. Which calls fail depends on `seed`, the label's attempt key and the number of the
 * call, so a failed run can be repeated. Without a plan only labels whose address contains a
 * command fail.
 */
export const FaultPlan = z
  .strictObject({
    seed: z.number().int().default(0),
    /** The connection breaks before anything is sold. */
    resetBefore: shareOfCalls,
    /** Sold, then the connection breaks. */
    resetAfter: shareOfCalls,
    /** Sold, then a 500 response. */
    errorAfter: shareOfCalls,
    /** Sold; the response arrives after the timeout. */
    late: shareOfCalls,
    /** Sold; the response is malformed. */
    nonsense: shareOfCalls,
    /** 429: nothing was sold, for certain. */
    busy: shareOfCalls,
    /**
     * The connection breaks; the label is sold `registersAfterMs` later. A look-up before that
     * finds nothing.
     */
    registersLate: shareOfCalls,
    registersAfterMs: durationMs,
    /** The share of look-ups without a response. */
    silentLookUp: shareOfCalls,
    /** No responses for `downForMs` from the first purchase call of this process. */
    downForMs: durationMs,
    /** This process gets no response to its purchase calls after so many, and nothing is sold. */
    silentAfterPurchases: numberOfCalls,
    /** This process learns of so many voids; the others are voided, and no response comes. */
    silentAfterVoids: numberOfCalls,
    /** This process learns of so many SCAN forms; the others are made, and no response comes. */
    silentAfterScanForms: numberOfCalls,
    /** False: no look-up tells whether a SCAN form was made. */
    tellsScanForms: z.boolean().default(true),
    /**
     * `key`: a repeated call returns the first sale. `lookup`: a repeated call sells again; only a
     * look-up tells what was sold.
     */
    memory: z.enum(['key', 'lookup']).default('key'),
    /** With memory `lookup`: ms until a look-up that finds nothing is final. */
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
    { error: 'has shares of calls that add up to more than 1' },
  )
export type FaultPlan = z.output<typeof FaultPlan>
export type FaultPlanInput = z.input<typeof FaultPlan>
