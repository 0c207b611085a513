import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { requireUser } from '#server/accounts/service.ts'
import { callPurchase } from '#server/carriers/calls.ts'
import { recordCalls, applyBackoff, availableCalls } from '#server/carriers/rate-limit.ts'
import { insertCarrierCalls } from '#server/carriers/store.ts'
import { priceParcel } from '#server/catalogue/rules.ts'
import { priceList } from '#server/catalogue/service.ts'
import { hold } from '#server/ledger/service.ts'
import { orderInputErrors, newOrderFromRow } from '#server/orders/rules.ts'
import type { NewOrder, OrderInput } from '#server/orders/rules.ts'
import {
  findOrder,
  findOrderRequest,
  insertOrders,
  insertOrderRequest,
} from '#server/orders/store.ts'
import type { OrderRecord } from '#server/orders/store.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import { storeDeliveredFiles } from './label-files.ts'
import { claimQueuedById } from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { LABEL_LEASE_MS } from './reconcile.ts'
import { settlePurchases } from './settle.ts'
import type { LabelContext } from './settle.ts'

/** How long a buyer waits for his label before he is told that it will come later (architecture, 4). */
const PATIENCE_MS = 20_000

/**
 * Buys one label: the price is held, the carrier asked, the outcome settled. Answers the order as it is then: bought, or still
 * open after 20 s. Throws Refusal when it cannot be ordered or the carrier refuses it; the money is back by then.
 * `requestKey`: the same key with the same wish is the same order, for 24 hours.
 */
export async function purchaseLabel(
  ctx: LabelContext,
  userId: number,
  wish: OrderInput,
  requestKey?: string,
): Promise<OrderRecord> {
  const takenAt = performance.now()
  const reserved = await reserveOrder(ctx, userId, wish, requestKey)
  if (reserved.claim) await purchaseClaimed(ctx, reserved.claim, takenAt)
  return awaitPurchase(ctx, reserved.orderId)
}

type Reservation = { orderId: number; claim?: PurchaseClaim }

/** One transaction: the order, its hold, and this process's claim on it. */
async function reserveOrder(
  ctx: LabelContext,
  userId: number,
  wish: OrderInput,
  requestKey?: string,
): Promise<Reservation> {
  const bodyHash = createHash('sha256').update(JSON.stringify(wish)).digest('base64url')
  return ctx.database.tx(async tx => {
    if (requestKey !== undefined) {
      const before = await findOrderRequest(tx, userId, requestKey)
      if (before && before.bodyHash !== bodyHash)
        throw new Refusal('conflict', 'This Idempotency-Key was used for another order')
      if (before) return { orderId: before.orderId }
    }
    await requireUser(tx, userId)
    const order = await priceOrder(tx, userId, wish)
    const orderId = await insertOrders(tx, userId, [order], null)
    await hold(tx, userId, order.price, { orderId, round: 1 })
    if (requestKey !== undefined)
      await insertOrderRequest(tx, userId, requestKey, bodyHash, orderId)
    // Without room at the carrier it waits for its turn among the others; whoever works takes it then.
    const { carrier } = ctx
    const claim =
      (await availableCalls(tx, carrier, 'buy', 1)) > 0
        ? await claimQueuedById(tx, carrier.account, orderId, LABEL_LEASE_MS)
        : undefined
    if (!claim) return { orderId }
    await recordCalls(tx, carrier, 'buy', 1)
    await insertCarrierCalls(tx, carrier.account, [{ ...claim, orderId }])
    return { orderId, claim }
  })
}

async function priceOrder(tx: Tx, userId: number, wish: OrderInput): Promise<NewOrder> {
  const prices = await priceList(tx, userId)
  const known = prices.find(wish.row.ServiceName)
  const errors = orderInputErrors(wish, known?.maxWeight)
  const found = priceParcel(
    prices,
    wish.row.ServiceName,
    errors.PackageWeight ? null : Number(wish.row.PackageWeight),
  )
  if ('problem' in found) errors[found.field] ??= found.problem
  if (Object.keys(errors).length > 0 || 'problem' in found) throw refuseFields(errors)
  return { ...newOrderFromRow(wish.row, found.service, found.price), manifested: wish.manifested }
}

/**
 * Asks the carrier and settles. If this process dies here, or was frozen past its lease and may not ask any more, the carrier is
 * asked what became of the label.
 */
async function purchaseClaimed(
  ctx: LabelContext,
  claim: PurchaseClaim,
  takenAt: number,
): Promise<void> {
  if (performance.now() - takenAt > LABEL_LEASE_MS - ctx.config.carrierTimeoutMs) return
  const outcome = await callPurchase(
    ctx.carrier,
    { reference: String(claim.id), round: claim.round },
    claim,
    ctx.config.carrierTimeoutMs,
  )
  await applyBackoff(ctx, outcome)
  await settlePurchases(ctx, [{ claim, outcome }])
  await storeDeliveredFiles(ctx, [{ claim, outcome }]).catch(error =>
    ctx.log.warn(
      { err: error, orderId: claim.id },
      'a label’s file could not be kept; it is fetched',
    ),
  )
}

async function awaitPurchase(ctx: LabelContext, orderId: number): Promise<OrderRecord> {
  const patience = Date.now() + PATIENCE_MS
  for (;;) {
    const order = (await findOrder(ctx.database.db, orderId))!
    if (order.state === 'failed') {
      throw new Refusal(
        'unprocessable',
        `The label was not bought: ${order.reason ?? 'the carrier refused it'}`,
      )
    }
    if (order.trackingNumber !== null || ctx.closing.aborted || Date.now() > patience) return order
    await wait(100)
  }
}

/** A person handles his own orders, an administrator any. */
export const mayAccessOrder = (
  caller: { userId: number; role: string },
  order: OrderRecord,
): boolean => order.userId === caller.userId || caller.role === 'admin'

/** An order that the caller may handle; everything else is not found. */
export async function getOrderFor(
  ctx: LabelContext,
  caller: { userId: number; role: string },
  orderId: number,
): Promise<OrderRecord> {
  const order = await findOrder(ctx.database.db, orderId)
  if (!order || !mayAccessOrder(caller, order))
    throw new Refusal('not_found', 'There is no such order')
  return order
}
