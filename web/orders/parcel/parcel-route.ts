/** Where a parcel is between its sender and its receiver, as far as its status tells. Pure. */
import type { ParcelPage } from '#contract/parcel-pages.ts'
import type { TrackingStatus } from '#contract/tracking.ts'

export type RoutePlace = 'start' | 'middle' | 'near' | 'end'
/** `place`: of the latest scan that names one; '' for none. */
export type ParcelRoute = { at: RoutePlace; state: 'moving' | 'arrived' | 'stopped'; place: string }

const PLACES: Record<TrackingStatus, RoutePlace> = {
  unknown: 'start',
  pre_transit: 'start',
  in_transit: 'middle',
  out_for_delivery: 'near',
  available_for_pickup: 'near',
  delivered: 'end',
  return_to_sender: 'middle',
  failure: 'near',
  cancelled: 'start',
}
const STOPPED: readonly TrackingStatus[] = ['return_to_sender', 'failure', 'cancelled']

export function parcelRoute({
  status,
  isVoided,
  events,
}: Pick<ParcelPage, 'status' | 'isVoided' | 'events'>): ParcelRoute {
  if (isVoided) return { at: 'start', state: 'stopped', place: '' }
  return {
    at: PLACES[status],
    state: STOPPED.includes(status) ? 'stopped' : status === 'delivered' ? 'arrived' : 'moving',
    place: events.find(({ place }) => place !== '')?.place ?? '',
  }
}
