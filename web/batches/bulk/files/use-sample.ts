import { useEffect, useEffectEvent } from 'react'
import { useUrlSearch } from '#web/ui/use-url-search.ts'

/**
 * 'Try it with our sample file' opens the page with `?sample`. Loads the sample into an empty table,
 * never over rows, and removes the parameter, so a reload does not load it again.
 */
export function useSampleFromUrl(isEmpty: boolean, load: () => void): void {
  const [search, changeSearch] = useUrlSearch()
  const isAsked = search.has('sample')
  const onAsked = useEffectEvent(() => {
    if (isEmpty) load()
    changeSearch(next => next.delete('sample'), { replace: true })
  })
  useEffect(() => {
    if (isAsked) onAsked()
  }, [isAsked])
}
