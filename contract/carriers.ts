import * as z from 'zod'
import { call, Moment } from './call.ts'

export const sandboxPurchases = call({
  method: 'GET', path: '/api/sandbox/carrier/purchases', access: 'admin', summary: 'Sandbox only: what the carrier really sold',
  query: z.object({ reference: z.string().max(100).optional() }),
  answer: z.object({
    purchases: z.array(z.object({
      reference: z.string(), round: z.number(), trackingNumber: z.string(), boughtAt: Moment, voidedAt: Moment.nullable(),
    })),
  }),
})
