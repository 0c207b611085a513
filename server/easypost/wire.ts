/** Records as the objects of contract/easypost-objects.ts. Pure. */
import type * as z from 'zod'
import type {
  AddressVerifications,
  EasypostAddress,
  EasypostBatchStatus,
  EasypostMode,
  EasypostParcel,
  EasypostPostageLabel,
  EasypostRate,
  EasypostRefund,
  EasypostShipment,
  EasypostTracker,
} from '#contract/easypost-objects.ts'
import { decimal } from '#contract/money.ts'
import { isTrackingFinal } from '#contract/tracking.ts'
import { CARRIER_NAME } from '#server/carriers/easypost/request.ts'
import { voidStatusOf } from '#server/orders/rules.ts'
import type { OrderRecord, OrderState } from '#server/orders/rules.ts'
import { formatId, labelObjectId } from './ids.ts'
import { namesOf } from './rates.ts'
import type { StoredRate } from './rates.ts'
import type { RefundRecord } from './refund-store.ts'
import type {
  AddressCopy,
  AddressText,
  BatchMemberState,
  LabelFileFormat,
  ParcelCopy,
} from './rules.ts'
import { poundsOf } from './rules.ts'
import type { NewShipment, ShipmentRecord } from './shipment-store.ts'

/** `parcelPage`: the address of the parcel's public page; null without a valid label. */
export type TrackerContext = {
  mode: EasypostMode
  parcelPage(order: OrderRecord): string | null
}

/**
 * `labelUrl`: the signed address of a label. `labelFormat`: of a label for which the program asked
 * for none. `formats`: what the carrier makes.
 */
export type WireContext = TrackerContext & {
  labelUrl(order: OrderRecord, format: LabelFileFormat): string
  formats: readonly LabelFileFormat[]
}

