import * as z from 'zod'
import { BATCH_STATUSES } from './batch-status.ts'
import {
  defineEndpoint,
  DollarsOutput,
  Id,
  MessageResponse,
  Moment,
  UserParams,
} from './endpoint.ts'
import { TRACKING_STATUSES } from './tracking.ts'

/** Whose label it is; `batchId`: of a row of a bulk order. */
const LabelRef = { orderId: Id, batchId: Id.nullable() }

/** The field `data` of each type's body: ids, states, numbers and reasons, no names or streets. */
export const MESSAGE_DATA = {
  'label.bought': z.object({
    ...LabelRef,
    state: z.literal('purchased'),
    trackingNumber: z.string(),
    amount: DollarsOutput,
  }),
  'label.failed': z.object({
    ...LabelRef,
    state: z.literal('failed'),
    code: z.literal('label_refused'),
    reason: z.string(),
  }),
  'label.voided': z.object({
    ...LabelRef,
    state: z.literal('voided'),
    trackingNumber: z.string(),
    amount: DollarsOutput,
  }),
  'parcel.updated': z.object({
    ...LabelRef,
    trackingNumber: z.string(),
    status: z.enum(TRACKING_STATUSES),
    eventAt: Moment.nullable(),
  }),
  'batch.completed': z.object({
    batchId: Id,
    status: z.enum(BATCH_STATUSES),
    total: z.number(),
    purchased: z.number(),
    failed: z.number(),
  }),
  'deposit.settled': z.object({ invoiceId: z.string(), amount: DollarsOutput }),
  'balance.low': z.object({ balance: DollarsOutput, threshold: DollarsOutput }),
  'webhook.test': z.object({ webhookId: Id }),
  // For endpoints made through /v2 alone: a batch of shipments made there.
  'easypost.batch': z.object({ batchId: Id, event: z.enum(['created', 'updated']) }),
}

export type WebhookType = keyof typeof MESSAGE_DATA
export type MessageData<T extends WebhookType> = z.input<(typeof MESSAGE_DATA)[T]>
/** A type that an endpoint can be made for. */
export type OfferedWebhookType = Exclude<WebhookType, 'easypost.batch'>
const ALL_TYPES = Object.keys(MESSAGE_DATA) as [WebhookType, ...WebhookType[]]
/** Those that an endpoint can be made for; through /v2 an endpoint has others. */
export const WEBHOOK_TYPES = ALL_TYPES.filter(type => type !== 'easypost.batch') as [
  OfferedWebhookType,
  ...OfferedWebhookType[],
]

/** In dollars: `balance.low` is sent when the balance falls below, and again after it was above. */
export const LOW_BALANCE_DOLLARS = 50

export const MAX_WEBHOOKS = 20
export const MAX_WEBHOOK_URL = 2_000
/** The old secret signs too for so long after a change. */
export const OLD_SECRET_HOURS = 24
/** Deliveries are kept for so long, and for one endpoint at most so many: the newest, and what waits. */
export const DELIVERY_DAYS = 30
export const MAX_KEPT_DELIVERIES = 100_000
/** Messages that may wait for one endpoint; the oldest beyond are canceled. */
export const MAX_WAITING_DELIVERIES = 100_000
/** Bytes of an answer that are kept. */
export const MAX_KEPT_ANSWER = 2_048

