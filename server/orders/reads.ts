import type { Db } from '#server/platform/database/database.ts'
import { Groups } from '#server/platform/process/groups.ts'
import type { OrderRecord } from './rules.ts'
import { findOrders } from './store.ts'

/** Without an end of patience: a label that was just bought is read here, and a refusal would invite to buy it again. */
const SIZES = { most: 100, mostGroups: 4, slowMs: 20 }

const readsOf = new WeakMap<Db, Groups<number, OrderRecord | undefined>>()

/** The order as it is now. Reads that are asked for at the same time are one query. */
export function readOrder(db: Db, orderId: number): Promise<OrderRecord | undefined> {
  const reads = readsOf.get(db) ?? new Groups(ids => findEach(db, ids), SIZES)
  readsOf.set(db, reads)
  return reads.add(orderId)
}

async function findEach(db: Db, ids: number[]): Promise<(OrderRecord | undefined)[]> {
  const orders = new Map((await findOrders(db, ids)).map(order => [order.id, order]))
  return ids.map(id => orders.get(id))
}
