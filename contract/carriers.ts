import * as z from 'zod'
import { defineEndpoint, DollarsOutput, MessageResponse, Moment } from './endpoint.ts'

export const carrierBalance = defineEndpoint({
  name: 'carrierBalance',
  method: 'GET',
  path: '/api/auth/api/balance',
  access: 'admin',
  summary:
    'Get the balance of the carrier account in dollars; null if the carrier does not report it',
  response: z.object({ balance: DollarsOutput.nullable() }),
})

/** The history of a long journey is 40 kB. */
const MESSAGE_BODY_LIMIT = 256 * 1024

export const carrierMessage = defineEndpoint({
  name: 'carrierMessage',
  method: 'POST',
  path: '/api/carriers/:carrier/messages',
  access: 'anyone',
  rawBody: true,
  bodyLimit: MESSAGE_BODY_LIMIT,
  refusals: [404],
  summary:
    'Receive a message of the carrier about a parcel, signed by the carrier. The parcel is looked up there afterwards',
  otherStatuses: { 401: 'Signature missing or invalid' },
  params: z.object({ carrier: z.string().max(20) }),
  response: z.object({ ok: z.literal(true) }),
})

export const sandboxPurchases = defineEndpoint({
  name: 'sandboxPurchases',
  method: 'GET',
  path: '/api/sandbox/carrier/purchases',
  access: 'admin',
  summary: 'Sandbox only: list labels sold by the carrier',
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
  name: 'retryCarrier',
  method: 'POST',
  path: '/api/admin/carrier/try',
  access: 'admin',
  refusals: [409],
  summary: 'Resume purchases now after a carrier account problem. 409 if there is none',
  response: MessageResponse,
})
