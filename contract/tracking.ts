import * as z from 'zod'
import { Moment } from './endpoint.ts'

/** Statuses of a parcel, as carriers and their aggregators name them. */
export const TRACKING_STATUSES = [
  'unknown',
  'pre_transit',
  'in_transit',
  'out_for_delivery',
  'available_for_pickup',
  'delivered',
  'return_to_sender',
  'failure',
  'cancelled',
] as const

export type TrackingStatus = (typeof TRACKING_STATUSES)[number]

/** The parcel was handed over: its label is used and can no longer be voided. */
export const isUnderWay = (status: TrackingStatus): boolean =>
  status !== 'unknown' && status !== 'pre_transit' && status !== 'cancelled'

/** No further events are expected. */
export const isTrackingFinal = (status: TrackingStatus): boolean =>
  status === 'delivered' || status === 'return_to_sender' || status === 'cancelled'

/** The latest carrier response; `at`: time of the carrier's event; `detail`: the carrier's text. */
export const Tracking = z.object({
  status: z.enum(TRACKING_STATUSES),
  detail: z.string().nullable(),
  at: Moment.nullable(),
})
export type Tracking = z.output<typeof Tracking>

const TRACKING_STATUS_TEXTS: Record<TrackingStatus, string> = {
  unknown: 'No scan yet',
  pre_transit: 'Not shipped yet',
  in_transit: 'In transit',
  out_for_delivery: 'Out for delivery',
  available_for_pickup: 'Ready for pickup',
  delivered: 'Delivered',
  return_to_sender: 'Returning to sender',
  failure: 'Delivery failed',
  cancelled: 'Cancelled',
}

export const trackingText = (status: TrackingStatus): string => TRACKING_STATUS_TEXTS[status]

/** Stages of a parcel, for filters. */
export const PARCEL_STAGES = ['waiting', 'moving', 'delivered', 'problem'] as const
export type ParcelStage = (typeof PARCEL_STAGES)[number]

const STAGE_BY_STATUS: Record<TrackingStatus, ParcelStage> = {
  unknown: 'waiting',
  pre_transit: 'waiting',
  in_transit: 'moving',
  out_for_delivery: 'moving',
  available_for_pickup: 'moving',
  delivered: 'delivered',
  return_to_sender: 'problem',
  failure: 'problem',
  cancelled: 'problem',
}

export const statusesInStage = (stage: ParcelStage): TrackingStatus[] =>
  TRACKING_STATUSES.filter(status => STAGE_BY_STATUS[status] === stage)

export const PARCEL_STAGE_TEXTS: Record<ParcelStage, string> = {
  waiting: 'Not shipped yet',
  moving: 'In transit',
  delivered: 'Delivered',
  problem: 'Problem',
}
