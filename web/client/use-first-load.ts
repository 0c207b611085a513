import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** What has just been loaded may show parts that load more: they begin within this time. */
const QUIET_MS = 50
/** On a slow connection the placeholders of the page are better than an empty one. */
const MOST_MS = 400

/**
 * True until the queries below these keys have loaded or failed once, for 0.4 s at most. A part whose height is not known before moves what
 * stands below it; the page keeps that hidden for so long (CSS `visibility`), in its place and loading.
 */
export function useFirstLoad(...keys: (readonly unknown[])[]): boolean {
  const client = useQueryClient()
  const [isLoaded, setLoaded] = useState(() => {
    const known = keys.flatMap(key => client.getQueriesData({ queryKey: key }))
    return known.length > 0 && known.every(([, data]) => data !== undefined)
  })
  useEffect(() => {
    if (isLoaded) return
    const isLoading = () =>
      keys.some(
        queryKey =>
          client.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0,
      )
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = () => {
      clearTimeout(timer)
      timer = setTimeout(() => isLoading() || setLoaded(true), QUIET_MS)
    }
    check()
    const last = setTimeout(() => setLoaded(true), MOST_MS)
    const stop = client.getQueryCache().subscribe(check)
    return () => {
      stop()
      clearTimeout(timer)
      clearTimeout(last)
    }
    // The keys are of one user, for whom the page is mounted.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [client, isLoaded])
  return !isLoaded
}
