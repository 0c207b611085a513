/**
 * Single orders that come at the same time are placed, held and claimed in one transaction of set-based statements. It waits for no
 * lock of another transaction: an order whose user, wallet or Idempotency-Key is locked elsewhere leaves the group, and an order
 * that is refused changes nothing for the others.
 */
import { performance } from 'node:perf_hooks'
import { countKeySpending, selectUnlimitedKeys } from '#server/accounts/api-keys.ts'
import { optionsOfAccounts } from '#server/carriers/service.ts'
import { sellerOf } from '#server/carriers/sources.ts'
import type { ParcelToAsk } from '#server/catalogue/live-prices.ts'
import { readOptions } from '#server/catalogue/option-prices.ts'
import { priceLists } from '#server/catalogue/service.ts'
import { holdOn, holdOrders, lockFreeWallets } from '#server/ledger/holds.ts'
import type { OrderHold } from '#server/ledger/holds.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { NewOrder, OrderInput } from '#server/orders/rules.ts'
import {
  findFreeOrderRequests,
  insertOrderRequests,
  insertSingleOrders,
  lockFreeOrderCounts,
  readOrderTime,
} from '#server/orders/service.ts'
import type { OrderTime } from '#server/orders/service.ts'
import { databaseCode } from '#server/platform/database/database.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { Groups } from '#server/platform/process/groups.ts'
import { needsOptions, priceOrder } from './order-price.ts'
import { claimReserved, orderOfRequest } from './reservation.ts'
import type { OrderingKey, Placement, Reservation } from './reservation.ts'

/** Groups that an order joins while another order of its user has the wallet locked; then it waits in a transaction of its own. */
const MOST_TRIES = 3
const SIZES = { most: 50, mostGroups: 4, slowMs: 50, patienceMs: 15_000 }

export type WantedOrder = { userId: number; input: OrderInput; placement: Placement }

type Answer = Reservation | { ask: ParcelToAsk } | { refused: Refusal }
/** `leaves`: 'locked' for a lock of another transaction, 'alone' for what a group does not do. */
type Outcome = Answer | { leaves: 'locked' | 'alone' }

const groupsOf = new WeakMap<LabelContext, Groups<WantedOrder, Outcome>>()

/** Null if the order needs a transaction of its own. Throws Refusal if it cannot be ordered. */
export async function reserveInGroup(
  ctx: LabelContext,
  wanted: WantedOrder,
): Promise<Reservation | { ask: ParcelToAsk } | null> {
  const { request, claims } = wanted.placement
  if (!claims || (request && !request.keyed)) return null
  const groups =
    groupsOf.get(ctx)
    ?? new Groups(group => reserveGroup(ctx, group), { ...SIZES, ownerOf: ({ userId }) => userId })
  groupsOf.set(ctx, groups)
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const outcome = await groups.add(wanted)
    if ('refused' in outcome) throw outcome.refused
    if (!('leaves' in outcome)) return outcome
    if (outcome.leaves === 'alone') return null
  }
  return null
}

/** When the group fails, its orders are placed alone. */
async function reserveGroup(ctx: LabelContext, group: WantedOrder[]): Promise<Outcome[]> {
  const claimedAt = performance.now()
  let mayBeCommitted = false
  try {
    return await ctx.database.tx(async tx => {
      mayBeCommitted = false
      const outcomes = await reserveTogether(ctx, tx, group, claimedAt)
      mayBeCommitted = true
      return outcomes
    })
  } catch (error) {
    if (mayBeCommitted || isDatabaseUnavailable(error)) throw error
    ctx.log.warn({ code: databaseCode(error) }, 'single orders could not be placed as a group')
    return group.map(() => ({ leaves: 'alone' as const }))
  }
}

type Entry = WantedOrder & { outcome?: Outcome; order?: NewOrder; hold?: OrderHold }

const undecided = (entries: Entry[]): Entry[] => entries.filter(({ outcome }) => !outcome)

/** Prices before it locks, as an order alone does; checks balances in the order of the requests. */
async function reserveTogether(
  ctx: LabelContext,
  tx: Tx,
  group: WantedOrder[],
  claimedAt: number,
): Promise<Outcome[]> {
  const entries: Entry[] = group.map(wanted => ({ ...wanted }))
  await findRepeated(tx, entries)
  await priceEntries(ctx, tx, undecided(entries))
  const time = await spendEach(tx, undecided(entries))
  const placed = undecided(entries)
  const ids = await placeEntries(tx, placed, time)
  const reservations = await claimEntries(
    ctx,
    tx,
    placed.map(({ order }, n) => ({ id: ids[n]!, order: order! })),
    claimedAt,
  )
  for (const [n, entry] of placed.entries()) entry.outcome = reservations.get(ids[n]!)!
  return entries.map(({ outcome }) => outcome!)
}

/** A refusal decides one order. */
async function decide(entry: Entry, work: () => void | Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    entry.outcome = { refused: error }
  }
}

