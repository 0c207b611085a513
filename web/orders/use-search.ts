import { useSearchParams } from 'react-router'

/** The words that are searched for, held by the URL (`?search=`), so that Back and reload find them again. New words begin at page 1. */
export function useSearch(): { search: string, setSearch: (words: string) => void } {
  const [params, setParams] = useSearchParams()
  const search = params.get('search')?.trim() ?? ''
  const setSearch = (words: string) =>
    setParams(old => {
      const next = new URLSearchParams(old)
      next.delete('page')
      if (words) next.set('search', words)
      else next.delete('search')
      return next
    }, { replace: true, preventScrollReset: true })
  return { search, setSearch }
}