/** `easypost`: made through /v2/webhooks. */
export const WEBHOOK_FORMATS = ['standard', 'easypost'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/** Why it is off: by the user; it answered 410; nothing succeeded for three days. */
export const OFF_REASONS = ['user', 'gone', 'dead'] as const
export type OffReason = (typeof OFF_REASONS)[number]

/**
 * An address that receives messages. `bulkRows`: also `label.*` of rows of bulk orders.
 * `failingSince`: the first failure after the last success. `offReason`: null while it is enabled.
 */
export const Webhook = z.object({
  _id: Id,
  url: z.string(),
  types: z.array(z.enum(ALL_TYPES)),
  bulkRows: z.boolean(),
  enabled: z.boolean(),
  offReason: z.enum(OFF_REASONS).nullable(),
  failingSince: Moment.nullable(),
  format: z.enum(WEBHOOK_FORMATS),
  createdAt: Moment,
})
export type Webhook = z.output<typeof Webhook>

/**
 * What came of a try: answered with 2xx, another status, 410, a redirect; no answer in 15 s; no
 * connection; an address that is not allowed; a secret that the installation cannot read.
 */
export const TRY_OUTCOMES = [
  'delivered',
  'refused',
  'gone',
  'redirected',
  'timed_out',
  'unreachable',
  'address_not_allowed',
  'secret_unreadable',
] as const
export type TryOutcome = (typeof TRY_OUTCOMES)[number]

/** `answer`: its first 2 KiB. */
export const WebhookTry = z.object({
  at: Moment,
  replay: z.boolean(),
  outcome: z.enum(TRY_OUTCOMES),
  status: z.number().nullable(),
  ms: z.number(),
  answer: z.string().nullable(),
})
export type WebhookTry = z.output<typeof WebhookTry>

/**
 * `canceled`: the endpoint was switched off, too many waited, or the installation was restored from
 * a backup.
 */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'canceled'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/**
 * A message for an endpoint. `messageId`: the header `webhook-id` of each try. `body`: as sent.
 * `nextTry`: null when none follows. `tries`: the last 20, oldest first.
 */
export const Delivery = z.object({
  _id: Id,
  messageId: z.string(),
  type: z.enum(ALL_TYPES),
  state: z.enum(DELIVERY_STATES),
  createdAt: Moment,
  nextTry: Moment.nullable(),
  body: z.string(),
  tries: z.array(WebhookTry),
})
export type Delivery = z.output<typeof Delivery>

const WebhookParams = UserParams.extend({ webhookId: Id })
const Types = z.array(z.enum(WEBHOOK_TYPES)).min(1).max(WEBHOOK_TYPES.length)
// Longer than an address may be, so that the refusal can name the length.
const Url = z.string().max(2 * MAX_WEBHOOK_URL)

export const listWebhooks = defineEndpoint({
  name: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks/:userId',
  access: 'self',
  refusesAdministrators: true,
  scope: 'webhooks',
  summary: 'List the endpoints that receive messages, oldest first',
  params: UserParams,
  response: z.object({ webhooks: z.array(Webhook) }),
})

export const createWebhook = defineEndpoint({
  name: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks/:userId',
  access: 'self',
  scope: 'webhooks',
  refusals: [409, 422],
  summary: 'Create an endpoint; its secret is shown only here. 409 beyond 20',
  params: UserParams,
  body: z.object({ url: Url, types: Types, bulkRows: z.boolean().default(false) }),
  response: Webhook.extend({ secret: z.string() }),
})

export const updateWebhook = defineEndpoint({
  name: 'updateWebhook',
  method: 'PUT',
  path: '/api/webhooks/:userId/:webhookId',
  access: 'self',
  scope: 'webhooks',
  refusals: [404, 409, 422],
  summary:
    'Change an endpoint or switch it on or off; fields that are left out stay. 409 for types of one made through /v2',
  params: WebhookParams,
  body: z.object({
    url: Url.optional(),
    types: Types.optional(),
    bulkRows: z.boolean().optional(),
    enabled: z.boolean().optional(),
  }),
  response: Webhook,
})

export const deleteWebhook = defineEndpoint({
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/:userId/:webhookId',
  access: 'self',
  scope: 'webhooks',
  refusals: [404],
  summary: 'Delete an endpoint with its deliveries',
  params: WebhookParams,
  response: MessageResponse,
})

export const changeWebhookSecret = defineEndpoint({
  name: 'changeWebhookSecret',
  method: 'POST',
  path: '/api/webhooks/:userId/:webhookId/secret',
  access: 'self',
  refusesImpersonation: true,
  proof: true,
  refusals: [404, 409],
  summary:
    'Change the secret; the old one signs beside the new one for 24 hours. 409 for one made through /v2',
  params: WebhookParams,
  response: z.object({ secret: z.string(), oldSecretUntil: Moment }),
})

export const testWebhook = defineEndpoint({
  name: 'testWebhook',
  method: 'POST',
  path: '/api/webhooks/:userId/:webhookId/test',
  access: 'self',
  scope: 'webhooks',
  refusals: [404, 409],
  summary: 'Send webhook.test once, also to an endpoint that is off, and answer what came of it',
  params: WebhookParams,
  response: Delivery,
})

export const listDeliveries = defineEndpoint({
  name: 'listDeliveries',
  method: 'GET',
  path: '/api/webhooks/:userId/:webhookId/deliveries',
  access: 'self',
  refusesAdministrators: true,
  scope: 'webhooks',
  refusals: [404],
  summary:
    'List the deliveries of 30 days, the last 100,000, newest first; `next` continues the list as `after`, '
    + 'also where a page has fewer than `limit`',
  params: WebhookParams,
  query: z.object({
    after: Id.optional(),
    limit: z.coerce.number().int().min(1).max(50).default(20),
    state: z.enum(DELIVERY_STATES).optional(),
  }),
  response: z.object({ deliveries: z.array(Delivery), next: Id.nullable() }),
})

export const replayDelivery = defineEndpoint({
  name: 'replayDelivery',
  method: 'POST',
  path: '/api/webhooks/:userId/:webhookId/deliveries/:deliveryId/replay',
  access: 'self',
  scope: 'webhooks',
  refusals: [404],
  summary: 'Send the same body under the same id once more, and answer what came of it',
  params: WebhookParams.extend({ deliveryId: Id }),
  response: Delivery,
})
