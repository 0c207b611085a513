/**
 * The demonstration of the overlay (specification, 2 and 9): an order that exists in this browser only. It moves the same store as
 * a real one; its id is none that a server gives, so it is never asked for, listened to or remembered.
 */
import { create } from 'zustand'
import { isTerminal } from '#contract/batch-status.ts'
import type { ProgressState } from './progress-state.ts'
import {
  DEMO_ORDER_ID,
  hideModal,
  initializeOrder,
  maximize,
  minimize,
  resetBulkOrder,
  showModal,
  updateProgress,
  useProgress,
} from './progress-store.ts'

/** Specification, 9. */
const DEMO_LABELS = 50
const DEMO_STEP = 10
const DEMO_STEP_MS = 800

/** A simulation runs on when one goes to another page: the overlay goes along, and can be closed only at its end. */
export const useDemo = create(() => ({ running: false }))

export const isDemo = (state: ProgressState): boolean => state.orderId === DEMO_ORDER_ID

/** A real order is on its way. The demonstration must not take its place. */
export const isRealOrderRunning = (state: ProgressState): boolean =>
  state.orderId !== null && !isDemo(state) && (!isTerminal(state.orderStatus) || state.isRetrying)

/** One step of the simulation: ten more labels, then the files, then the end. Null when there is nothing left to do. */
export function nextDemoStep(state: ProgressState): Parameters<typeof updateProgress>[0] | null {
  if (isTerminal(state.orderStatus)) return null
  if (state.processedCount < DEMO_LABELS)
    return { processedCount: Math.min(DEMO_LABELS, state.processedCount + DEMO_STEP) }
  if (state.orderStatus === 'processing') return { status: 'generating_files' }
  return {
    status: 'completed',
    fileData: { pdfName: 'demo.pdf', resultCSVName: 'demo.csv', autoConfirmCSVName: 'demo.txt' },
  }
}

const beginDemoOrder = (): void =>
  initializeOrder({ orderId: DEMO_ORDER_ID, totalCount: DEMO_LABELS })

/** Does `act` to the overlay with the demonstration's order in it, which begins when there is none. */
function withDemo(operation: () => void): void {
  const state = useProgress.getState()
  if (isRealOrderRunning(state)) return
  if (!isDemo(state)) beginDemoOrder()
  operation()
}

/** What the page's buttons do; each brings the overlay on the screen in its size, but for the last. */
export const showDemo = (): void => withDemo(() => showModal())
export const minimizeDemo = (): void =>
  withDemo(() => {
    showModal()
    minimize()
  })
export const maximizeDemo = (): void =>
  withDemo(() => {
    showModal()
    maximize()
  })
export const hideDemo = (): void => withDemo(hideModal)

/** Runs from 0 to 50 labels. Another press while it runs changes nothing. */
export function simulateProgress(): void {
  if (useDemo.getState().running || isRealOrderRunning(useProgress.getState())) return
  beginDemoOrder()
  useDemo.setState({ running: true })
  const timer = setInterval(step, DEMO_STEP_MS)
  function step(): void {
    const state = useProgress.getState()
    // A real order, a logout or the page itself has taken the overlay.
    const step = isDemo(state) ? nextDemoStep(state) : null
    if (step) return updateProgress(step)
    clearInterval(timer)
    useDemo.setState({ running: false })
  }
  step()
}

/** Leaving the page: what stands still would never come to an end that lets it be closed. */
export function leaveDemo(): void {
  if (!useDemo.getState().running && isDemo(useProgress.getState())) resetBulkOrder()
}
