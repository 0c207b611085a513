/** The progress of the followed bulk order, on every page of a signed-in user. */
import { useEffect, useState } from 'react'
import { useSession } from '#web/client/session.ts'
import { nextAnnouncement } from './progress/announcement.ts'
import { followOrder, isFollowed } from './progress/follow.ts'
import { overlayViewFor } from './progress/overlay-view.ts'
import { tick, useProgress } from './progress/progress-store.ts'
import { ProgressCard } from './progress/ProgressCard.tsx'
import { ProgressDialog } from './progress/ProgressDialog.tsx'
import { resumeProgress } from './progress/resume.ts'
import { retryFollowedOrder } from './progress/retry.ts'

const CLOCK_MS = 1000

export function ProgressOverlay() {
  const userId = useSession(session => session.user?._id)
  return userId ? <FollowedOrder key={userId} userId={userId} /> : null
}

function FollowedOrder({ userId }: { userId: string }) {
  const state = useProgress()
  const announcement = useProgressAnnouncement()
  const wasLarge = useWasDialogShown()
  useOverlayFocusReturn()
  const { orderId } = state
  const followed = isFollowed(state)
  const clockRunning = state.isVisible && overlayViewFor(state).clockRunning

  useEffect(() => {
    const controller = new AbortController()
    // A failure needs no retry: Batch Orders shows everything, and a reload tries again.
    resumeProgress(userId, controller.signal).catch(() => {})
    return () => controller.abort()
  }, [userId])

  useEffect(
    () => (followed && orderId !== null ? followOrder(userId, orderId) : undefined),
    [userId, orderId, followed],
  )

  useEffect(() => {
    if (!clockRunning) return
    const timer = setInterval(tick, CLOCK_MS)
    return () => clearInterval(timer)
  }, [clockRunning])

  const liveRegion = (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  )
  return (
    <>
      <ProgressDialog
        userId={userId}
        state={state}
        onRetry={allowRepeats => void retryFollowedOrder(userId, allowRepeats)}
      >
        {liveRegion}
      </ProgressDialog>
      {state.isVisible && state.isMinimized && (
        <ProgressCard state={state} takesFocus={wasLarge}>
          {liveRegion}
        </ProgressCard>
      )}
    </>
  )
}

/**
 * Closing the overlay returns the focus to where it was when the overlay opened, however often it
 * was minimized meanwhile. If that element is gone, the page gets the focus.
 */
function useOverlayFocusReturn(): void {
  useEffect(() => {
    let opener: Element | null = null
    return useProgress.subscribe((after, before) => {
      if (after.isVisible === before.isVisible) return
      if (after.isVisible) opener = document.activeElement
      // The dialog is still open now and would keep the focus.
      else setTimeout(() => restoreFocus(opener))
    })
  }, [])
}

function restoreFocus(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  const target = isThere ? opener : document.getElementById('content')
  target?.focus({ preventScroll: true })
}

/** The last announcement for screen readers. */
function useProgressAnnouncement(): string {
  const [announcement, setAnnouncement] = useState('')
  useEffect(
    () =>
      useProgress.subscribe((after, before) =>
        setAnnouncement(heard => nextAnnouncement(heard, before, after)),
      ),
    [],
  )
  return announcement
}

/**
 * Whether the dialog was visible since the page was loaded. The card takes focus only from the
 * dialog.
 */
function useWasDialogShown(): boolean {
  const [wasLarge, setWasLarge] = useState(false)
  const isLarge = useProgress(state => state.isVisible && !state.isMinimized)
  if (isLarge && !wasLarge) setWasLarge(true)
  return wasLarge
}
