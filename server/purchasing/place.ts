import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { hasOptions, NO_OPTIONS } from '#contract/label-options.ts'
import { usd, ZERO } from '#contract/money.ts'
import { pricedParcelOf } from '#contract/pricing.ts'
import { countKeySpending } from '#server/accounts/api-keys.ts'
import { requireUser } from '#server/accounts/service.ts'
import { callPurchase } from '#server/carriers/calls.ts'
import { applyBackoff } from '#server/carriers/rate-limit.ts'
import { findPause, optionsOfAccounts } from '#server/carriers/service.ts'
import { sellerOf } from '#server/carriers/sources.ts'
import { withQuotes } from '#server/catalogue/live-prices.ts'
import type { ParcelToAsk } from '#server/catalogue/live-prices.ts'
import { readOptions } from '#server/catalogue/option-prices.ts'
import { addOptionPrices } from '#server/catalogue/option-rules.ts'
import { NO_QUOTES } from '#server/catalogue/quote-rules.ts'
import type { KnownQuotes } from '#server/catalogue/quote-rules.ts'
import { findPriceOrProblem } from '#server/catalogue/rules.ts'
import { priceList } from '#server/catalogue/service.ts'
import { hold } from '#server/ledger/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { LABEL_LEASE_MS, newOrderFromRow, orderInputFaults } from '#server/orders/rules.ts'
import type { NewOrder, OrderInput, OrderRecord } from '#server/orders/rules.ts'
import {
  findOrder,
  findOrderRequest,
  insertOrderRequest,
  insertOrders,
  selectKeysOfOrders,
} from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import type { CallerKey } from '#server/platform/http/router.ts'
import { purchaseAllowance, recordPurchaseCall } from './carrier-silence.ts'
import { claimToBuy } from './claim.ts'
import { shipmentOf } from './loss-guard.ts'
import { awaitSettled, isSettled } from './order-waits.ts'
import { claimQueuedById } from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { attemptOf } from './rules.ts'
import { settleGroupsOf } from './settle-jobs.ts'

const PATIENCE_MS = 20_000

/**
 * By what a repeated request is recognized, in the transaction that places the order. `find` locks
 * the request until the transaction ends, and throws Refusal; `record` runs with the order's holds.
 */
export type OrderRequest = {
  find(tx: Tx): Promise<number | null>
  record(tx: Tx, orderId: number): Promise<void>
}

/** For 24 hours the same key with the same input finds the same order. */
export function idempotencyKey(userId: number, key: string, input: unknown): OrderRequest {
  const bodyHash = createHash('sha256').update(JSON.stringify(input)).digest('base64url')
  return {
    async find(tx) {
      const before = await findOrderRequest(tx, userId, key)
      if (before && before.bodyHash !== bodyHash)
        throw new Refusal(
          'idempotency_key_reused',
          'This Idempotency-Key was used for another order',
        )
      return before?.orderId ?? null
    },
    record: (tx, orderId) => insertOrderRequest(tx, userId, key, bodyHash, orderId),
  }
}

/**
 * Returns the order, bought or still open after 20 s; at once while purchases wait for an administrator.
 * `request`: the order placed for it before is returned. `key`: with which it is ordered. Throws Refusal
 * if it cannot be ordered or the carrier refuses it.
 */
