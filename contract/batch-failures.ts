import * as z from 'zod'
import { defineEndpoint, DollarsOutput, Id } from './endpoint.ts'

/** What became of the labels of a bulk order that were not bought. */
export const BatchFailures = z.object({
  /** At most three, the most frequent first. */
  reasons: z.array(z.object({ reason: z.string(), count: z.number() })),
  /** Failed labels with other reasons. */
  otherCount: z.number(),
  /** Failed labels that can be edited or retried. */
  editableCount: z.number(),
  /** Back in the balance. */
  released: DollarsOutput,
  /** Labels that are still being checked with the carrier; their money stays on hold. */
  checkingCount: z.number(),
  held: DollarsOutput,
})
export type BatchFailures = z.output<typeof BatchFailures>

export const batchFailures = defineEndpoint({
  name: 'batchFailures',
  method: 'GET',
  path: '/api/orders/bulk/failures/:orderId',
  access: 'signed-in',
  scope: 'labels:read',
  refusals: [404],
  summary: 'Summarize the failed labels of a bulk order: reasons, and where their money is',
  params: z.object({ orderId: Id }),
  response: BatchFailures,
})
