/**
 * The demo of the overlay: an order that exists in this browser only. It uses the store of real
 * orders; its id is not a server id, so it is never requested, followed or saved.
 */
import { create } from 'zustand'
import { isTerminal } from '#contract/batch-status.ts'
import { texts } from '#web/batches/texts.ts'
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

export const DEMO_LABELS = 50
const DEMO_STEP = 10
const DEMO_STEP_MS = 800

export type DemoControl = 'show' | 'minimise' | 'maximise' | 'hide'

const t = texts.demo

/** A simulation goes on when the user opens another page; it can be closed at its end. */
export const useDemo = create(() => ({ running: false }))

export const isDemo = (state: ProgressState): boolean => state.orderId === DEMO_ORDER_ID

export const isRealOrderRunning = (state: ProgressState): boolean =>
  state.orderId !== null && !isDemo(state) && (!isTerminal(state.orderStatus) || state.isRetrying)

/** A real order runs, or its window is open. The demo must not replace it. */
export const isRealOrderShown = (state: ProgressState): boolean =>
  isRealOrderRunning(state) || (state.orderId !== null && !isDemo(state) && state.isVisible)

export type WindowSize = 'hidden' | 'large' | 'small'

export const windowSize = ({ isVisible, isMinimized }: ProgressState): WindowSize =>
  !isVisible ? 'hidden' : isMinimized ? 'small' : 'large'

/** Buttons that would change nothing now, each with the reason. Of a hidden window, Minimise shows the small card. */
export const DEMO_OBSTACLES: Record<WindowSize, Partial<Record<DemoControl, string>>> = {
  hidden: { hide: t.hiddenNow, maximise: t.notSmall },
  large: { show: t.shownNow, maximise: t.notSmall },
  small: { minimise: t.smallNow },
}

/** One step of the simulation: ten more labels, then the files, then the end. Null at the end. */
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

/** Runs `operation` on the overlay with the demo order, which is created if needed. */
function withDemo(operation: () => void): void {
  const state = useProgress.getState()
  if (isRealOrderShown(state)) return
  if (!isDemo(state)) beginDemoOrder()
  operation()
}

/** The buttons of the page. Each shows the overlay in its size; the last hides it. */
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

/** Runs from 0 to 50 labels. A second press while it runs does nothing. */
export function simulateProgress(): void {
  if (useDemo.getState().running || isRealOrderShown(useProgress.getState())) return
  beginDemoOrder()
  useDemo.setState({ running: true })
  const timer = setInterval(step, DEMO_STEP_MS)
  function step(): void {
    const state = useProgress.getState()
    // A real order, a sign-out or the page has replaced the demo order.
    const step = isDemo(state) ? nextDemoStep(state) : null
    if (step) return updateProgress(step)
    clearInterval(timer)
    useDemo.setState({ running: false })
  }
  step()
}

/** A demo that is not running would never end, and so could never be closed. */
export function leaveDemo(): void {
  if (!useDemo.getState().running && isDemo(useProgress.getState())) resetBulkOrder()
}
