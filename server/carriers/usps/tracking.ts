/** Answers of USPS Tracking, version 3.2 (expand=DETAIL), as our statuses and events. */
import { z } from 'zod'
import { isUnderWay } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Carrier, TrackingEvent, TrackingResult } from '#server/carriers/port.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { leadingDay, placeText } from '#server/carriers/wire/tracking.ts'
import type { ApiClient } from './client.ts'
import { parseProblem } from './response.ts'

const text = z.string().nullish().catch(null)
const Event = z.object({
  eventType: z.string(),
  eventTimestamp: text,
  GMTTimestamp: text,
  GMTOffset: text,
  eventCity: text,
  eventState: text,
  eventCode: text,
})
const Details = z.object({
  trackingNumber: z.string(),
  status: text,
  statusCategory: text,
  statusSummary: text,
  expectedDeliveryTimeStamp: text,
  predictedDeliveryDate: text,
  guaranteedDeliveryTimeStamp: text,
  trackingEvents: z.array(z.unknown()).nullish().catch(null),
})

/** Label made, USPS told of it: nothing was handed over. */
const PRE_TRANSIT_CODES = new Set(['GX', 'MA'])
const PRE_TRANSIT = /^(?:shipping label created|pre-?shipment)/i
/** In this order: 'Delivered, To Original Sender' is a return. */
const STATUS_BY_WORDS: [RegExp, TrackingStatus][] = [
  [/\b(?:to (?:original )?sender|return(?:ed|ing)?\b)/i, 'return_to_sender'],
  [/^delivered\b/i, 'delivered'],
  [/^out for delivery\b/i, 'out_for_delivery'],
  [/\b(?:available|ready) for pick-?up\b/i, 'available_for_pickup'],
  [/^alert\b|\bundeliverable\b|\brefused\b|\bdead mail\b/i, 'failure'],
  [PRE_TRANSIT, 'pre_transit'],
]

const statusOfWords = (words: string): TrackingStatus =>
  STATUS_BY_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'in_transit'

// A tag ends before the next one: else many open ones take quadratic time.
const MARKUP = /<sup>[^<]*<\/sup>|<[^<>]*>|&#?\w+;/gi

const plainWords = (words: string): string => words.replace(MARKUP, '').replace(/\s+/g, ' ').trim()

/** Looks up a parcel without the token that charges the account. Throws without an answer about it. */
export const createUspsTrack =
  (client: ApiClient): NonNullable<Carrier['track']> =>
  async ({ trackingNumber }, signal) => {
    const path = `/tracking/v3/tracking/${encodeURIComponent(trackingNumber)}?expand=DETAIL`
    const response = await client.send(
      { method: 'GET', path, accept: 'application/json', isFree: true },
      signal,
    )
    if ('ok' in response) throw new Error(`USPS did not answer about a parcel: ${response.code}`)
    const tracked = parseTracking(response, trackingNumber)
    if (!tracked) throw new Error(`USPS answered ${response.status} about a parcel`)
    return tracked
  }

/** Null for an invalid answer, or one about another parcel. */
export function parseTracking(
  response: CarrierResponse,
  trackingNumber: string,
): TrackingResult | null {
  if (isNotYetKnown(response)) return { status: 'unknown', detail: null, at: null, events: [] }
  const found = response.status === 200 ? Details.safeParse(response.body).data : undefined
  if (found?.trackingNumber.replace(/\D/g, '') !== trackingNumber.replace(/\D/g, '')) return null
  const events = (found.trackingEvents ?? [])
    .flatMap(one => Event.safeParse(one).data ?? [])
    .flatMap(one => toEvent(one) ?? [])
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const told = plainWords(`${found.statusCategory ?? ''}`) || plainWords(found.status ?? '')
  const newest = events.at(-1)
  if (told === '' && !newest) return null
  const status = withHandover(told === '' ? newest!.status : overallStatus(told, found), events)
  const day = found.predictedDeliveryDate ?? found.expectedDeliveryTimeStamp
  return {
    status,
    detail: plainWords(found.statusSummary ?? '') || newest?.text || null,
    at: newest?.at ?? null,
    events,
    expectedDay: leadingDay(day ?? found.guaranteedDeliveryTimeStamp),
  }
}

/** A category such as 'Alert' or 'Delivered' does not tell returns; the status does. */
const overallStatus = (category: string, { status }: { status?: string | null | undefined }) =>
  statusOfWords(plainWords(status ?? '')) === 'return_to_sender'
    ? 'return_to_sender'
    : statusOfWords(category)

/**
 * Parcels at a shipping partner are 'Pre-Shipment' for USPS, but their labels are used: any other
 * event counts as handed over.
 */
const withHandover = (status: TrackingStatus, events: TrackingEvent[]): TrackingStatus =>
  !isUnderWay(status) && events.some(event => isUnderWay(event.status)) ? 'in_transit' : status

function toEvent(event: z.output<typeof Event>): TrackingEvent | null {
  const at = timeOf(event)
  const words = plainWords(event.eventType)
  if (!at || words === '') return null
  const status = PRE_TRANSIT_CODES.has(event.eventCode ?? '') ? 'pre_transit' : statusOfWords(words)
  return { at, status, text: words, place: placeText(event.eventCity, event.eventState) }
}

/**
 * Local time and offset: USPS writes the day of GMTTimestamp in local time. Some events have local
 * time only, which is read as UTC.
 */
function timeOf({ eventTimestamp, GMTTimestamp, GMTOffset }: z.output<typeof Event>): Date | null {
  const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?/.exec(eventTimestamp ?? '')?.[0]
  const offset = /^([+-])(\d{1,2}):?(\d\d)$/.exec(GMTOffset ?? '')
  const zone = offset ? `${offset[1]}${offset[2]!.padStart(2, '0')}:${offset[3]}` : 'Z'
  const at = new Date(local && (offset || !GMTTimestamp) ? local + zone : (GMTTimestamp ?? NaN))
  return Number.isNaN(at.getTime()) ? null : at
}

const NOT_YET = /status update is not yet available/i

/** USPS knows the number's format and has no event: the label was not scanned. */
function isNotYetKnown(response: CarrierResponse): boolean {
  if (response.status !== 400 && response.status !== 404) return false
  return NOT_YET.test(parseProblem(response, { secrets: [], nowMs: 0 })?.text ?? '')
}
