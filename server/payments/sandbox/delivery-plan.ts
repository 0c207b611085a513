import { z } from 'zod'

const share = z.number().min(0).max(1).default(0)

/**
 * Faulty delivery of the sandbox's webhooks, for tests (SANDBOX_PAYMENTS_FAULTS), as shares (0 to
 * 1) of all webhooks. Which ones depends on `seed` and their number since the start. Without a plan
 * each arrives once and in order.
 */
export const DeliveryPlan = z
  .strictObject({
    seed: z.number().int().default(0),
    /** Never delivered. */
    lost: share,
    /** Delivered twice, each time with a delivery id of its own. */
    twice: share,
    /** Delivered after the next one. */
    late: share,
  })
  .refine(plan => plan.lost + plan.twice + plan.late <= 1, {
    error: 'has shares of webhooks that add up to more than 1',
  })
export type DeliveryPlan = z.output<typeof DeliveryPlan>
