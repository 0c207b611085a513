/** The bulk order that is being followed, on every page of a signed-in user (specification, 2 and 4). */
import { useEffect, useState } from 'react'
import { useSession } from '#web/client/session.ts'
import { progressAnnouncement } from './progress/announcement.ts'
import { followOrder, isFollowed } from './progress/follow.ts'
import { overlayViewFor } from './progress/overlay-view.ts'
import { tick, useProgress } from './progress/progress-store.ts'
import { ProgressCard } from './progress/ProgressCard.tsx'
import { ProgressDialog } from './progress/ProgressDialog.tsx'
import { resumeProgress } from './progress/resume.ts'
import { retryFollowedOrder } from './progress/retry.ts'
import { useOverlayFocusReturn } from './progress/use-overlay-focus-return.ts'

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
    // Not found now means not found: the list of bulk orders has everything, and a reload asks again.
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
      <ProgressDialog state={state} onRetry={() => void retryFollowedOrder(userId)}>
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

/** The last sentence for those who listen. */
function useProgressAnnouncement(): string {
  const [announcement, setAnnouncement] = useState('')
  useEffect(
    () =>
      useProgress.subscribe((after, before) =>
        setAnnouncement(old => progressAnnouncement(before, after) ?? old),
      ),
    [],
  )
  return announcement
}

/** Whether the dialog has been on the screen since the page was loaded, so that a card takes the focus only from it. */
function useWasDialogShown(): boolean {
  const [wasLarge, setWasLarge] = useState(false)
  const isLarge = useProgress(state => state.isVisible && !state.isMinimized)
  if (isLarge && !wasLarge) setWasLarge(true)
  return wasLarge
}
