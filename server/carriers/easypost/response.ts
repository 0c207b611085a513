/**
 * Parses EasyPost's responses. Pure. Reads only the needed fields; a field of another type than
 * published makes the result null.
 */
import * as z from 'zod'
import type { Cents } from '#contract/money.ts'
import { TRACKING_STATUSES } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type {
  CarrierFailure,
  CarrierLabelFormat,
  Purchase,
  TrackingResult,
  CarrierVoidResult,
} from '#server/carriers/port.ts'
import { findPostalService } from '#server/carriers/services.ts'
import type { ServiceUid } from '#server/carriers/services.ts'
import { INVALID_RESPONSE } from '#server/carriers/wire/failures.ts'
import { parseCentsUp } from '#server/carriers/wire/parsing.ts'
import { leadingDay, placeText } from '#server/carriers/wire/tracking.ts'
import { SERVICE_LEVELS, CARRIER_NAME } from './request.ts'

const Amount = z.union([z.string(), z.number()])
const Rate = z.object({
  id: z.string().min(1),
  carrier: z.string(),
  service: z.string(),
  rate: Amount,
  currency: z.string().nullish(),
})
const Id = z.string().regex(/^\w{1,100}$/)
const Message = z.object({ carrier: z.string().nullish(), message: z.string() })

// Skips rates that cannot be parsed, such as those of other carriers.
const Rates = z
  .array(z.unknown())
  .transform(all => all.flatMap(one => Rate.safeParse(one).data ?? []))
const RatedShipment = z.object({ id: Id, rates: Rates, messages: z.array(z.unknown()).nullish() })
/** A shipment's rates, and messages of carriers without one. */
export type RatedShipment = z.output<typeof RatedShipment>

export const parseRatedShipment = (body: unknown): RatedShipment | null =>
  RatedShipment.safeParse(body).data ?? null

const ShipmentState = z.object({
  id: Id,
  tracking_code: z.string().nullish(),
  selected_rate: z.object({ rate: Amount.nullish() }).nullish(),
  postage_label: z.object({}).nullish(),
  refund_status: z.string().nullish(),
})
/** States of a refund that was requested and not rejected. */
const REFUNDED_STATUSES = ['submitted', 'refunded']

/** Null if the response does not clearly say whether the shipment was bought. */
export function parsePurchase(body: unknown): Purchase | 'not_purchased' | null {
  const state = ShipmentState.safeParse(body).data
  if (!state) return null
  const {
    tracking_code: trackingNumber,
    selected_rate: rate,
    postage_label: label,
    refund_status: refund,
  } = state
  if (!trackingNumber && !rate && !label) return 'not_purchased'
  const cost = rate?.rate ?? null
  const costCents = parseCentsUp(cost)
  // Number and label mean bought, with or without a rate.
  if (!trackingNumber || (costCents === null && (cost !== null || !label))) return null
  return {
    trackingNumber,
    costCents,
    ...(REFUNDED_STATUSES.includes(refund ?? '') && { isVoided: true }),
  }
}

/** The cheapest US-dollar rate for a service, or why there is none. */
export function cheapestRate(
  { rates, messages }: RatedShipment,
  uid: ServiceUid,
): { id: string; amount: Cents } | CarrierFailure {
  const offers = rates
    .filter(({ carrier, service }) => carrier === CARRIER_NAME && service === SERVICE_LEVELS[uid])
    .filter(({ currency }) => (currency ?? 'USD') === 'USD')
    .flatMap(({ id, rate }) => {
      const amount = parseCentsUp(rate)
      return amount === null ? [] : [{ id, amount }]
    })
    .toSorted((a, b) => a.amount - b.amount)
  if (offers[0]) return offers[0]
  const told = (messages ?? []).flatMap(one => Message.safeParse(one).data ?? [])
  // The carrier's message names the problem with the parcel; EasyPost's does not.
  const why = told.find(one => one.carrier === CARRIER_NAME)?.message ?? told[0]?.message
  const text = `${findPostalService(uid)!.name} is not offered for this parcel`
  if (why && TRANSIENT_MESSAGE.test(why)) return NO_RATES_FAILURE
  // Permanent even without any rate: one odd parcel must not look like an account problem, which
  // pauses all purchases.
  return { ok: false, kind: 'permanent', code: 'NO_RATE', message: why ? `${text}: ${why}` : text }
}
const NO_RATES_FAILURE: CarrierFailure = {
  ok: false,
  kind: 'retryable',
  code: 'NO_RATES',
  message: 'The carrier has no prices at the moment',
}
const TRANSIENT_MESSAGE = /try again|timed? ?out|unavailable|temporar|unable to connect/i

