import { useEffect, useState } from 'react'

const MAX_LOCK_MS = 10_000

/**
 * Why a sheet or a row cannot be closed while its form is saved: closing would not cancel a save that was sent. Null again after 10 s,
 * so that a save without an answer does not lock the page.
 */
export function useSavingReason(busy: boolean, reason: string): string | null {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(() => setLong(true), MAX_LOCK_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [busy])
  return busy && !isLong ? reason : null
}
