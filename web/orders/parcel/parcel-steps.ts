import { trackingText } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { RailStep } from '#web/ui/StepRail.tsx'
import { texts } from './texts.ts'

/** The way of a parcel from its label to the receiver. Empty when no parcel comes. */
export function parcelSteps(status: TrackingStatus): RailStep[] {
  if (status === 'cancelled') return []
  const created: RailStep = { name: texts.created, state: 'done' }
  const moving: RailStep = { name: trackingText('in_transit'), state: 'done' }
  const delivered: RailStep = { name: trackingText('delivered'), state: 'ahead' }
  if (status === 'return_to_sender')
    return [created, moving, { name: trackingText(status), state: 'stopped' }]
  if (status === 'failure')
    return [created, moving, { name: trackingText(status), state: 'stopped' }, delivered]
  const near = status === 'available_for_pickup' ? status : 'out_for_delivery'
  const steps = [created, moving, { ...delivered, name: trackingText(near) }, delivered]
  const reached = REACHED[status]
  return steps.map(({ name }, at) => ({
    name,
    state: at < reached || status === 'delivered' ? 'done' : at === reached ? 'current' : 'ahead',
  }))
}

/** The step of each status that moves on. */
const REACHED = {
  unknown: 0,
  pre_transit: 0,
  in_transit: 1,
  out_for_delivery: 2,
  available_for_pickup: 2,
  delivered: 3,
} as const
