import { performance } from 'node:perf_hooks'
import { countKeySpending } from '#server/accounts/api-keys.ts'
import { requireUser } from '#server/accounts/service.ts'
import { callPurchase } from '#server/carriers/calls.ts'
import { applyBackoff } from '#server/carriers/rate-limit.ts'
import { optionsOfAccounts } from '#server/carriers/service.ts'
import { sellerOf } from '#server/carriers/sources.ts'
import { withQuotes } from '#server/catalogue/live-prices.ts'
import type { ParcelToAsk } from '#server/catalogue/live-prices.ts'
import { readOptions } from '#server/catalogue/option-prices.ts'
import { NO_QUOTES } from '#server/catalogue/quote-rules.ts'
import type { KnownQuotes } from '#server/catalogue/quote-rules.ts'
import { priceList } from '#server/catalogue/service.ts'
import { hold } from '#server/ledger/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { readOrder } from '#server/orders/reads.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import type { NewOrder, OrderInput, OrderRecord } from '#server/orders/rules.ts'
import { insertOrders, selectKeysOfOrders } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { asUrgent } from '#server/platform/process/urgent-work.ts'
import { recordPurchaseCall } from './carrier-silence.ts'
import { shipmentOf } from './loss-guard.ts'
import { needsOptions, priceOrder } from './order-price.ts'
import { awaitSettled, isSettled } from './order-waits.ts'
import { claimReserved } from './reservation.ts'
import type {
  ClaimedOrder,
  OrderingKey,
  OrderRequest,
  Placement,
  Reservation,
} from './reservation.ts'
import { reserveInGroup } from './reserve-group.ts'
import { attemptOf } from './rules.ts'
import { settleSingle } from './settle-jobs.ts'

const PATIENCE_MS = 20_000

/**
 * Returns the order, bought or still open after 20 s; at once while purchases wait for an administrator.
 * `request`: the order placed for it before is returned. `key`: the key that orders it. Throws Refusal if
 * it cannot be ordered or the carrier refuses it.
 */
export async function purchaseLabel(
  ctx: LabelContext,
  userId: number,
  input: OrderInput,
  request?: OrderRequest,
  key: OrderingKey = null,
): Promise<OrderRecord> {
  const reserved = await asUrgent(() =>
    reserveOrder(ctx, userId, input, { request, key, claims: true }),
  )
  if (reserved.claimed) await purchaseClaimed(reserved.claimed)
  return awaitPurchase(ctx, reserved.orderId, reserved.isPaused ? 0 : PATIENCE_MS)
}

/**
 * Places an order for a worker to buy, and waits for nothing. Returns its id, or that of `request`,
 * if it was placed before. Throws Refusal if it cannot be ordered.
 */
export async function queueLabel(
  ctx: LabelContext,
  userId: number,
  input: OrderInput,
  request: OrderRequest,
  key: OrderingKey = null,
): Promise<number> {
  return (await reserveOrder(ctx, userId, input, { request, key, claims: false })).orderId
}

/**
 * Orders that come at the same time share a transaction. The carrier is asked for a live price between two transactions, and only
 * where it is needed. Throws Refusal if it cannot be ordered.
 */
export async function reserveOrder(
  ctx: LabelContext,
  userId: number,
  input: OrderInput,
  placement: Placement,
): Promise<Reservation> {
  const reserved =
    (await reserveInGroup(ctx, { userId, input, placement }))
    ?? (await reserveAlone(ctx, userId, input, placement, null))
  if (!('ask' in reserved)) return reserved
  const prices = await priceList(ctx.database.db, userId)
  const { quotes } = await withQuotes(ctx, userId, prices, [reserved.ask])
  return (await reserveAlone(ctx, userId, input, placement, quotes)) as Reservation
}

/** Waits for what other transactions have locked. `quotes`: null before the carrier was asked. */
function reserveAlone(
  ctx: LabelContext,
  userId: number,
  input: OrderInput,
  { request, key, claims }: Placement,
  quotes: KnownQuotes | null,
): Promise<Reservation | { ask: ParcelToAsk }> {
  const claimedAt = performance.now()
  return ctx.database.tx(async tx => {
    const before = await request?.find(tx)
    if (typeof before === 'number') return { orderId: before }
    await requireUser(tx, userId)
    const order = await readPriceOf(ctx, tx, userId, input, quotes)
    if ('ask' in order) return order
    const orderId = await insertOrders(tx, {
      userId,
      orders: [order],
      batchId: null,
      keyId: key?.id ?? null,
    })
    await hold(tx, userId, order.price, { orderId, round: 1 })
    if (key) {
      const [spending] = await selectKeysOfOrders(tx, [orderId])
      await countKeySpending(tx, key, spending!)
    }
    await request?.record(tx, orderId)
    if (!claims) return { orderId }
    // Otherwise a worker claims it later.
    const seller = await sellerOf(ctx, tx, order.serviceUid)
    const [reservation] = await claimReserved(tx, seller, [orderId], claimedAt)
    return reservation!
  })
}

async function readPriceOf(
  ctx: LabelContext,
  tx: Tx,
  userId: number,
  input: OrderInput,
  quotes: KnownQuotes | null,
): Promise<NewOrder | { ask: ParcelToAsk }> {
  const prices = { ...(await priceList(tx, userId)), quotes: quotes ?? NO_QUOTES }
  const { optionsOf } = needsOptions(input)
    ? { optionsOf: await readOptions(tx, optionsOfAccounts(ctx)) }
    : prices
  return priceOrder({ ...prices, optionsOf }, input, quotes === null)
}

/** If this process dies or is suspended past its lease, the label is looked up. */
async function purchaseClaimed({ claim, seller: ctx, claimedAt }: ClaimedOrder): Promise<void> {
  const calledAt = performance.now()
  if (calledAt - claimedAt > LABEL_LEASE_MS - ctx.config.carrierTimeoutMs) return
  const outcome = await callPurchase(
    ctx.carrier,
    attemptOf(claim),
    shipmentOf(ctx, claim),
    ctx.config.carrierTimeoutMs,
  )
  recordPurchaseCall(ctx, { calledAt, now: performance.now() }, outcome)
  await applyBackoff(ctx, outcome)
  await asUrgent(() => settleSingle(ctx, { claim, outcome }))
}

/** The order, bought or still open after `patienceMs`. Throws Refusal if the carrier refused it. */
export async function awaitPurchase(
  ctx: LabelContext,
  orderId: number,
  patienceMs: number = PATIENCE_MS,
): Promise<OrderRecord> {
  const { db } = ctx.database
  const found = (await readOrder(db, orderId))!
  const order = isSettled(found) ? found : await awaitSettled(db, orderId, patienceMs, ctx.closing)
  if (order.state === 'failed') {
    throw new Refusal(
      'label_refused',
      `The label was not bought: ${order.reason ?? 'the carrier refused it'}`,
    )
  }
  return order
}
