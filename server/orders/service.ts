import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { keepUser } from '#server/accounts/service.ts'
import { askToBuy } from '#server/carriers/ask.ts'
import { asking, heed, roomAtCarrier } from '#server/carriers/pace.ts'
import { insertTries } from '#server/carriers/store.ts'
import { priced } from '#server/catalogue/rules.ts'
import { priceList } from '#server/catalogue/service.ts'
import { hold } from '#server/ledger/service.ts'
import type { Tx } from '#server/platform/database.ts'
import { Refusal, refuseFields } from '#server/platform/refusal.ts'
import { keepDelivered } from './papers.ts'
import { claimOne } from './queue-store.ts'
import type { Claim } from './queue-store.ts'
import { LEASE_MS } from './reconcile.ts'
import { checkWish, orderOfRow } from './rules.ts'
import type { NewOrder, Wish } from './rules.ts'
import { settleAnswers } from './settle.ts'
import type { WithOrders } from './settle.ts'
import { findOrder, findRequest, insertOrders, insertRequest } from './store.ts'
import type { OrderRecord } from './store.ts'

/** How long a buyer waits for his label before he is told that it will come later (architecture, 4). */
const PATIENCE_MS = 20_000

/**
 * Buys one label: the price is held, the carrier asked, the outcome settled. Answers the order as it is then: bought, or still
 * open after 20 s. Throws Refusal when it cannot be ordered or the carrier refuses it; the money is back by then.
 * `requestKey`: the same key with the same wish is the same order, for 24 hours.
 */
export async function place(
  house: WithOrders,
  userId: number,
  wish: Wish,
  requestKey?: string,
): Promise<OrderRecord> {
  const takenAt = performance.now()
  const reserved = await reserve(house, userId, wish, requestKey)
  if (reserved.claim) await finish(house, reserved.claim, takenAt)
  return outcomeOf(house, reserved.orderId)
}

type Reserved = { orderId: number; claim?: Claim }

/** One transaction: the order, its hold, and this process's claim on it. */
async function reserve(
  house: WithOrders,
  userId: number,
  wish: Wish,
  requestKey?: string,
): Promise<Reserved> {
  const bodyHash = createHash('sha256').update(JSON.stringify(wish)).digest('base64url')
  return house.database.tx(async tx => {
    if (requestKey !== undefined) {
      const before = await findRequest(tx, userId, requestKey)
      if (before && before.bodyHash !== bodyHash)
        throw new Refusal('conflict', 'This Idempotency-Key was used for another order')
      if (before) return { orderId: before.orderId }
    }
    await keepUser(tx, userId)
    const order = await orderFrom(tx, userId, wish)
    const orderId = await insertOrders(tx, userId, [order], null)
    await hold(tx, userId, order.price, { orderId, round: 1 })
    if (requestKey !== undefined) await insertRequest(tx, userId, requestKey, bodyHash, orderId)
    // Without room at the carrier it waits for its turn among the others; whoever works takes it then.
    const { carrier } = house
    const claim =
      (await roomAtCarrier(tx, carrier, 'buy', 1)) > 0
        ? await claimOne(tx, carrier.account, orderId, LEASE_MS)
        : undefined
    if (!claim) return { orderId }
    await asking(tx, carrier, 'buy', 1)
    await insertTries(tx, carrier.account, [{ ...claim, orderId }])
    return { orderId, claim }
  })
}

async function orderFrom(tx: Tx, userId: number, wish: Wish): Promise<NewOrder> {
  const prices = await priceList(tx, userId)
  const known = prices.find(wish.row.ServiceName)
  const errors = checkWish(wish, known?.maxWeight)
  const found = priced(
    prices,
    wish.row.ServiceName,
    errors.PackageWeight ? null : Number(wish.row.PackageWeight),
  )
  if ('problem' in found) errors[found.field] ??= found.problem
  if (Object.keys(errors).length > 0 || 'problem' in found) throw refuseFields(errors)
  return { ...orderOfRow(wish.row, found.service, found.price), manifested: wish.manifested }
}

/**
 * Asks the carrier and settles. If this process dies here, or was frozen past its lease and may not ask any more, the carrier is
 * asked what became of the label.
 */
async function finish(house: WithOrders, claim: Claim, takenAt: number): Promise<void> {
  if (performance.now() - takenAt > LEASE_MS - house.config.carrierTimeoutMs) return
  const outcome = await askToBuy(
    house.carrier,
    { reference: String(claim.id), round: claim.round },
    claim,
    house.config.carrierTimeoutMs,
  )
  await heed(house, outcome)
  await settleAnswers(house, [{ claim, outcome }])
  await keepDelivered(house, [{ claim, outcome }]).catch(error =>
    house.log.warn(
      { err: error, orderId: claim.id },
      'a label’s file could not be kept; it is fetched',
    ),
  )
}

async function outcomeOf(house: WithOrders, orderId: number): Promise<OrderRecord> {
  const patience = Date.now() + PATIENCE_MS
  for (;;) {
    const order = (await findOrder(house.database.db, orderId))!
    if (order.state === 'failed') {
      throw new Refusal(
        'unprocessable',
        `The label was not bought: ${order.reason ?? 'the carrier refused it'}`,
      )
    }
    if (order.trackingNumber !== null || house.closing.aborted || Date.now() > patience)
      return order
    await wait(100)
  }
}

/** A person handles his own orders, an administrator any. */
export const mayHandle = (caller: { userId: number; role: string }, order: OrderRecord): boolean =>
  order.userId === caller.userId || caller.role === 'admin'

/** An order that the caller may handle; everything else is not found. */
export async function orderFor(
  house: WithOrders,
  caller: { userId: number; role: string },
  orderId: number,
): Promise<OrderRecord> {
  const order = await findOrder(house.database.db, orderId)
  if (!order || !mayHandle(caller, order)) throw new Refusal('not_found', 'There is no such order')
  return order
}