/** To seconds, like EasyPost's. */
export const time = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`

export const addressWire = (
  mode: EasypostMode,
  address: {
    key: string
    content: AddressText
    verifications: AddressVerifications | null
    createdAt: Date
    updatedAt: Date
  },
): EasypostAddress => ({
  id: formatId('adr', address.key),
  object: 'Address',
  created_at: time(address.createdAt),
  updated_at: time(address.updatedAt),
  ...address.content,
  mode,
  carrier_facility: null,
  residential: null,
  federal_tax_id: null,
  state_tax_id: null,
  verifications: address.verifications ?? {},
})

export const addressOf = (mode: EasypostMode, { at, ...copy }: AddressCopy): EasypostAddress =>
  addressWire(mode, { ...copy, createdAt: new Date(at), updatedAt: new Date(at) })

export const parcelWire = (
  mode: EasypostMode,
  { key, length, width, height, weight, at }: ParcelCopy,
): z.input<typeof EasypostParcel> => ({
  id: formatId('prcl', key),
  object: 'Parcel',
  created_at: at,
  updated_at: at,
  length,
  width,
  height,
  predefined_package: null,
  weight,
  mode,
})

/** `days`: the latest business day on which the carrier delivers, if it publishes one. */
export function rateWire(
  mode: EasypostMode,
  shipment: Pick<ShipmentRecord, 'key' | 'ratedAt'>,
  rate: StoredRate,
  days: (uid: string) => number | null,
): EasypostRate {
  const deliveryDays = days(rate.uid)
  const { carrier, service } = namesOf(rate.uid)
  return {
    id: formatId('rate', rate.key),
    object: 'Rate',
    created_at: time(shipment.ratedAt),
    updated_at: time(shipment.ratedAt),
    mode,
    service,
    carrier,
    rate: decimal(rate.cents),
    currency: 'USD',
    retail_rate: null,
    retail_currency: null,
    list_rate: null,
    list_currency: null,
    billing_type: 'evenpost',
    delivery_days: deliveryDays,
    delivery_date: null,
    delivery_date_guaranteed: false,
    est_delivery_days: deliveryDays,
    shipment_id: formatId('shp', shipment.key),
    carrier_account_id: null,
  }
}

const FILE_TYPES = {
  pdf: 'application/pdf',
  png: 'image/png',
  zpl: 'application/zpl',
} as const

/** PNG, as at EasyPost, where the carrier makes it. */
const defaultFormat = (ctx: WireContext): LabelFileFormat =>
  ctx.formats.includes('png') ? 'png' : 'pdf'

function postageLabelWire(
  ctx: WireContext,
  order: OrderRecord,
  format: LabelFileFormat,
): z.input<typeof EasypostPostageLabel> {
  const at = time(order.purchasedAt ?? order.createdAt)
  const url = (of: LabelFileFormat): string => ctx.labelUrl(order, of)
  return {
    object: 'PostageLabel',
    id: labelObjectId('pl', order),
    created_at: at,
    updated_at: at,
    date_advance: 0,
    integrated_form: 'none',
    label_date: at,
    label_resolution: 203,
    label_size: '4x6',
    label_type: 'default',
    label_file_type: FILE_TYPES[format],
    label_url: url(format),
    label_pdf_url: url('pdf'),
    label_zpl_url: ctx.formats.includes('zpl') ? url('zpl') : null,
    label_epl2_url: null,
    label_file: null,
  }
}

/** Of a bought label. `shipmentKey`: null if it was not bought through /v2. */
export function trackerWire(
  { mode, parcelPage }: TrackerContext,
  order: OrderRecord,
  shipmentKey: string | null,
): EasypostTracker {
  const { tracking } = order
  const bought = order.purchasedAt ?? order.createdAt
  const status = tracking?.status ?? 'unknown'
  const location = {
    object: 'TrackingLocation' as const,
    city: null,
    state: null,
    country: null,
    zip: null,
  }
  return {
    id: labelObjectId('trk', order),
    object: 'Tracker',
    mode,
    tracking_code: order.trackingNumber!,
    status,
    status_detail: status === 'unknown' ? 'unknown' : 'status_update',
    created_at: time(bought),
    updated_at: time(tracking?.at ?? bought),
    signed_by: null,
    weight: null,
    est_delivery_date: null,
    shipment_id: shipmentKey && formatId('shp', shipmentKey),
    carrier: CARRIER_NAME,
    tracking_details: tracking?.at
      ? [
          {
            object: 'TrackingDetail',
            message: tracking.detail ?? status,
            description: '',
            status,
            status_detail: 'status_update',
            datetime: time(tracking.at),
            source: CARRIER_NAME,
            carrier_code: '',
            tracking_location: location,
          },
        ]
      : [],
    fees: [],
    carrier_detail: null,
    finalized: isTrackingFinal(status),
    is_return: false,
    public_url: parcelPage(order),
  }
}

type RefundStatus = EasypostRefund['status']

/** Null while no void was asked for. */
export function refundStatusOf(order: OrderRecord): RefundStatus | null {
  const status = voidStatusOf(order)
  return (
    status && ({ requested: 'submitted', voided: 'refunded', refused: 'rejected' } as const)[status]
  )
}

export const isBought = (order: OrderRecord | null): order is OrderRecord =>
  order !== null && order.trackingNumber !== null

type Member = {
  batchState: BatchMemberState | null
  batchMessage: string | null
  orderState: OrderState | null
  trackingNumber: string | null
  reason: string | null
}

/** Null for a shipment in no batch. */
export function batchStatusOf({
  batchState,
  orderState,
  trackingNumber,
}: Pick<Member, 'batchState' | 'orderState' | 'trackingNumber'>): EasypostBatchStatus | null {
  if (batchState === null) return null
  if (trackingNumber !== null) return 'postage_purchased'
  if (orderState === 'failed' || batchState === 'refused') return 'postage_purchase_failed'
  if (orderState !== null || batchState === 'queued') return 'queued_for_purchase'
  return batchState === 'creation_failed' ? 'creation_failed' : 'created'
}

export const batchMessageOf = ({
  batchState,
  batchMessage,
  orderState,
  reason,
}: Member): string | null =>
  batchState === null ? null : orderState === 'failed' ? reason : batchMessage

const memberOf = (shipment: ShipmentRecord, order: OrderRecord | null): Member => ({
  batchState: shipment.batchState,
  batchMessage: shipment.batchMessage,
  orderState: order?.state ?? null,
  trackingNumber: order?.trackingNumber ?? null,
  reason: order?.reason ?? null,
})

/** `asked`: the format of this answer instead of the shipment's own. */
export function shipmentWire(
  ctx: WireContext,
  shipment: ShipmentRecord,
  order: OrderRecord | null,
  days: (uid: string) => number | null,
  asked?: LabelFileFormat,
): z.input<typeof EasypostShipment> {
  const { mode } = ctx
  const bought = isBought(order) ? order : null
  const sender = addressOf(mode, shipment.sender)
  const receiver = addressOf(mode, shipment.receiver)
  const chosen = String(shipment.options.label_format ?? '').toLowerCase()
  const format = asked ?? ctx.formats.find(one => one === chosen) ?? defaultFormat(ctx)
  return {
    created_at: time(shipment.createdAt),
    is_return: false,
    messages: messagesOf(shipment, order),
    mode,
    options: { currency: 'USD', payment: { type: 'SENDER' }, date_advance: 0, ...shipment.options },
    reference: shipment.reference,
    status: bought?.tracking?.status ?? 'unknown',
    tracking_code: bought?.trackingNumber ?? null,
    updated_at: time(shipment.updatedAt),
    batch_id: shipment.batchKey && formatId('batch', shipment.batchKey),
    batch_status: batchStatusOf(memberOf(shipment, order)),
    batch_message: batchMessageOf(memberOf(shipment, order)),
    customs_info: null,
    from_address: sender,
    insurance: null,
    order_id: null,
    parcel: parcelWire(mode, shipment.parcel),
    postage_label: bought && postageLabelWire(ctx, bought, format),
    rates: shipment.rates.offers.map(rate => rateWire(mode, shipment, rate, days)),
    refund_status: bought && refundStatusOf(bought),
    scan_form: null,
    selected_rate:
      bought && shipment.selected ? rateWire(mode, shipment, shipment.selected, days) : null,
    tracker: bought && trackerWire(ctx, bought, shipment.key),
    to_address: receiver,
    usps_zone: null,
    return_address: sender,
    buyer_address: receiver,
    forms: [],
    fees: bought
      ? [
          {
            object: 'Fee',
            type: 'PostageFee',
            amount: `${decimal(bought.price)}000`,
            charged: true,
            refunded: bought.state === 'voided',
          },
        ]
      : [],
    id: formatId('shp', shipment.key),
    object: 'Shipment',
  }
}

function messagesOf(
  { rates, selected }: ShipmentRecord,
  order: OrderRecord | null,
): z.input<typeof EasypostShipment>['messages'] {
  const messages = rates.unavailable.map(({ uid, reason }) => ({
    carrier: namesOf(uid).carrier,
    carrier_account_id: null,
    type: 'rate_error' as const,
    message: reason,
  }))
  if (order?.state !== 'failed' || !selected) return messages
  const message = `The label was not bought: ${order.reason ?? 'the carrier refused it'}`
  return [
    ...messages,
    {
      carrier: namesOf(selected.uid).carrier,
      carrier_account_id: null,
      type: 'purchase_error',
      message,
    },
  ]
}

export const refundWire = (
  refund: RefundRecord,
  order: OrderRecord,
  shipmentKey: string | null,
): EasypostRefund => ({
  id: formatId('rfnd', refund.key),
  object: 'Refund',
  created_at: time(refund.createdAt),
  updated_at: time(order.voidedAt ?? refund.createdAt),
  tracking_code: order.trackingNumber!,
  confirmation_number: null,
  // No void was requested: the label could not be voided.
  status: refundStatusOf(order) ?? 'rejected',
  carrier: CARRIER_NAME,
  shipment_id: shipmentKey && formatId('shp', shipmentKey),
})

/** The rated parcel in pounds; sides that are not known cannot be rated. */
export const ratedParcelOf = ({ parcel, sender, receiver }: RatedShipment) => ({
  length: parcel.length ?? 0,
  width: parcel.width ?? 0,
  height: parcel.height ?? 0,
  weight: poundsOf(parcel.weight),
  fromZip: sender.content.zip ?? '',
  toZip: receiver.content.zip ?? '',
})

type RatedShipment = Pick<NewShipment, 'parcel' | 'sender' | 'receiver'>
