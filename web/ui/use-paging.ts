import { clampPage, pageCountOrRequested } from './paging.ts'
import { useUrlSearch } from './use-url-search.ts'

export type Paging = { page: number; pages: number; size: number; setPage: (page: number) => void }

/** The page of a list, in the URL (`?page=3`). `total` is the number of rows; undefined while loading. */
export function usePaging({
  total,
  size,
  param = 'page', // another name for a second list on one screen
}: {
  total: number | undefined
  size: number
  param?: string
}): Paging {
  const [search, changeSearch] = useUrlSearch()
  const wanted = Number(search.get(param) ?? 1)
  const pages = pageCountOrRequested(total, size, wanted)
  const setPage = (page: number) =>
    changeSearch(next => {
      if (page === 1) next.delete(param)
      else next.set(param, String(page))
    })
  return { page: clampPage(wanted, pages), pages, size, setPage }
}

/** The rows of the current page, for lists that are loaded whole. */
export const rowsOfPage = <Row>(
  rows: readonly Row[] | undefined,
  { page, size }: Paging,
): Row[] | undefined => rows?.slice((page - 1) * size, page * size)
