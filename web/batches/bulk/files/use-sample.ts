import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'

/**
 * 'Try it with our sample file' opens the page with `?sample`. Loads the sample into an empty table,
 * never over rows, and removes the parameter, so a reload does not load it again.
 */
export function useSampleFromUrl(isEmpty: boolean, load: () => void): void {
  const [search, setSearch] = useSearchParams()
  const isAsked = search.has('sample')
  const onAsked = useEffectEvent(() => {
    if (isEmpty) load()
    setSearch(
      old => {
        const next = new URLSearchParams(old)
        next.delete('sample')
        return next
      },
      { replace: true },
    )
  })
  useEffect(() => {
    if (isAsked) onAsked()
  }, [isAsked])
}
