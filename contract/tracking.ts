import * as z from 'zod'
import { Moment } from './endpoint.ts'

/** Where a parcel is, in the words that carriers and their go-betweens share. */
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

/** The parcel was handed over: its label is used and cannot be voided any more. */
export const isUnderWay = (status: TrackingStatus): boolean =>
  status !== 'unknown' && status !== 'pre_transit' && status !== 'cancelled'

/** Nothing more is to be expected. */
export const isTrackingFinal = (status: TrackingStatus): boolean =>
  status === 'delivered' || status === 'return_to_sender' || status === 'cancelled'

/** What a carrier said of a parcel when it was asked last; `at` is when it saw the parcel there, `detail` its own words. */
export const Tracking = z.object({
  status: z.enum(TRACKING_STATUSES),
  detail: z.string().nullable(),
  at: Moment.nullable(),
})
export type Tracking = z.output<typeof Tracking>

const TRACKING_STATUS_TEXTS: Record<TrackingStatus, string> = {
  unknown: 'Not seen yet',
  pre_transit: 'Not handed over yet',
  in_transit: 'On its way',
  out_for_delivery: 'Out for delivery',
  available_for_pickup: 'Ready for pickup',
  delivered: 'Delivered',
  return_to_sender: 'Going back to the sender',
  failure: 'Could not be delivered',
  cancelled: 'Cancelled',
}

/** Where a parcel is, for its reader. */
export const trackingText = (status: TrackingStatus): string => TRACKING_STATUS_TEXTS[status]

/** Where parcels are, as one asks for them. */
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

/** The statuses of the parcels that are there. */
export const statusesInStage = (place: ParcelStage): TrackingStatus[] =>
  TRACKING_STATUSES.filter(status => STAGE_BY_STATUS[status] === place)

export const PARCEL_STAGE_TEXTS: Record<ParcelStage, string> = {
  waiting: 'Not handed over yet',
  moving: 'On its way',
  delivered: 'Delivered',
  problem: 'Problem',
}
