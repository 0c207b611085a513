/** Messages of the outbox as EasyPost's events, for endpoints made through /v2. */
import { createHmac } from 'node:crypto'
import type { EasypostEvent, EventDescription } from '#contract/easypost-webhooks.ts'
import type { WebhookType } from '#contract/webhooks.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { MessageFormat, MessageToRender } from '#server/webhooks/formats.ts'
import { selectBatchesById, selectMemberGroups, selectMembers } from './batch-store.ts'
import { batchObject, countStatuses } from './batch-wire.ts'
import type { BatchContext } from './batch-wire.ts'
import { formatId } from './ids.ts'
import { selectRefundsOfOrders } from './refund-store.ts'
import { findLabels } from './trackers.ts'
import type { LabelWithShipment } from './trackers.ts'
import { refundWire, trackerWire } from './wire.ts'
import type { TrackerContext } from './wire.ts'

/** What an endpoint of /v2 receives. */
export const EVENT_TYPES: readonly WebhookType[] = [
  'label.bought',
  'label.voided',
  'parcel.updated',
  'easypost.batch',
]

const DESCRIPTIONS: Partial<Record<WebhookType, EventDescription>> = {
  'label.bought': 'tracker.created',
  'parcel.updated': 'tracker.updated',
  'label.voided': 'refund.successful',
  'webhook.test': 'webhook.test',
}

/**
 * EasyPost's client for Node writes a whole weight with a decimal point before it compares the
 * signature, so the body has one.
 */
const withDecimalWeights = (json: string): string =>
  json.replace(/("weight":)(\d+)(?=[,}])/g, '$1$2.0')

export const createEventFormat = (ctx: BatchContext & TrackerContext): MessageFormat => ({
  async render(tx, messages) {
    const labels = await labelsOf(tx, messages)
    const batches = await batchesOf(ctx, tx, messages)
    const bodies = new Map<string, string>()
    for (const message of messages) {
      const event = eventOf(ctx, message, labels, batches)
      if (event) bodies.set(message.messageId, withDecimalWeights(JSON.stringify(event)))
    }
    return bodies
  },
  // In EasyPost's letter case: some programs keep headers in a table that distinguishes it.
  sign: ({ body, secrets: [secret] }) => ({
    'X-Hmac-Signature': `hmac-sha256-hex=${createHmac('sha256', secret!).update(body).digest('hex')}`,
  }),
})

type Labels = Map<string, LabelWithShipment & { refund: object | null }>

/** By order id. */
async function labelsOf(tx: Tx, messages: readonly MessageToRender[]): Promise<Labels> {
  const ids = [
    ...new Set(messages.flatMap(({ data }) => (data.orderId ? Number(data.orderId) : []))),
  ]
  if (ids.length === 0) return new Map()
  const [found, refunds] = [await findLabels(tx, ids), await selectRefundsOfOrders(tx, ids)]
  return new Map(
    found.map(({ order, shipmentKey }) => {
      const refund = refunds.get(order.id)
      return [
        String(order.id),
        { order, shipmentKey, refund: refund ? refundWire(refund, order, shipmentKey) : null },
      ]
    }),
  )
}

/**
 * Events of larger batches have only the counts, as EasyPost's objects of batches that are still being
 * created: a body is stored for each endpoint.
 */
const MAX_MEMBERS_TOLD = 100

/** By batch id. */
async function batchesOf(
  ctx: BatchContext,
  tx: Tx,
  messages: readonly MessageToRender[],
): Promise<Map<string, object>> {
  const ids = messages.flatMap(({ type, data }) =>
    type === 'easypost.batch' ? Number(data.batchId) : [],
  )
  if (ids.length === 0) return new Map()
  const unique = [...new Set(ids)]
  const [batches, groups] = [
    await selectBatchesById(tx, unique),
    await selectMemberGroups(tx, unique),
  ]
  const sizeOf = (id: number): number =>
    (groups.get(id) ?? []).reduce((sum, { members }) => sum + members, 0)
  const small = unique.filter(id => sizeOf(id) <= MAX_MEMBERS_TOLD)
  const members = await selectMembers(tx, small)
  return new Map(
    batches.map(batch => {
      const counts = countStatuses(groups.get(batch.id) ?? [])
      return [String(batch.id), batchObject(ctx, batch, members.get(batch.id) ?? [], { counts })]
    }),
  )
}

function eventOf(
  ctx: TrackerContext,
  { messageId, userId, type, data, at }: MessageToRender,
  labels: Labels,
  batches: Map<string, object>,
): EasypostEvent | null {
  const label = labels.get(String(data.orderId))
  const description =
    type === 'easypost.batch' ? (`batch.${data.event}` as EventDescription) : DESCRIPTIONS[type]
  const result =
    type === 'webhook.test'
      ? {}
      : type === 'easypost.batch'
        ? batches.get(String(data.batchId))
        : type === 'label.voided'
          ? label?.refund
          : label && trackerWire(ctx, label.order, label.shipmentKey)
  if (!description || !result) return null
  const time = at.toISOString()
  return {
    id: formatId('evt', messageId),
    object: 'Event',
    description,
    mode: ctx.mode,
    previous_attributes: {},
    created_at: time,
    updated_at: time,
    user_id: `user_${userId}`,
    status: 'pending',
    pending_urls: [],
    completed_urls: [],
    result: result as Record<string, unknown>,
  }
}
