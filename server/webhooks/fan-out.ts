/** Messages of the outbox become deliveries, one for each endpoint that receives them. */
import type { WebhookFormat } from '#contract/webhooks.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { takeMessages } from '#server/platform/outbox/outbox.ts'
import type { TakenMessage } from '#server/platform/outbox/outbox.ts'
import type { WebhooksContext } from './context.ts'
import { insertDeliveries } from './delivery-store.ts'
import type { NewDelivery } from './delivery-store.ts'
import { lockReceivers, makeEndpointsDue } from './endpoint-store.ts'
import type { EndpointRecord } from './endpoint-store.ts'
import type { MessageFormats } from './formats.ts'
import { receives } from './subscriptions.ts'

const MESSAGES_AT_ONCE = 500
const BULK_ROWS_AT_ONCE = 100

/** Messages of rows of bulk orders, or all others. Returns whether there may be more. */
export async function fanOut(ctx: WebhooksContext, areBulkRows: boolean): Promise<boolean> {
  const most = areBulkRows ? BULK_ROWS_AT_ONCE : MESSAGES_AT_ONCE
  const taken = await ctx.database.tx(async tx => {
    const messages = await takeMessages(tx, most, areBulkRows)
    if (messages.length > 0) await addDeliveries(ctx, tx, messages)
    return messages.length
  })
  return taken === most
}

async function addDeliveries(
  { formats }: WebhooksContext,
  tx: Tx,
  messages: TakenMessage[],
): Promise<void> {
  const endpoints = await lockReceivers(tx, [...new Set(messages.map(({ userId }) => userId))])
  const pairs = messages.flatMap(message =>
    endpoints
      .filter(endpoint => endpoint.userId === message.userId && receives(endpoint, message))
      .map(endpoint => ({ endpoint, message })),
  )
  const bodies = await renderAll(formats, tx, pairs)
  const deliveries = pairs.flatMap(({ endpoint, message }): NewDelivery[] => {
    const { messageId, type, at: createdAt } = message
    const body = bodies[endpoint.format]?.get(messageId)
    return body === undefined ? [] : [{ endpointId: endpoint.id, messageId, type, body, createdAt }]
  })
  if (deliveries.length === 0) return
  await insertDeliveries(tx, deliveries)
  await makeEndpointsDue(tx, [...new Set(deliveries.map(({ endpointId }) => endpointId))])
}

type Pair = { endpoint: EndpointRecord; message: TakenMessage }

/** Each message once for each format. */
async function renderAll(
  formats: MessageFormats,
  tx: Tx,
  pairs: readonly Pair[],
): Promise<Partial<Record<WebhookFormat, Map<string, string>>>> {
  const bodies: Partial<Record<WebhookFormat, Map<string, string>>> = {}
  for (const format of new Set(pairs.map(({ endpoint }) => endpoint.format))) {
    const own = pairs.filter(({ endpoint }) => endpoint.format === format)
    bodies[format] = await formats[format].render(tx, [
      ...new Set(own.map(({ message }) => message)),
    ])
  }
  return bodies
}
