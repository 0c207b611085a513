/** The operator's word where a carrier's never comes: what became of a label, or of its void. */
import * as z from 'zod'
import { REASON_MAX } from './accounts.ts'
import { defineEndpoint, DollarsInput, MessageResponse, Id } from './endpoint.ts'
import { orderDetails } from './orders-admin.ts'

const params = z.object({ orderId: Id })
const reason = z
  .string()
  .trim()
  .min(1, 'must say why')
  .max(REASON_MAX, `must have at most ${REASON_MAX} characters`)
const answer = MessageResponse.extend(orderDetails.response.shape)

export const resolveLabel = defineEndpoint({
  method: 'POST',
  path: '/api/admin/orders/:orderId/end',
  access: 'admin',
  summary:
    'End a label of unknown outcome by hand, after the carrier has been silent for long and is silent once more: sold (with its '
    + 'tracking number; cost where it is known) or not sold. Where the carrier answers, its answer counts',
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
  method: 'POST',
  path: '/api/admin/orders/:orderId/void/end',
  access: 'admin',
  summary:
    'End a void by hand that the carrier has not decided for long: paid-back gives the price to the customer, refused leaves the '
    + 'label good. Where the carrier answers, its answer counts',
  params,
  response: answer,
  body: z.object({ outcome: z.enum(['paid-back', 'refused']), reason }),
})
