import { isTerminal } from '#contract/batch-status.ts'
import { overlayViewFor } from './overlay-view.ts'
import type { ProgressState } from './progress-state.ts'

const QUARTER_PERCENT = 25

/**
 * What those who listen are told when the state changes: each quarter passed and each change of status, never every second
 * (accessibility). Null when there is nothing new to say.
 */
export function progressAnnouncement(before: ProgressState, after: ProgressState): string | null {
  if (!after.isVisible || after.orderId === null) return null
  const was = overlayViewFor(before)
  const is = overlayViewFor(after)
  const sameOrder = before.orderId === after.orderId
  const quarter = (percentage: number) => Math.floor(percentage / QUARTER_PERCENT)
  const hasPassed = sameOrder && quarter(is.percentage) > quarter(was.percentage)
  const titleChanged = is.title !== was.title || !sameOrder
  if (!hasPassed && !titleChanged) return null
  return isTerminal(after.orderStatus) ? is.title : `${is.title} ${is.percentage}%`
}
