/**
 * A shipment is bought by the walk of a single order. The order and the shipment's link to it are
 * one transaction, so that a shipment never has two live labels and finds its order again after a
 * crash. Only a failed order, which bought nothing, gives way to a new one.
 */
import type { OrderInput, OrderRecord } from '#server/orders/rules.ts'
import { findOrder } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { Caller, CallerKey } from '#server/platform/http/router.ts'
import { awaitPurchase, purchaseLabel, queueLabel } from '#server/purchasing/place.ts'
import type { OrderRequest } from '#server/purchasing/reservation.ts'
import type { EasypostContext } from './context.ts'
import { formatId, parseId } from './ids.ts'
import { findRateOf, reasonWithout } from './rates.ts'
import type { StoredRate, StoredRates } from './rates.ts'
import { labelOptionsOf, shipmentRow } from './rules.ts'
import { deleteDraft, lockShipment, selectShipmentOfOrder, setOrder } from './shipment-store.ts'
import type { ShipmentRecord } from './shipment-store.ts'
import { shipmentUnknown } from './shipments.ts'
import type { ShipmentWithOrder } from './shipments.ts'
import { isBought } from './wire.ts'

/**
 * Returns the shipment with its bought order. Throws Refusal: 'postage_exists' for a shipment bought before, also at
 * the same time; 'price_changed', 'insufficient_balance'; 'label_refused' by the carrier;
 * 'postage_timed_out' while the carrier's answer is open.
 */
export async function buyShipment(
  ctx: EasypostContext,
  { userId, key }: Caller,
  { shipment, order: before }: ShipmentWithOrder,
  rate: StoredRate,
): Promise<ShipmentWithOrder> {
  if (isBought(before)) throw postageExists()
  const request = requestOf(shipment, rate)
  const order = await purchaseLabel(ctx, userId, orderInput(shipment, rate), request, key)
  if (!isBought(order)) throw timedOut(shipment)
  if (request.isRepeated()) throw postageExists()
  const batchState = shipment.batchState && 'ordered'
  return {
    shipment: { ...shipment, batchState, selected: rate, orderId: order.id, updatedAt: new Date() },
    order,
  }
}

/**
 * Buys a new draft. A repeat of the call that `keyed` recognizes answers with the shipment that the
 * first one bought, instead of the draft. Throws Refusal as `buyShipment`, and that of `keyed`.
 */
export async function buyDraftOnce(
  ctx: EasypostContext,
  { userId, key }: Caller,
  draft: ShipmentRecord,
  rate: StoredRate,
  keyed: OrderRequest,
): Promise<ShipmentWithOrder> {
  const own = requestOf(draft, rate)
  const request: OrderRequest = {
    find: async tx => (await keyed.find(tx)) ?? (await own.find(tx)),
    async record(tx, orderId) {
      await own.record(tx, orderId)
      await keyed.record(tx, orderId)
    },
  }
  const order = await purchaseLabel(ctx, userId, orderInput(draft, rate), request, key)
  const shipment = await selectShipmentOfOrder(ctx.database.db, userId, order.id)
  if (shipment?.id !== draft.id) await ctx.database.tx(tx => deleteDraft(tx, draft.id))
  return assertBought(shipment, order)
}

/**
 * What an earlier call with the same key bought; null without one. Waits while it is being bought.
 * Throws Refusal as `buyDraftOnce`.
 */
export async function findBoughtBefore(
  ctx: EasypostContext,
  userId: number,
  keyed: OrderRequest,
): Promise<ShipmentWithOrder | null> {
  const orderId = await ctx.database.tx(tx => keyed.find(tx))
  if (orderId === null) return null
  const order = await awaitPurchase(ctx, orderId)
  return assertBought(await selectShipmentOfOrder(ctx.database.db, userId, order.id), order)
}

function assertBought(shipment: ShipmentRecord | undefined, order: OrderRecord): ShipmentWithOrder {
  if (!shipment) throw shipmentUnknown()
  if (!isBought(order)) throw timedOut(shipment)
  return { shipment, order }
}

/** Places the order for the workers. A shipment that has an order keeps it. */
export async function queueShipment(
  ctx: EasypostContext,
  userId: number,
  shipment: ShipmentRecord,
  rate: StoredRate,
  key: Pick<CallerKey, 'id'> | null,
): Promise<void> {
  await queueLabel(ctx, userId, orderInput(shipment, rate), requestOf(shipment, rate), key)
}

const orderInput = (shipment: ShipmentRecord, rate: StoredRate): OrderInput => ({
  row: shipmentRow(
    {
      sender: shipment.sender.content,
      receiver: shipment.receiver.content,
      parcel: shipment.parcel,
      reference: shipment.reference,
    },
    rate.uid,
  ),
  manifested: false,
  options: labelOptionsOf(shipment.options),
  agreedPrice: rate.cents,
})

function requestOf(
  { id }: ShipmentRecord,
  rate: StoredRate,
): OrderRequest & { isRepeated(): boolean } {
  let isRepeated = false
  return {
    isRepeated: () => isRepeated,
    async find(tx: Tx) {
      const locked = await lockShipment(tx, id)
      if (!locked) throw shipmentUnknown()
      const order = locked.orderId === null ? undefined : await findOrder(tx, locked.orderId)
      isRepeated = order !== undefined && order.state !== 'failed'
      return isRepeated ? locked.orderId : null
    },
    record: (tx: Tx, orderId: number) => setOrder(tx, id, orderId, rate),
  }
}

export const postageExists = (): Refusal =>
  new Refusal(
    'postage_exists',
    'Postage already exists for this shipment. Retrieve the shipment: it has the label.',
  )

const timedOut = ({ key }: ShipmentRecord): Refusal =>
  new Refusal(
    'postage_timed_out',
    `The carrier has not answered yet whether the label of ${formatId('shp', key)} is bought. `
      + 'Retrieve this shipment later: it tells. Do not create another one.',
  )

function assertOpen({ isClosed }: StoredRates): void {
  if (isClosed)
    throw new Refusal(
      'rate_unknown',
      'The site was restored from a backup while this shipment was being bought. It is not bought again: '
        + 'look for its label in Orders before you create another shipment.',
    )
}

/** By the id of one of its rates. Throws Refusal 'rate_unknown'. */
export function rateOfId({ rates }: ShipmentRecord, id: string | null | undefined): StoredRate {
  if (!id) throw refuseField('rate', 'required', 'Missing required parameter: rate')
  assertOpen(rates)
  const key = parseId('rate', id)
  const rate = rates.offers.find(one => one.key === key)
  if (!rate)
    throw new Refusal(
      'rate_unknown',
      'The shipment has no such rate. Rate it again, then buy at one of its rates.',
    )
  return rate
}

/** By the name of its service. Throws Refusal 'rate_unknown', also without a name. */
export function rateOfService({ rates }: ShipmentRecord, service: string | null): StoredRate {
  assertOpen(rates)
  if (service === null)
    throw new Refusal('rate_unknown', 'No service was named for this shipment: set service')
  const rate = findRateOf(rates, service)
  if (rate) return rate
  const reason = reasonWithout(rates, service)
  throw new Refusal(
    'rate_unknown',
    `The shipment has no rate of the service ${JSON.stringify(service.slice(0, 60))}.${reason ? ` ${reason}.` : ''}`,
  )
}
