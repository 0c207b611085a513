/** The messages of webhooks in the OpenAPI document. */
import * as z from 'zod'
import { Moment } from '#contract/endpoint.ts'
import { MESSAGE_DATA, WEBHOOK_TYPES } from '#contract/webhooks.ts'
import type { OfferedWebhookType } from '#contract/webhooks.ts'
import { describeFields } from './notes.ts'
import type { JsonSchema, SchemaCollector } from './schemas.ts'

/** When each type of message is sent. */
export const MESSAGE_TEXTS: Record<OfferedWebhookType, string> = {
  'label.bought': 'A label was bought',
  'label.failed': 'A label was not bought; its price is back in the balance',
  'label.voided': 'The carrier confirmed a void; the price is refunded',
  'parcel.updated': 'The carrier reported a new status',
  'batch.completed': 'A bulk order has ended, with or without failed rows',
  'deposit.settled': 'A deposit was credited',
  'balance.low': 'The balance fell below $50',
  'webhook.test': 'You sent a test',
}

const HEADERS = {
  'webhook-id': 'The same for each try: keep those that you have handled',
  'webhook-timestamp': 'When it was sent, in Unix seconds',
  'webhook-signature': 'Signatures of Standard Webhooks 1.0.0, separated by spaces',
}

/** Of no call: generators write one file for a tag, and a second one would replace the first. */
const TAG = 'Webhook messages'

export type MessageOperation = {
  operationId: string
  tags: string[]
  summary: string
  security: []
  parameters: { in: 'header'; name: string; required: true; description: string; schema: object }[]
  requestBody: { required: true; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { description: string }>
}

/** 'label.bought' is onLabelBought. */
const operationName = (type: OfferedWebhookType): string =>
  `on${type
    .split('.')
    .map(word => word[0]!.toUpperCase() + word.slice(1))
    .join('')}`

/** By type; the operation is of the receiver. */
export const messageOperations = (
  schemas: SchemaCollector,
): Record<string, { post: MessageOperation }> =>
  Object.fromEntries(
    WEBHOOK_TYPES.map(type => [
      type,
      {
        post: {
          operationId: operationName(type),
          tags: [TAG],
          summary: MESSAGE_TEXTS[type],
          security: [],
          parameters: Object.entries(HEADERS).map(([name, description]) => ({
            in: 'header',
            name,
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: describeFields(
                  schemas.schemaOf(
                    z.object({
                      type: z.literal(type),
                      timestamp: Moment,
                      data: MESSAGE_DATA[type],
                    }),
                    'output',
                  ),
                  'Message',
                ),
              },
            },
          },
          responses: { '2XX': { description: 'Received within 15 seconds' } },
        },
      },
    ]),
  )
