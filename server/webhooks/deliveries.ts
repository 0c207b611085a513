import type { DeliveryState } from '#contract/webhooks.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { selectDeliveries, selectDelivery, selectTries } from './delivery-store.ts'
import type { DeliveryRecord, TryRecord } from './delivery-store.ts'
import { getEndpoint } from './service.ts'

const SHOWN_TRIES = 20

/** `tries`: the last 20, oldest first. */
export type ListedDelivery = DeliveryRecord & { tries: TryRecord[] }

/** Newest first; large ones come fewer at a time. `after`: the last id of the page before. Throws Refusal 'webhook_unknown'. */
export async function listDeliveriesOf(
  db: Db,
  userId: number,
  endpointId: number,
  page: { after?: number | undefined; limit: number; state?: DeliveryState | undefined },
): Promise<{ deliveries: ListedDelivery[]; next: number | null }> {
  await getEndpoint(db, userId, endpointId)
  const { after: before, limit, state } = page
  const { deliveries, hasMore } = await selectDeliveries(db, endpointId, { before, limit, state })
  return {
    deliveries: await withTries(db, deliveries),
    next: hasMore ? deliveries.at(-1)!.id : null,
  }
}

/** Throws Refusal 'delivery_unknown'. */
export async function listedDelivery(
  db: Db,
  endpointId: number,
  id: number,
): Promise<ListedDelivery> {
  const found = await selectDelivery(db, endpointId, id)
  if (!found) throw new Refusal('delivery_unknown', 'This delivery does not exist')
  return (await withTries(db, [found]))[0]!
}

async function withTries(db: Db, deliveries: DeliveryRecord[]): Promise<ListedDelivery[]> {
  const ids = deliveries.map(({ id }) => id)
  const tries = await selectTries(db, ids, SHOWN_TRIES)
  return deliveries.map(delivery => ({
    ...delivery,
    tries: tries.filter(({ deliveryId }) => deliveryId === delivery.id),
  }))
}
