import { overlayViewFor } from './overlay-view.ts'
import type { ProgressState } from './progress-state.ts'

const QUARTER_PERCENT = 25

/**
 * The text of the live region after a state change: a new one with each 25 % passed, each new title
 * and each new order, else `heard`. Empty while nothing is shown.
 */
export function nextAnnouncement(
  heard: string,
  before: ProgressState,
  after: ProgressState,
): string {
  if (!after.isVisible) return ''
  const viewBefore = overlayViewFor(before)
  const viewAfter = overlayViewFor(after)
  const quarter = (percentage: number) => Math.floor(percentage / QUARTER_PERCENT)
  const isSame =
    before.isVisible
    && before.orderId === after.orderId
    && viewBefore.title === viewAfter.title
    && viewBefore.canClose === viewAfter.canClose
    && quarter(viewAfter.percentage) <= quarter(viewBefore.percentage)
  return isSame ? heard : viewAfter.announcement
}
