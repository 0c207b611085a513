import * as z from 'zod'
import { defineEndpoint, MessageResponse, DollarsOutput, Id } from './endpoint.ts'
import { Order, VOID_STATUSES } from './orders.ts'

export const voidOrder = defineEndpoint({
  method: 'POST',
  path: '/api/orders/:orderId/void',
  access: 'signed-in',
  summary:
    'Void a bought label; its price comes back when the carrier has confirmed. 202 while it has not, 422 when it refuses, '
    + '409 for a label that was not bought',
  otherStatuses: { 202: 'The carrier has not confirmed yet' },
  params: z.object({ orderId: Id }),
  response: MessageResponse.extend({ order: Order }),
})

/** So many labels are voided by one call. */
export const MAX_VOIDS_PER_REQUEST = 500

export const voidOrders = defineEndpoint({
  method: 'POST',
  path: '/api/orders/void',
  access: 'signed-in',
  summary: 'Void several labels; each has its own result',
  body: z.object({ orderIds: z.array(Id).min(1).max(MAX_VOIDS_PER_REQUEST) }),
  response: z.object({
    voided: z.number(),
    requested: z.number(),
    refused: z.number(),
    results: z.array(z.object({ orderId: Id, void: z.enum(VOID_STATUSES), message: z.string() })),
  }),
})

const BatchParams = z.object({ orderId: Id })

export const batchVoidSummary = defineEndpoint({
  method: 'GET',
  path: '/api/orders/bulk/:orderId/void',
  access: 'signed-in',
  summary:
    'Labels of a bulk order that could be voided, with their price, and how many of these the carrier has refused to void before; '
    + 'and how many are being voided, are voided, or are under way',
  params: BatchParams,
  response: z.object({
    unused: z.number(),
    amount: DollarsOutput,
    refused: z.number(),
    voiding: z.number(),
    voided: z.number(),
    underWay: z.number(),
  }),
})

export const voidBatch = defineEndpoint({
  method: 'POST',
  path: '/api/orders/bulk/:orderId/void',
  access: 'signed-in',
  summary:
    'Void all labels of a bulk order that nobody has used. requested: the carrier has not answered yet; skipped: parcels under way; '
    + '409 while the bulk order is at work',
  params: BatchParams,
  response: z.object({
    requested: z.number(),
    voided: z.number(),
    refused: z.number(),
    skipped: z.number(),
  }),
})
