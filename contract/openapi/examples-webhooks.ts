import * as webhooks from '#contract/webhooks.ts'
import type { Delivery, Webhook } from '#contract/webhooks.ts'
import { exampleOf } from './example.ts'
import type { Examples } from './example.ts'
import { ME } from './examples-labels.ts'

const ENDPOINT = { ...ME, webhookId: '6' }
const WEBHOOK: Webhook = {
  _id: '6',
  url: 'https://shop.example/evenpost',
  types: ['label.bought', 'label.voided'],
  bulkRows: false,
  enabled: true,
  offReason: null,
  failingSince: null,
  format: 'standard',
  createdAt: '2026-11-20T15:00:00.000Z',
}
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const DELIVERY: Delivery = {
  _id: '301',
  messageId: 'msg_2p8wXq6hYb1',
  type: 'webhook.test',
  state: 'delivered',
  createdAt: '2026-11-20T15:04:06.000Z',
  nextTry: null,
  body: '{"type":"webhook.test","timestamp":"2026-11-20T15:04:06.000Z","data":{"webhookId":"6"}}',
  tries: [
    {
      at: '2026-11-20T15:04:06.000Z',
      replay: false,
      outcome: 'delivered',
      status: 204,
      ms: 85,
      answer: '',
    },
  ],
}

export const WEBHOOK_EXAMPLES: Examples = {
  ...exampleOf(webhooks.listWebhooks, { params: ME, response: { webhooks: [WEBHOOK] } }),
  ...exampleOf(webhooks.createWebhook, {
    params: ME,
    body: { url: WEBHOOK.url, types: ['label.bought', 'label.voided'] },
    response: { ...WEBHOOK, secret: SECRET },
  }),
  ...exampleOf(webhooks.updateWebhook, {
    params: ENDPOINT,
    body: { enabled: true },
    response: WEBHOOK,
  }),
  ...exampleOf(webhooks.deleteWebhook, {
    params: ENDPOINT,
    response: { ok: true, message: 'Webhook deleted' },
  }),
  ...exampleOf(webhooks.changeWebhookSecret, {
    params: ENDPOINT,
    response: { secret: SECRET, oldSecretUntil: '2026-11-21T15:04:06.000Z' },
  }),
  ...exampleOf(webhooks.testWebhook, { params: ENDPOINT, response: DELIVERY }),
  ...exampleOf(webhooks.listDeliveries, {
    params: ENDPOINT,
    query: { state: 'delivered' },
    response: { deliveries: [DELIVERY], next: null },
  }),
  ...exampleOf(webhooks.replayDelivery, {
    params: { ...ENDPOINT, deliveryId: '301' },
    response: DELIVERY,
  }),
}
