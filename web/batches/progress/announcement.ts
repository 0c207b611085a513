import { isTerminal } from '#contract/batch-status.ts'
import { overlayViewFor } from './overlay-view.ts'
import type { ProgressState } from './progress-state.ts'

const QUARTER_PERCENT = 25

/**
 * The screen reader announcement for a state change: each 25 % passed and each new title, not every
 * second. Null if there is nothing new.
 */
export function progressAnnouncement(before: ProgressState, after: ProgressState): string | null {
  if (!after.isVisible || after.orderId === null) return null
  const viewBefore = overlayViewFor(before)
  const viewAfter = overlayViewFor(after)
  const sameOrder = before.orderId === after.orderId
  const quarter = (percentage: number) => Math.floor(percentage / QUARTER_PERCENT)
  const hasPassed = sameOrder && quarter(viewAfter.percentage) > quarter(viewBefore.percentage)
  const titleChanged = viewAfter.title !== viewBefore.title || !sameOrder
  if (!hasPassed && !titleChanged) return null
  return isTerminal(after.orderStatus)
    ? viewAfter.title
    : `${viewAfter.title} ${viewAfter.percentage}%`
}
