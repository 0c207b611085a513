/**
 * Shipments: drafts with rates, until they are bought. A shipment and its newest order are read
 * together.
 */
import { randomUUID } from 'node:crypto'
import type { ShipmentInput } from '#contract/easypost-bodies.ts'
import { requireUser } from '#server/accounts/service.ts'
import { hasLivePrices, withAllQuotesFor } from '#server/catalogue/live-prices.ts'
import { priceListWithOptions } from '#server/catalogue/option-prices.ts'
import type { PriceList } from '#server/catalogue/rules.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { findOrder, findOrders } from '#server/orders/service.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { WorkSlot } from '#server/platform/process/work-slots.ts'
import { addressCopyOf, findKnownParts, isTrimTurn, parcelCopyOf } from './addresses.ts'
import type { KnownParts } from './addresses.ts'
import type { EasypostContext } from './context.ts'
import { parseId } from './ids.ts'
import { assertOptionsSold, rateParcel } from './rates.ts'
import {
  assertReturnsToSender,
  assertShippable,
  assertSold,
  labelOptionsOf,
  parseLabelFormat,
  storableOptions,
  textOrNull,
} from './rules.ts'
import {
  deleteDraftsBeyondLimit,
  insertShipments,
  selectShipment,
  selectShipmentByReference,
  selectShipmentsById,
  setRates,
  lockShipment,
} from './shipment-store.ts'
import type { NewShipment, ShipmentRecord } from './shipment-store.ts'
import { deleteBeyondLimits } from './store.ts'
import { ratedParcelOf, time } from './wire.ts'

export type ShipmentWithOrder = { shipment: ShipmentRecord; order: OrderRecord | null }

/** A draft with its rates. Throws Refusal that names wrong fields. */
export async function createShipment(
  ctx: EasypostContext,
  userId: number,
  input: ShipmentInput | null | undefined,
): Promise<ShipmentRecord> {
  if (!input) throw refuseField('shipment', 'required', 'Missing required parameter: shipment')
  const { db } = ctx.database
  const [known, prices] = await Promise.all([
    findKnownParts(db, userId, [input]),
    priceListWithOptions(ctx, userId),
  ])
  const [draft] = await withLiveRates(ctx, userId, prices, [draftOf(input, known, prices)])
  const [shipment] = await ctx.database.tx(tx => keepDrafts(tx, userId, [draft!], null))
  return shipment!
}

/**
 * The drafts with rates of live services, for which the carrier is asked outside a transaction. `pausedFor`: of a caller who holds a
 * slot, which others can use while the carrier is asked.
 */
export async function withLiveRates(
  ctx: EasypostContext,
  userId: number,
  listed: PriceList,
  drafts: NewShipment[],
  pausedFor: WorkSlot['pausedFor'] = wait => wait(),
): Promise<NewShipment[]> {
  if (!hasLivePrices(listed)) return drafts
  const isRated = (draft: NewShipment) => draft.batchState !== 'creation_failed'
  const parcels = drafts.filter(isRated).map(ratedParcelOf)
  const prices = await pausedFor(() => withAllQuotesFor(ctx, userId, listed, parcels))
  return drafts.map(draft => (isRated(draft) ? withRates(draft, prices) : draft))
}

const withRates = <Draft extends RatableDraft>(draft: Draft, prices: PriceList): Draft => ({
  ...draft,
  rates: rateParcel(prices, ratedParcelOf(draft), labelOptionsOf(draft.options), randomUUID),
})

type RatableDraft = Pick<NewShipment, 'parcel' | 'sender' | 'receiver' | 'options' | 'rates'>

/** Throws Refusal that names wrong fields, and what is asked for and not sold. */
export function draftOf(input: ShipmentInput, known: KnownParts, prices: PriceList): NewShipment {
  assertSold(input)
  parseLabelFormat(input.options?.label_format, 'options.label_format')
  const draft = partsOf(input, known)
  if (input.return_address)
    assertReturnsToSender(
      addressCopyOf(input.return_address, 'return_address', known, draft.sender.at).content,
      draft.sender.content,
    )
  assertShippable({
    sender: draft.sender.content,
    receiver: draft.receiver.content,
    parcel: draft.parcel,
    reference: draft.reference,
  })
  const asked = labelOptionsOf(draft.options)
  assertOptionsSold(prices, asked)
  return {
    ...draft,
    rates: rateParcel(prices, ratedParcelOf(draft), asked, randomUUID),
    batchService: null,
    batchState: null,
    batchMessage: null,
  }
}

