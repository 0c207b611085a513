import { useLocation, useSearchParams } from 'react-router'
import type { NavigateOptions } from 'react-router'

type ChangeSearch = (edit: (search: URLSearchParams) => void, options?: NavigateOptions) => void

/**
 * The search of the URL (`?search=june&page=2`) and a function that changes it. `edit` is given the search of the URL, not the
 * one that was rendered last: a second change that comes before a rendering would undo the first. The URL changes at once, as no
 * route has a loader.
 */
export function useUrlSearch(): [search: URLSearchParams, change: ChangeSearch] {
  const [search, setSearch] = useSearchParams()
  const { pathname } = useLocation()
  const change: ChangeSearch = (edit, options) => {
    // The next page is in the URL already, and this one is still drawn.
    if (window.location.pathname !== pathname) return
    const next = new URLSearchParams(window.location.search)
    edit(next)
    setSearch(next, { preventScrollReset: true, ...options })
  }
  return [search, change]
}
