/** Endpoints and events of /v2. The endpoints are rows of webhooks (contract/webhooks.ts) of a format of their own. */
import * as z from 'zod'
import { EASYPOST_BODY_DEPTH, lenientQuery, ListQuery } from './easypost-bodies.ts'
import { EasypostMode } from './easypost-objects.ts'
import { defineEndpoint, Moment } from './endpoint.ts'

const CustomHeaders = z
  .array(z.object({ name: z.string().max(200), value: z.string().max(1_000) }))
  .max(50)
  .nullish()

/** `webhook_secret` signs each event (X-Hmac-Signature). */
const WebhookFields = z.object({
  url: z.string().max(3_000).nullish(),
  webhook_secret: z.string().max(500).nullish(),
  custom_headers: CustomHeaders,
})

export const EasypostWebhook = z.object({
  id: z.string(),
  object: z.literal('Webhook'),
  mode: EasypostMode,
  url: z.string(),
  created_at: Moment,
  disabled_at: Moment.nullable(),
  custom_headers: z.array(z.never()),
})
export type EasypostWebhook = z.output<typeof EasypostWebhook>

export const EVENT_DESCRIPTIONS = [
  'tracker.created',
  'tracker.updated',
  'refund.successful',
  'batch.created',
  'batch.updated',
  'webhook.test',
] as const
export type EventDescription = (typeof EVENT_DESCRIPTIONS)[number]

export const EasypostEvent = z.object({
  id: z.string(),
  object: z.literal('Event'),
  description: z.enum(EVENT_DESCRIPTIONS),
  mode: EasypostMode,
  previous_attributes: z.object({}),
  created_at: Moment,
  updated_at: Moment,
  user_id: z.string(),
  status: z.enum(['pending', 'completed', 'failed']),
  pending_urls: z.array(z.string()),
  completed_urls: z.array(z.string()),
  // The object as it was when the event was made.
  result: z.record(z.string(), z.unknown()),
})
export type EasypostEvent = z.output<typeof EasypostEvent>

const Params = z.object({ id: z.string().max(100) })
const call = {
  access: 'signed-in',
  scope: 'webhooks',
  query: lenientQuery(z.object({})),
  bodyDepth: EASYPOST_BODY_DEPTH,
} as const

export const easypostCreateWebhook = defineEndpoint({
  ...call,
  name: 'easypostCreateWebhook',
  method: 'POST',
  path: '/v2/webhooks',
  summary: 'Send events to an address',
  body: z.object({ webhook: WebhookFields.nullish() }).nullish(),
  response: EasypostWebhook,
  status: 201,
})

export const easypostWebhooks = defineEndpoint({
  ...call,
  name: 'easypostWebhooks',
  method: 'GET',
  path: '/v2/webhooks',
  summary: 'List the addresses that receive events',
  response: z.object({ webhooks: z.array(EasypostWebhook) }),
})

export const easypostWebhook = defineEndpoint({
  ...call,
  name: 'easypostWebhook',
  method: 'GET',
  path: '/v2/webhooks/:id',
  summary: 'A webhook by its id',
  params: Params,
  response: EasypostWebhook,
})

const updateWebhook = {
  ...call,
  path: '/v2/webhooks/:id',
  summary: 'Change a webhook, and switch it on again',
  params: Params,
  body: WebhookFields.extend({ webhook: WebhookFields.nullish() }).nullish(),
  response: EasypostWebhook,
} as const

export const easypostUpdateWebhook = defineEndpoint({
  ...updateWebhook,
  name: 'easypostUpdateWebhook',
  method: 'PATCH',
})

/** As EasyPost's clients for Java and C# change one: what is left out stays. */
export const easypostPutWebhook = defineEndpoint({
  ...updateWebhook,
  name: 'easypostPutWebhook',
  method: 'PUT',
})

export const easypostDeleteWebhook = defineEndpoint({
  ...call,
  name: 'easypostDeleteWebhook',
  method: 'DELETE',
  path: '/v2/webhooks/:id',
  summary: 'Delete a webhook',
  params: Params,
  response: z.object({}),
})

export const easypostEvents = defineEndpoint({
  ...call,
  name: 'easypostEvents',
  method: 'GET',
  path: '/v2/events',
  summary: 'List the events of 30 days that were sent to webhooks of /v2, newest first',
  query: ListQuery,
  response: z.object({ events: z.array(EasypostEvent), has_more: z.boolean() }),
})

export const easypostEvent = defineEndpoint({
  ...call,
  name: 'easypostEvent',
  method: 'GET',
  path: '/v2/events/:id',
  summary: 'An event by its id',
  params: Params,
  response: EasypostEvent,
})
