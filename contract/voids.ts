import * as z from 'zod'
import { defineEndpoint, MessageResponse, DollarsOutput, Id } from './endpoint.ts'
import { Order, VOID_STATUSES } from './orders.ts'

export const voidOrder = defineEndpoint({
  name: 'voidOrder',
  method: 'POST',
  path: '/api/orders/:orderId/void',
  access: 'signed-in',
  scope: 'labels:void',
  refusals: [404, 409, 422],
  summary:
    'Void a label. The price is refunded when the carrier confirms: 202 until then, 422 if it refuses, 409 if the label was not '
    + 'bought',
  otherStatuses: { 202: 'The carrier has not confirmed yet' },
  params: z.object({ orderId: Id }),
  response: MessageResponse.extend({ order: Order }),
})

export const MAX_VOIDS_PER_REQUEST = 500

export const voidOrders = defineEndpoint({
  name: 'voidOrders',
  method: 'POST',
  path: '/api/orders/void',
  access: 'signed-in',
  scope: 'labels:void',
  summary: 'Void several labels, each with its own result',
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
  name: 'batchVoidSummary',
  method: 'GET',
  path: '/api/orders/bulk/:orderId/void',
  access: 'signed-in',
  scope: 'labels:read',
  refusals: [404],
  summary:
    'Count the labels of a bulk order that can be voided, with their total price and how many of them the carrier has refused '
    + 'before and are on a SCAN form; and those being voided, voided and in transit',
  params: BatchParams,
  response: z.object({
    unused: z.number(),
    amount: DollarsOutput,
    refused: z.number(),
    voiding: z.number(),
    voided: z.number(),
    underWay: z.number(),
    onForms: z.number(),
  }),
})

export const voidBatch = defineEndpoint({
  name: 'voidBatch',
  method: 'POST',
  path: '/api/orders/bulk/:orderId/void',
  access: 'signed-in',
  scope: 'labels:void',
  refusals: [404, 409],
  summary:
    'Void all unused labels of a bulk order. requested: the carrier has not answered yet; skipped: parcels in transit. '
    + '409 while the bulk order is in progress',
  params: BatchParams,
  response: z.object({
    requested: z.number(),
    voided: z.number(),
    refused: z.number(),
    skipped: z.number(),
  }),
})
