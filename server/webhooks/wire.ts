import type { Delivery, Webhook } from '#contract/webhooks.ts'
import type { ListedDelivery } from './deliveries.ts'
import type { EndpointRecord } from './service.ts'
import { wireMessageId } from './standard-format.ts'

export const toWebhook = (endpoint: EndpointRecord): Webhook => ({
  _id: String(endpoint.id),
  url: endpoint.url,
  types: endpoint.types,
  bulkRows: endpoint.bulkRows,
  enabled: endpoint.enabled,
  offReason: endpoint.offReason,
  failingSince: endpoint.failingSince?.toISOString() ?? null,
  format: endpoint.format,
  createdAt: endpoint.createdAt.toISOString(),
})

export const toDelivery = (delivery: ListedDelivery): Delivery => ({
  _id: String(delivery.id),
  messageId: wireMessageId(delivery.messageId),
  type: delivery.type,
  state: delivery.state === 'once' ? 'waiting' : delivery.state,
  createdAt: delivery.createdAt.toISOString(),
  nextTry: delivery.nextTryAt?.toISOString() ?? null,
  body: delivery.body,
  tries: delivery.tries.map(({ at, isReplay, outcome, status, durationMs, answer }) => ({
    at: at.toISOString(),
    replay: isReplay,
    outcome,
    status,
    ms: durationMs,
    answer,
  })),
})