const Refund = z.object({
  id: Id,
  tracking_code: z.string().nullish(),
  refund_status: z.string().nullish(),
})

/** A refund's state. `not_asked`: never requested; `another`: not the expected label. */
export function parseRefund(
  body: unknown,
  trackingNumber: string,
): CarrierVoidResult | { kind: 'not_asked' } | { kind: 'another' } {
  const refund = Refund.safeParse(body).data
  if (!refund) return INVALID_RESPONSE
  if (refund.tracking_code !== trackingNumber) return { kind: 'another' }
  switch (refund.refund_status ?? '') {
    case '':
      return { kind: 'not_asked' }
    case 'submitted':
      return { kind: 'submitted' }
    case 'refunded':
      return { kind: 'voided' }
    case 'rejected':
      return {
        kind: 'permanent',
        code: 'REFUND_REJECTED',
        message: 'The postal service rejected the refund of this label',
        isStillValid: true,
      }
    case 'not_applicable':
      return {
        kind: 'permanent',
        code: 'REFUND_NOT_APPLICABLE',
        message: 'This label cannot be refunded',
        isStillValid: true,
      }
    default:
      return {
        kind: 'unknown',
        code: 'REFUND_STATUS',
        message: `The carrier calls the refund ${refund.refund_status}`,
      }
  }
}

const LabelLinks = z.object({
  postage_label: z
    .object({
      label_url: z.string().nullish(),
      label_pdf_url: z.string().nullish(),
      label_zpl_url: z.string().nullish(),
    })
    .nullish(),
})

/** The address of the label file; null if there is none yet. `label_url` is the file as it was first made. */
export function parseLabelUrl(body: unknown, format: CarrierLabelFormat): string | null {
  const label = LabelLinks.safeParse(body).data?.postage_label
  if (!label) return null
  if (format === 'zpl') return label.label_zpl_url || null
  return (format === 'pdf' && label.label_pdf_url) || label.label_url || null
}

const TrackingLocation = z.object({
  city: z.string().nullish().catch(null),
  state: z.string().nullish().catch(null),
})
const TrackingDetail = z.object({
  message: z.string().nullish(),
  status: z.string().nullish(),
  datetime: z.iso.datetime({ offset: true }),
  tracking_location: TrackingLocation.nullish().catch(null),
})
const TrackerState = z.object({
  tracker: z
    .object({
      status: z.string().nullish(),
      status_detail: z.string().nullish(),
      est_delivery_date: z.string().nullish().catch(null),
      tracking_details: z.array(z.unknown()).nullish(),
    })
    .nullish(),
})

/** The newest tracking event; null for an invalid response. */
export function parseTracking(body: unknown): TrackingResult | null {
  const where = TrackerState.safeParse(body).data
  if (!where) return null
  const { status, status_detail, est_delivery_date, tracking_details } = where.tracker ?? {}
  const seen = (tracking_details ?? [])
    .flatMap(one => TrackingDetail.safeParse(one).data ?? [])
    .toSorted((a, b) => Date.parse(b.datetime) - Date.parse(a.datetime))
  const newest = seen.find(one => one.status === status) ?? seen[0]
  return {
    status: trackingStatus(status),
    detail: newest?.message || status_detail || null,
    at: newest ? new Date(newest.datetime) : null,
    events: seen.toReversed().map(({ datetime, message, tracking_location: where, ...one }) => ({
      at: new Date(datetime),
      status: trackingStatus(one.status),
      text: message ?? '',
      place: placeText(where?.city, where?.state),
    })),
    expectedDay: leadingDay(est_delivery_date),
  }
}

const trackingStatus = (status: string | null | undefined): TrackingStatus =>
  TRACKING_STATUSES.find(known => known === status) ?? 'unknown'

const User = z.object({ balance: Amount })

/** The account's balance as EasyPost writes it; null if missing. */
export const parseBalance = (body: unknown): string | number | null =>
  User.safeParse(body).data?.balance ?? null