function partsOf(
  input: ShipmentInput,
  known: KnownParts,
): Pick<NewShipment, 'sender' | 'receiver' | 'parcel' | 'reference' | 'options'> {
  const now = time(new Date())
  return {
    sender: addressCopyOf(input.from_address, 'from_address', known, now),
    receiver: addressCopyOf(input.to_address, 'to_address', known, now),
    parcel: parcelCopyOf(input.parcel, known, now),
    reference: textOrNull(input.reference),
    options: storableOptions(input.options ?? {}),
  }
}

/** In the order of `drafts`. Throws Refusal for a deleted user. */
export async function keepDrafts(
  tx: Tx,
  userId: number,
  drafts: readonly NewShipment[],
  batchId: number | null,
): Promise<ShipmentRecord[]> {
  await requireUser(tx, userId)
  const kept = await insertShipments(tx, userId, drafts, batchId)
  if (isTrimTurn(...kept.map(({ id }) => id))) {
    await deleteDraftsBeyondLimit(tx, userId)
    await deleteBeyondLimits(tx, userId)
  }
  return kept
}

/** By id or reference. Throws Refusal 'shipment_unknown'. */
export async function getShipment(
  db: Db,
  userId: number,
  idOrReference: string,
): Promise<ShipmentWithOrder> {
  const key = parseId('shp', idOrReference)
  const shipment =
    key === null
      ? await selectShipmentByReference(db, userId, textOrNull(idOrReference) ?? '')
      : await selectShipment(db, userId, key)
  if (!shipment) throw shipmentUnknown()
  return { shipment, order: await orderOf(db, shipment) }
}

export const shipmentUnknown = (): Refusal =>
  new Refusal('shipment_unknown', 'The requested shipment could not be found')

const orderOf = async (db: Db, { orderId }: ShipmentRecord): Promise<OrderRecord | null> =>
  orderId === null ? null : ((await findOrder(db, orderId)) ?? null)

/** Shipments with their newest orders, in the given order. */
export async function withOrders(
  db: Db,
  shipments: readonly ShipmentRecord[],
): Promise<ShipmentWithOrder[]> {
  const ids = shipments.flatMap(({ orderId }) => orderId ?? [])
  const orders = new Map(
    (ids.length === 0 ? [] : await findOrders(db, ids)).map(order => [order.id, order]),
  )
  return shipments.map(shipment => ({
    shipment,
    order: orders.get(shipment.orderId ?? 0) ?? null,
  }))
}

export const findShipments = async (db: Db, ids: readonly number[]): Promise<ShipmentWithOrder[]> =>
  withOrders(db, await selectShipmentsById(db, ids))

/** The prices of now. A shipment keeps its rates if it is bought, even if that happens at the same time. */
export async function rerate(
  ctx: EasypostContext,
  userId: number,
  id: string,
): Promise<ShipmentRecord> {
  const { db } = ctx.database
  const { shipment, order } = await getShipment(db, userId, id)
  if (shipment.rates.isClosed || (order && order.state !== 'failed')) return shipment
  const listed = await priceListWithOptions(ctx, userId)
  const prices = await withAllQuotesFor(ctx, userId, listed, [ratedParcelOf(shipment)])
  const { rates } = withRates(shipment, prices)
  const isSet = await ctx.database.tx(async tx => {
    const locked = await lockShipment(tx, shipment.id)
    if (locked?.orderId !== shipment.orderId) return false
    await setRates(tx, shipment.id, rates)
    return true
  })
  return isSet
    ? { ...shipment, rates, ratedAt: new Date() }
    : (await getShipment(db, userId, id)).shipment
}