/** A request that is repeated within the group waits until the first is committed. */
async function findRepeated(tx: Tx, entries: Entry[]): Promise<void> {
  const first = new Map<string, Entry>()
  for (const entry of entries) {
    const keyed = entry.placement.request?.keyed
    if (!keyed) continue
    const id = `${keyed.userId} ${keyed.key}`
    if (first.has(id)) entry.outcome = { leaves: 'locked' }
    else first.set(id, entry)
  }
  const asked = [...first.values()]
  const keys = asked.map(({ placement }) => placement.request!.keyed!)
  const found = await findFreeOrderRequests(tx, keys)
  for (const [n, entry] of asked.entries()) {
    const before = found[n]
    await decide(entry, () => {
      const orderId = orderOfRequest(keys[n]!, before)
      if (before === undefined) entry.outcome = { leaves: 'locked' }
      else if (orderId !== null) entry.outcome = { orderId }
    })
  }
}

async function priceEntries(ctx: LabelContext, tx: Tx, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return
  const pricesOf = await priceLists(
    tx,
    entries.map(({ userId }) => userId),
  )
  const offers = entries.some(({ input }) => needsOptions(input))
    ? await readOptions(tx, optionsOfAccounts(ctx))
    : null
  for (const entry of entries) {
    const { userId, input } = entry
    const prices = pricesOf(userId)
    const optionsOf = offers && needsOptions(input) ? offers : prices.optionsOf
    await decide(entry, () => {
      const priced = priceOrder({ ...prices, optionsOf }, input, true)
      if ('ask' in priced) entry.outcome = priced
      else entry.order = priced
    })
  }
}

/**
 * Locks users, counts of orders and wallets; then takes the price of each order off what its wallet and its key have. Returns the time
 * of the orders if keys count by it.
 */
async function spendEach(tx: Tx, entries: Entry[]): Promise<OrderTime | null> {
  if (entries.length === 0) return null
  const userIds = [...new Set(entries.map(({ userId }) => userId))]
  const counts = await lockFreeOrderCounts(tx, userIds)
  const wallets = await lockFreeWallets(tx, userIds)
  const limits = await readKeyLimits(tx, entries)
  for (const entry of entries) {
    const { userId, order, placement } = entry
    const { price } = order!
    // The first order of a user inserts the count.
    if (!counts.has(userId)) entry.outcome = { leaves: 'alone' }
    else if (!counts.get(userId) || !wallets.has(userId)) entry.outcome = { leaves: 'locked' }
    else
      await decide(entry, async () => {
        const hold = holdOn(wallets, userId, price)
        if (limits?.isLimited(placement.key))
          await countKeySpending(tx, placement.key, { amount: price, at: limits.time.at })
        wallets.set(userId, hold.after)
        entry.hold = hold
      })
  }
  return limits?.time ?? null
}

type KeyLimits = { isLimited(key: OrderingKey): boolean; time: OrderTime }

/** Null without keys. */
async function readKeyLimits(tx: Tx, entries: Entry[]): Promise<KeyLimits | null> {
  const ids = entries.flatMap(({ placement: { key } }) => (key ? [key.id] : []))
  if (ids.length === 0) return null
  const unlimited = await selectUnlimitedKeys(tx, ids)
  return { isLimited: key => key !== null && !unlimited.has(key.id), time: await readOrderTime(tx) }
}

/** Returns the ids of the orders. */
async function placeEntries(tx: Tx, entries: Entry[], time: OrderTime | null): Promise<number[]> {
  if (entries.length === 0) return []
  const ids = await insertSingleOrders(
    tx,
    entries.map(({ userId, order, placement: { key } }) => ({
      userId,
      keyId: key?.id ?? null,
      order: order!,
    })),
    time,
  )
  await holdOrders(
    tx,
    entries.map(({ hold }, n) => ({ ...hold!, orderId: ids[n]! })),
  )
  await insertOrderRequests(
    tx,
    entries.flatMap(({ placement: { request } }, n) =>
      request?.keyed ? [{ ...request.keyed, orderId: ids[n]! }] : [],
    ),
  )
  return ids
}

/** Reservations by the ids of the orders. Accounts are asked in one order, as their budgets may be locked. */
async function claimEntries(
  ctx: LabelContext,
  tx: Tx,
  placed: { id: number; order: NewOrder }[],
  claimedAt: number,
): Promise<Map<number, Reservation>> {
  const services = Map.groupBy(placed, ({ order }) => order.serviceUid)
  const sellers = new Map<string, { seller: LabelContext; ids: number[] }>()
  for (const [serviceUid, orders] of services) {
    const seller = await sellerOf(ctx, tx, serviceUid)
    const { account } = seller.carrier
    const known = sellers.get(account) ?? { seller, ids: [] }
    sellers.set(account, known)
    known.ids.push(...orders.map(({ id }) => id))
  }
  const reservations = new Map<number, Reservation>()
  for (const [, { seller, ids }] of [...sellers].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    for (const one of await claimReserved(
      tx,
      seller,
      ids.toSorted((a, b) => a - b),
      claimedAt,
    ))
      reservations.set(one.orderId, one)
  return reservations
}
