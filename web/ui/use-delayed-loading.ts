import { useEffect, useState } from 'react'

/** A skeleton that would flash is worse than none: it appears after 200 ms and then stays for at least 300 ms. */
const SHOW_DELAY_MS = 200
const MIN_VISIBLE_MS = 300

/** Whether to draw the skeleton of something that is `loading`. */
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
