/** An operator decides the outcome of a label or a void that the carrier never reports. */
import * as z from 'zod'
import { REASON_MAX } from './accounts.ts'
import { defineEndpoint, DollarsInput, MessageResponse, Id } from './endpoint.ts'
import { orderDetails } from './orders-admin.ts'

const params = z.object({ orderId: Id })
const reason = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(REASON_MAX, `must have at most ${REASON_MAX} characters`)
const answer = MessageResponse.extend(orderDetails.response.shape)

export const resolveLabel = defineEndpoint({
  name: 'resolveLabel',
  method: 'POST',
  path: '/api/admin/orders/:orderId/end',
  access: 'admin',
  proof: true,
  refusals: [404, 409, 422],
  summary:
    'Resolve a label of unknown outcome manually, after a last look-up at the carrier: sold (with its tracking number and, if '
    + 'known, cost) or not-sold. If the carrier answers, its answer counts',
  params,
  response: answer,
  body: z.object({
    outcome: z.enum(['sold', 'not-sold']),
    trackingNumber: z.string().max(60).optional(),
    cost: DollarsInput.optional(),
    reason,
  }),
})

export const resolveVoid = defineEndpoint({
  name: 'resolveVoid',
  method: 'POST',
  path: '/api/admin/orders/:orderId/void/end',
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Resolve an undecided void manually, after a last look-up at the carrier: paid-back refunds the customer, refused leaves the '
    + 'label valid. If the carrier answers, its answer counts',
  params,
  response: answer,
  body: z.object({ outcome: z.enum(['paid-back', 'refused']), reason }),
})
