import { setTimeout as wait } from 'node:timers/promises'
import type { OrderRecord } from '#server/orders/rules.ts'
import { findOrders } from '#server/orders/service.ts'
import type { Db } from '#server/platform/database/database.ts'
import { asNoUser } from '#server/platform/process/current-user.ts'

const POLL_MS = 100

/** Resolves with the order, settled or as it is when the wait ends. */
type Waiter = { until: number; resolve(order: OrderRecord): void; reject(error: unknown): void }

export const isSettled = (order: OrderRecord): boolean =>
  order.state === 'failed' || order.trackingNumber !== null

const waits = new WeakMap<Db, Map<number, Waiter[]>>()

/**
 * Waits until the order is bought or has failed, for at most `patienceMs` or until `closing`. All
 * who wait on one database share one query at a time. Throws when that query fails.
 */
export function awaitSettled(
  db: Db,
  orderId: number,
  patienceMs: number,
  closing: AbortSignal,
): Promise<OrderRecord> {
  const waiting = waits.get(db) ?? new Map<number, Waiter[]>()
  const isIdle = waiting.size === 0
  waits.set(db, waiting)
  return new Promise((resolve, reject) => {
    const waiter: Waiter = { until: performance.now() + patienceMs, resolve, reject }
    waiting.set(orderId, [...(waiting.get(orderId) ?? []), waiter])
    if (isIdle) asNoUser(() => void poll(db, waiting, closing))
  })
}

async function poll(db: Db, waiting: Map<number, Waiter[]>, closing: AbortSignal): Promise<void> {
  while (waiting.size > 0) {
    const asked = [...waiting.keys()]
    try {
      for (const order of await findOrders(db, asked)) answer(waiting, order, closing.aborted)
    } catch (error) {
      for (const id of asked) {
        for (const waiter of waiting.get(id) ?? []) waiter.reject(error)
        waiting.delete(id)
      }
    }
    if (waiting.size > 0) await wait(POLL_MS)
  }
}

function answer(waiting: Map<number, Waiter[]>, order: OrderRecord, isClosing: boolean): void {
  const isOver = isClosing || isSettled(order)
  const left = (waiting.get(order.id) ?? []).filter(waiter => {
    if (!isOver && performance.now() <= waiter.until) return true
    waiter.resolve(order)
    return false
  })
  if (left.length > 0) waiting.set(order.id, left)
  else waiting.delete(order.id)
}