export async function purchaseLabel(
  ctx: LabelContext,
  userId: number,
  input: OrderInput,
  request?: OrderRequest,
  key: OrderingKey = null,
): Promise<OrderRecord> {
  const reserved = await reserveOrder(ctx, userId, input, { request, key, claims: true })
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

/** Null: without a key. */
type OrderingKey = Pick<CallerKey, 'id'> | null

/**
 * `seller`: the context of the account that sells the label. `claimedAt`: by `performance.now()`, before the transaction, so
 * that this process assumes an earlier end of the lease.
 */
type ClaimedOrder = { claim: PurchaseClaim; seller: LabelContext; claimedAt: number }

/** `isPaused`: until an administrator resumes. */
type Reservation = { orderId: number; claimed?: ClaimedOrder; isPaused?: boolean }

/** `key`: the order is made with. `claims`: this process buys the label at once. */
type Placement = {
  request: OrderRequest | undefined
  key: OrderingKey
  claims: boolean
}

/** The carrier is asked for a live price between two transactions, and only where it is needed. */
async function reserveOrder(
  ctx: LabelContext,
  userId: number,
  input: OrderInput,
  placement: Placement,
): Promise<Reservation> {
  const reserved = await tryToReserve(ctx, userId, input, placement, null)
  if (!('ask' in reserved)) return reserved
  const prices = await priceList(ctx.database.db, userId)
  const { quotes } = await withQuotes(ctx, userId, prices, [reserved.ask])
  return (await tryToReserve(ctx, userId, input, placement, quotes)) as Reservation
}

/** `quotes`: null before the carrier was asked. */
function tryToReserve(
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
    const order = await priceOrder(tx, ctx, userId, input, quotes)
    if ('ask' in order) return order
    const orderId = await insertOrders(tx, userId, [order], null, 0, key?.id ?? null)
    await hold(tx, userId, order.price, { orderId, round: 1 })
    if (key) {
      const [spending] = await selectKeysOfOrders(tx, [orderId])
      await countKeySpending(tx, key, spending!)
    }
    await request?.record(tx, orderId)
    if (!claims) return { orderId }
    // Otherwise a worker claims it later.
    const seller = await sellerOf(ctx, tx, order.serviceUid)
    // While the account does not answer, the label waits for a probe in the queue.
    const [claim] =
      purchaseAllowance(seller, performance.now()) === 0
        ? []
        : await claimToBuy(tx, seller, 1, names =>
            claimQueuedById(tx, names, orderId, LABEL_LEASE_MS),
          )
    if (claim) return { orderId, claimed: { claim, seller, claimedAt } }
    const pause = await findPause(tx, seller.carrier.account)
    return { orderId, isPaused: pause?.needsAdministrator === true }
  })
}

/** A service that does not exist has no options; the order is refused for it. */
const UNKNOWN = { uid: '', name: '' }

async function priceOrder(
  tx: Tx,
  ctx: LabelContext,
  userId: number,
  input: OrderInput,
  quotes: KnownQuotes | null,
): Promise<NewOrder | { ask: ParcelToAsk }> {
  const prices = { ...(await priceList(tx, userId)), quotes: quotes ?? NO_QUOTES }
  const known = prices.find(input.row.ServiceName)
  const faults = orderInputFaults(input, known)
  const parcel = pricedParcelOf(input.row, faults)
  const found = findPriceOrProblem(prices, input.row.ServiceName, parcel)
  const isUnasked = 'fault' in found && found.fault.code === 'carrier_price_pending'
  if (isUnasked && quotes === null && Object.keys(faults).length === 0)
    return { ask: { service: input.row.ServiceName, parcel } }
  if ('fault' in found) faults[found.field] ??= found.fault
  const { options = NO_OPTIONS } = input
  const optionsOf = hasOptions(options)
    ? await readOptions(tx, optionsOfAccounts(ctx))
    : prices.optionsOf
  const priced = addOptionPrices(
    'price' in found ? found.price : ZERO,
    known ?? UNKNOWN,
    options,
    optionsOf,
  )
  const optionFaults = known && 'faults' in priced ? priced.faults : {}
  if (Object.keys(faults).length > 0 || 'fault' in found || 'faults' in priced)
    throw refuseFields({ ...faults, ...optionFaults })
  const { price } = priced
  if (input.agreedPrice !== undefined && input.agreedPrice !== price)
    throw new Refusal(
      'price_changed',
      `The price of ${found.service.name} is ${usd(price)} now, not ${usd(input.agreedPrice)}. Nothing was bought.`,
    )
  return {
    ...newOrderFromRow(input.row, found.service, { ...priced, options }, found.quote),
    manifested: input.manifested,
  }
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
  await settleGroupsOf(ctx).settle({ claim, outcome })
}

async function awaitPurchase(
  ctx: LabelContext,
  orderId: number,
  patienceMs: number,
): Promise<OrderRecord> {
  const { db } = ctx.database
  const found = (await findOrder(db, orderId))!
  const order = isSettled(found) ? found : await awaitSettled(db, orderId, patienceMs, ctx.closing)
  if (order.state === 'failed') {
    throw new Refusal(
      'label_refused',
      `The label was not bought: ${order.reason ?? 'the carrier refused it'}`,
    )
  }
  return order
}
