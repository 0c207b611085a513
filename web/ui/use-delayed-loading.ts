import { useEffect, useState } from 'react'

/** A skeleton must not flash. */
const SHOW_DELAY_MS = 200
const MIN_VISIBLE_MS = 300

/** Whether to show the skeleton: from 200 ms of loading, for at least 300 ms. */
export function useDelayedLoading(loading: boolean): boolean {
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => {
    if (loading === (since !== null)) return
    const left = loading
      ? SHOW_DELAY_MS
      : since === null
        ? 0
        : Math.max(0, since + MIN_VISIBLE_MS - Date.now())
    const timer = setTimeout(() => setSince(loading ? Date.now() : null), left)
    return () => clearTimeout(timer)
  }, [loading, since])
  return since !== null
}
