/** Where a parcel is, in the words that carriers and their go-betweens share. */
export const TRACKING_STATUSES = [
  'unknown', 'pre_transit', 'in_transit', 'out_for_delivery', 'available_for_pickup', 'delivered', 'return_to_sender', 'failure',
  'cancelled',
] as const

export type TrackingStatus = (typeof TRACKING_STATUSES)[number]

/** The parcel was handed over: its label is used and cannot be voided any more. */
export const isUnderWay = (status: TrackingStatus): boolean =>
  status !== 'unknown' && status !== 'pre_transit' && status !== 'cancelled'

/** Nothing more is to be expected. */
export const hasArrived = (status: TrackingStatus): boolean =>
  status === 'delivered' || status === 'return_to_sender' || status === 'cancelled'
