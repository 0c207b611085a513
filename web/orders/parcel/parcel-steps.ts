/** The history of a parcel: its steps, each with the scans that belong to it. Pure. */
import type { ParcelEvent, ParcelPage } from '#contract/parcel-pages.ts'
import { trackingText } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { StepState } from '#web/ui/StepRail.tsx'
import { texts } from './texts.ts'

/** `text`: '' where it would repeat the name of the step. */
type StepScan = { at: string; text: string; place: string }
/** `explain`: what happens there, before the first scan. */
export type ParcelStep = { name: string; state: StepState; scans: StepScan[]; explain?: string }

type Parcel = Pick<ParcelPage, 'status' | 'isVoided' | 'labelAt' | 'events'>

/** Steps and scans from the oldest to what is still ahead; the first scan is the making of the label. */
export function parcelSteps({ status, isVoided, labelAt, events }: Parcel): ParcelStep[] {
  const steps = stepsAt(isVoided ? 'cancelled' : status)
  if (isVoided) steps.at(-1)!.name = texts.voidedStep
  const history = steps.map(({ name, state }): ParcelStep => ({ name, state, scans: [] }))
  history[0]!.scans.push({ at: labelAt, text: '', place: '' })
  const isWaiting = !isVoided && (status === 'unknown' || status === 'pre_transit')
  const last = steps.findLastIndex(({ state }) => state !== 'ahead')
  let reached = 0
  for (const event of events.toReversed()) {
    // No scan is before an earlier one, nor ahead: one that a second try has overtaken stays where the parcel was.
    const own = steps.findIndex(({ of }) => of === event.status)
    reached = Math.min(Math.max(reached, own), last)
    history[reached]!.scans.push(scanOf(event, history[reached]!.name))
  }
  if (events.length === 0 && isWaiting)
    for (const [at, { of, state }] of steps.entries()) {
      const explain = texts.explanations[of]
      if (state === 'ahead' && explain !== undefined) history[at]!.explain = explain
    }
  return history
}

const scanOf = ({ at, status, text, place }: ParcelEvent, step: string): StepScan => {
  const words = text || trackingText(status)
  return { at, text: words === step ? '' : words, place }
}

/** `of`: the status of the scan that reaches the step. */
type Step = { of: TrackingStatus; name: string; state: StepState }

/** The way of a parcel from its label to the receiver. */
function stepsAt(status: TrackingStatus): Step[] {
  const step = (of: TrackingStatus, state: StepState): Step => ({
    of,
    name: of === 'pre_transit' ? texts.created : trackingText(of),
    state,
  })
  const created = step('pre_transit', 'done')
  if (status === 'cancelled') return [created, step(status, 'stopped')]
  const moving = step('in_transit', 'done')
  if (status === 'return_to_sender') return [created, moving, step(status, 'stopped')]
  if (status === 'failure')
    return [created, moving, step(status, 'stopped'), step('delivered', 'ahead')]
  const near = status === 'available_for_pickup' ? status : 'out_for_delivery'
  const reached = REACHED[status]
  return (['pre_transit', 'in_transit', near, 'delivered'] as const).map((of, at) =>
    step(
      of,
      at < reached || status === 'delivered' ? 'done' : at === reached ? 'current' : 'ahead',
    ),
  )
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
