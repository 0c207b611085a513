import { trackingText } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { RailStep } from '#web/ui/StepRail.tsx'
import { scanDayText } from './parcel-text.ts'
import { texts } from './texts.ts'

type Scan = { at: string; status: TrackingStatus }

/** Steps of the rail with the day of the first scan of each. `events`: newest first. Empty when no parcel comes. */
export function parcelSteps(status: TrackingStatus, events: readonly Scan[]): RailStep[] {
  return stepsAt(status).map(step => {
    const scan = events.findLast(one => one.status === step.of)
    const { name, state } = step
    return scan && state !== 'ahead' ? { name, state, text: scanDayText(scan.at) } : { name, state }
  })
}

/** `of`: the status of the scan that reaches the step. */
type Step = RailStep & { of: TrackingStatus }

/** The way of a parcel from its label to the receiver. */
function stepsAt(status: TrackingStatus): Step[] {
  if (status === 'cancelled') return []
  const created: Step = { of: 'pre_transit', name: texts.created, state: 'done' }
  const moving: Step = { of: 'in_transit', name: trackingText('in_transit'), state: 'done' }
  const delivered: Step = { of: 'delivered', name: trackingText('delivered'), state: 'ahead' }
  if (status === 'return_to_sender')
    return [created, moving, { of: status, name: trackingText(status), state: 'stopped' }]
  if (status === 'failure')
    return [
      created,
      moving,
      { of: status, name: trackingText(status), state: 'stopped' },
      delivered,
    ]
  const near = status === 'available_for_pickup' ? status : 'out_for_delivery'
  const steps = [
    created,
    moving,
    { ...delivered, of: near, name: trackingText(near) },
    delivered,
  ] as const
  const reached = REACHED[status]
  return steps.map(({ of, name }, at) => ({
    of,
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
