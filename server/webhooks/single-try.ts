/** Tries that a user asks for: one each, without influence on the health of the endpoint. */
import { randomUUID } from 'node:crypto'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { WorkSlots } from '#server/platform/process/work-slots.ts'
import type { WebhooksContext } from './context.ts'
import { listedDelivery } from './deliveries.ts'
import type { ListedDelivery } from './deliveries.ts'
import { insertOnce, recordSingleTry, selectDelivery } from './delivery-store.ts'
import { countTries } from './metrics.ts'
import { openConnections } from './outgoing/call.ts'
import { trySend } from './send.ts'
import type { Receiver } from './send.ts'
import { getEndpoint } from './service.ts'
import type { Actor } from './service.ts'

const MOST_A_MINUTE = 60

/** `slots`: a try takes up to 15 s. */
export type SingleTries = {
  test(userId: number, endpointId: number): Promise<ListedDelivery>
  replay(
    userId: number,
    ids: { endpointId: number; deliveryId: number },
    by: Actor,
  ): Promise<ListedDelivery>
}

export function openSingleTries(ctx: WebhooksContext, slots: WorkSlots): SingleTries {
  const { db, tx } = ctx.database

  async function tryOnce(
    userId: number,
    receiver: Receiver,
    delivery: { id: number; messageId: string; body: string },
    isReplay: boolean,
  ): Promise<ListedDelivery> {
    const connections = openConnections()
    try {
      const result = await trySend(ctx, receiver, delivery, connections)
      countTries(ctx.meter, result.outcome)
      await tx(inner => recordSingleTry(inner, delivery.id, result, isReplay))
    } finally {
      connections.close()
    }
    return listedDelivery(db, receiver.id, delivery.id)
  }

  const withSlot = async <T>(userId: number, work: () => Promise<T>): Promise<T> => {
    await ctx.limits.countAttempt(`webhook-tries:${userId}`, MOST_A_MINUTE, 60)
    return slots.run(userId, undefined, work)
  }

  return {
    test: (userId, endpointId) =>
      withSlot(userId, async () => {
        const receiver = await getEndpoint(db, userId, endpointId)
        const delivery = await tx(async inner => {
          const message = {
            messageId: randomUUID(),
            userId,
            type: 'webhook.test' as const,
            data: { webhookId: String(endpointId) },
            at: new Date(),
          }
          const bodies = await ctx.formats[receiver.format].render(inner, [message])
          const body = bodies.get(message.messageId)
          if (body === undefined)
            throw new Refusal('wrong_state', 'Webhooks made through /v2 have no test message.')
          const { messageId, type, at: createdAt } = message
          const id = await insertOnce(inner, { endpointId, messageId, type, body, createdAt })
          return { id, messageId, body }
        })
        return tryOnce(userId, receiver, delivery, false)
      }),
    replay: (userId, { endpointId, deliveryId }, { actorId }) =>
      withSlot(userId, async () => {
        const receiver = await getEndpoint(db, userId, endpointId)
        const delivery = await selectDelivery(db, endpointId, deliveryId)
        if (!delivery) throw new Refusal('delivery_unknown', 'This delivery does not exist')
        await tx(inner =>
          insertAuditEntry(inner, {
            actorId,
            subjectId: userId,
            action: 'webhook-replayed',
            detail: { webhookId: endpointId, deliveryId },
          }),
        )
        return tryOnce(userId, receiver, delivery, true)
      }),
  }
}
