import * as z from 'zod'
import { defineEndpoint, DollarsOutput, MessageResponse, Moment } from './endpoint.ts'

export const carrierBalance = defineEndpoint({
  method: 'GET',
  path: '/api/auth/api/balance',
  access: 'admin',
  summary:
    'What the operator’s account at the carrier has left, in dollars; null where the carrier does not say',
  response: z.object({ balance: DollarsOutput.nullable() }),
})

export const sandboxPurchases = defineEndpoint({
  method: 'GET',
  path: '/api/sandbox/carrier/purchases',
  access: 'admin',
  summary: 'Sandbox only: what the carrier really sold',
  query: z.object({ reference: z.string().max(100).optional() }),
  response: z.object({
    purchases: z.array(
      z.object({
        reference: z.string(),
        round: z.number(),
        trackingNumber: z.string(),
        boughtAt: Moment,
        voidedAt: Moment.nullable(),
      }),
    ),
  }),
})

export const retryCarrier = defineEndpoint({
  method: 'POST',
  path: '/api/admin/carrier/try',
  access: 'admin',
  summary: 'Buy again now, after a problem of the carrier account; 409 when there is none',
  response: MessageResponse,
})
