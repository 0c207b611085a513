/** Parses ShipEngine's responses. Pure. Fields that are not needed may have any value. */
import * as z from 'zod'
import { sum, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type {
  CarrierLabel,
  CarrierLabelFormat,
  TrackingEvent,
  TrackingResult,
} from '#server/carriers/port.ts'
import { parseCentsDown, parseCentsUp, detectLabel } from '#server/carriers/wire/parsing.ts'
import { leadingDay, placeText } from '#server/carriers/wire/tracking.ts'

const Amount = z
  .object({ currency: z.string().regex(/^usd$/i), amount: z.union([z.number(), z.string()]) })
  .transform((money, told) => {
    const found = parseCentsUp(money.amount)
    if (found !== null) return found
    told.issues.push({ code: 'custom', message: 'not an amount', input: money })
    return z.NEVER
  })

const Label = z.object({
  label_id: z.string().regex(/^[\w-]{1,100}$/),
  status: z.enum(['processing', 'completed', 'error', 'voided']),
  tracking_number: z.string().trim().nullish(),
  shipment_cost: Amount.nullish(),
  insurance_cost: Amount.nullish(),
  voided: z.boolean().nullish(),
  label_download: z
    .object({
      href: z.string().nullish(),
      pdf: z.string().nullish(),
      png: z.string().nullish(),
      zpl: z.string().nullish(),
    })
    .nullish()
    .catch(null),
})

/** `files`: the address of a file, or the file itself ('data:…'), by format. */
export type ShipEngineLabel = {
  id: string
  isVoided: boolean
  state: 'sold' | 'not sold' | 'being made'
  trackingNumber: string
  costCents: Cents | null
  files: Record<CarrierLabelFormat, string | null>
}

/** Null without a label or with an unclear one. */
export function parseLabel(body: unknown): ShipEngineLabel | null {
  const found = Label.safeParse(body).data
  if (!found) return null
  const {
    label_id: id,
    status,
    tracking_number: trackingNumber,
    shipment_cost: cost,
    insurance_cost: insurance,
  } = found
  const file = found.label_download
  const state = status === 'processing' ? 'being made' : status === 'error' ? 'not sold' : 'sold'
  if (state === 'sold' && !trackingNumber) return null
  return {
    id,
    state,
    isVoided: status === 'voided' || found.voided === true,
    trackingNumber: trackingNumber ?? '',
    costCents: cost === null || cost === undefined ? null : sum([cost, insurance ?? ZERO]),
    files: {
      pdf: file?.pdf ?? file?.href ?? file?.png ?? null,
      png: file?.png ?? null,
      zpl: file?.zpl ?? null,
    },
  }
}

const Estimates = z.array(
  z
    .object({
      service_code: z.string(),
      package_type: z.string().nullish(),
      shipping_amount: Amount,
      insurance_amount: Amount,
      confirmation_amount: Amount,
      other_amount: Amount,
      error_messages: z.array(z.string()),
    })
    .nullable()
    .catch(null),
)

/** The price of a parcel in its own box, or why there is none; null for an unclear response. */
export function parseEstimate(
  body: unknown,
  serviceCode: string,
): { costCents: Cents } | { reason: string | null } | null {
  const found = Estimates.safeParse(body).data
  if (!found) return null
  const ofService = found.filter(
    one => one?.service_code === serviceCode && (one.package_type ?? 'package') === 'package',
  )
  const [cheapest] = ofService
    .flatMap(one => (one!.error_messages.length > 0 ? [] : totalOf(one!)))
    .toSorted((a, b) => a - b)
  return cheapest === undefined
    ? { reason: ofService.flatMap(one => one!.error_messages)[0] ?? null }
    : { costCents: cheapest }
}

const totalOf = (one: NonNullable<z.output<typeof Estimates>[number]>): Cents =>
  sum([one.shipping_amount, one.insurance_amount, one.confirmation_amount, one.other_amount])

/** A file inside the response; null if it must be fetched. */
export function decodeInlineFile(file: string | null): CarrierLabel | null {
  const found = /^data:[^,]{0,100};base64,/.exec(file ?? '')
  return found ? detectLabel(Buffer.from(file!.slice(found[0].length), 'base64')) : null
}

const UnlabeledShipment = z.object({
  shipment_id: z.string().regex(/^[\w-]{1,100}$/),
  created_at: z.iso.datetime({ offset: true }),
})

/** A shipment without a label. `madeAt`: ms since 1970. */
export function parseShipment(body: unknown): { id: string; madeAt: number } | null {
  const found = UnlabeledShipment.safeParse(body).data
  return found ? { id: found.shipment_id, madeAt: Date.parse(found.created_at) } : null
}

const VoidBody = z.object({
  approved: z.boolean(),
  message: z.string().nullish(),
  reason_code: z.string().nullish(),
})

/** Null for an invalid response. */
export function parseVoid(
  body: unknown,
): { isVoided: boolean; code: string; message: string } | null {
  const found = VoidBody.safeParse(body).data
  if (!found) return null
  const code = found.reason_code ?? 'NOT_APPROVED'
  return {
    isVoided: found.approved || code === 'label_already_voided',
    code,
    message:
      found.message || VOID_REASONS[code] || 'The carrier did not approve the void of this label',
  }
}
const VOID_REASONS: Record<string, string> = {
  label_not_found_within_void_period: 'The time in which this label could be voided is over',
  label_already_used: 'This label was used already',
  contact_carrier: 'The carrier wants to be asked about this label in person',
}

const OptionalDate = z.iso
  .datetime({ offset: true })
  .transform(text => new Date(text))
  .nullish()
  .catch(null)
const TrackingLog = z.object({
  status_code: z.string(),
  status_detail_code: z.string().nullish().catch(null),
  carrier_status_description: z.string().nullish().catch(null),
  status_description: z.string().nullish().catch(null),
  actual_delivery_date: OptionalDate,
  estimated_delivery_date: z.string().nullish().catch(null),
  events: z.array(z.unknown()).nullish().catch(null),
})
const OptionalText = z.string().nullish().catch(null)
const TrackingLogEvent = z.object({
  occurred_at: OptionalDate,
  description: OptionalText,
  city_locality: OptionalText,
  state_province: OptionalText,
  status_code: OptionalText,
  status_detail_code: OptionalText,
})

const STATUS_BY_CODE: Record<string, TrackingStatus> = {
  UN: 'unknown',
  NY: 'pre_transit',
  AC: 'in_transit',
  IT: 'in_transit',
  AT: 'in_transit',
  SP: 'available_for_pickup',
  DE: 'delivered',
  EX: 'failure',
}
/** Detail codes that say more than the two-letter status. */
const STATUS_BY_DETAIL_CODE: Record<string, TrackingStatus> = {
  SHIPMENT_CREATED: 'pre_transit',
  AWAITING_PICKUP_DROP_OFF: 'pre_transit',
  ELEC_ADVICE_RECD_BY_CARRIER: 'pre_transit',
  NOT_YET_RECEIVED_BY_CARRIER: 'pre_transit',
  OUT_FOR_DELIVERY: 'out_for_delivery',
  COLLECT_AT_LOCAL_PO: 'available_for_pickup',
  AWAITING_COLLECTION_FROM_PICKUP_POINT: 'available_for_pickup',
  CUSTOMER_TO_COLLECT_FROM_CARRIER: 'available_for_pickup',
  CARRIER_DELAYS: 'in_transit',
  DELAYED_NOT_CARRIER: 'in_transit',
  HELD_BY_CARRIER: 'in_transit',
  MISROUTED: 'in_transit',
  RETURN_TO_SENDER: 'return_to_sender',
  UNDELIVERABLE_RETURNED_TO_SENDER: 'return_to_sender',
  CANCELLED: 'cancelled',
}

/** Null for an invalid response. */
export function parseTracking(body: unknown): TrackingResult | null {
  const found = TrackingLog.safeParse(body).data
  const status = found && trackingStatus(found)
  if (!status) return null
  const events = (found.events ?? [])
    .flatMap(one => TrackingLogEvent.safeParse(one).data ?? [])
    .flatMap(one => toTrackingEvent(one) ?? [])
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  return {
    status,
    detail: found.carrier_status_description || found.status_description || null,
    at: found.actual_delivery_date ?? events.at(-1)?.at ?? null,
    events,
    expectedDay: leadingDay(found.estimated_delivery_date),
  }
}

type StatusCodes = {
  status_code?: string | null | undefined
  status_detail_code?: string | null | undefined
}
const trackingStatus = (codes: StatusCodes): TrackingStatus | undefined =>
  STATUS_BY_DETAIL_CODE[codes.status_detail_code ?? ''] ?? STATUS_BY_CODE[codes.status_code ?? '']

function toTrackingEvent(event: z.output<typeof TrackingLogEvent>): TrackingEvent | null {
  if (!event.occurred_at) return null
  return {
    at: event.occurred_at,
    status: trackingStatus(event) ?? 'unknown',
    text: event.description ?? '',
    place: placeText(event.city_locality, event.state_province),
  }
}

/** The carrier account's balance; null for one that is not prepaid. */
export function parseBalance(body: unknown): Cents | null {
  const found = z
    .object({ balance: z.number(), requires_funded_amount: z.boolean().nullish() })
    .safeParse(body).data
  return found && found.requires_funded_amount !== false ? parseCentsDown(found.balance) : null
}
