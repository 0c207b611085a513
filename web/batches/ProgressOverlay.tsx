/** The bulk order that is being followed, on every page of a signed-in user (specification, 2 and 4). */
import { useEffect, useState } from 'react'
import { overlay } from '#contract/progress.ts'
import { useSession } from '#web/client/session.ts'
import { tick, useProgress } from './progress-store.ts'
import { follow, isFollowed } from './progress/follow.ts'
import { ProgressCard } from './progress/ProgressCard.tsx'
import { ProgressDialog } from './progress/ProgressDialog.tsx'
import { resume } from './progress/resume.ts'
import { retryFollowed } from './progress/retry.ts'
import { spoken } from './progress/spoken.ts'
import { useReturn } from './progress/use-return.ts'

const CLOCK_MS = 1000

export function ProgressOverlay() {
  const userId = useSession(session => session.user?._id)
  return userId ? <Followed key={userId} userId={userId} /> : null
}

function Followed({ userId }: { userId: string }) {
  const state = useProgress()
  const said = useSpoken()
  const wasLarge = useWasLarge()
  useReturn()
  const { orderId } = state
  const followed = isFollowed(state)
  const clockRuns = state.isVisible && overlay(state).clockRuns

  useEffect(() => {
    const ending = new AbortController()
    // Not found now means not found: the list of bulk orders has everything, and a reload asks again.
    resume(userId, ending.signal).catch(() => {})
    return () => ending.abort()
  }, [userId])

  useEffect(
    () => (followed && orderId !== null ? follow(userId, orderId) : undefined),
    [userId, orderId, followed],
  )

  useEffect(() => {
    if (!clockRuns) return
    const timer = setInterval(tick, CLOCK_MS)
    return () => clearInterval(timer)
  }, [clockRuns])

  const live = (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  )
  return (
    <>
      <ProgressDialog state={state} onRetry={() => void retryFollowed(userId)}>
        {live}
      </ProgressDialog>
      {state.isVisible && state.isMinimized && (
        <ProgressCard state={state} takesFocus={wasLarge}>
          {live}
        </ProgressCard>
      )}
    </>
  )
}

/** The last sentence for those who listen. */
function useSpoken(): string {
  const [said, setSaid] = useState('')
  useEffect(
    () => useProgress.subscribe((after, before) => setSaid(old => spoken(before, after) ?? old)),
    [],
  )
  return said
}

/** Whether the dialog has been on the screen since the page was loaded, so that a card takes the focus only from it. */
function useWasLarge(): boolean {
  const [wasLarge, setWasLarge] = useState(false)
  const isLarge = useProgress(state => state.isVisible && !state.isMinimized)
  if (isLarge && !wasLarge) setWasLarge(true)
  return wasLarge
}
