import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePaging } from '#web/ui/use-paging.ts'
import type { Paging } from '#web/ui/use-paging.ts'

/** `hasMore`: the server stopped counting at `total`. `extra`: what else the answer tells of the list. */
type ServerPage<Row, Extra> = { rows: Row[]; total: number; hasMore?: boolean; extra?: Extra }

type ServerList<Row, Extra> = {
  /** Undefined until the first page has loaded. While another page loads, the previous one stays, unless it is empty. */
  rows: Row[] | undefined
  /** Undefined while another page loads. */
  total: number | undefined
  /** There are more than `total`. */
  hasMore: boolean
  /** Undefined while another page loads: it belongs to these rows alone. */
  extra: Extra | undefined
  /** As `extra`, or the previous page's while another page loads: for figures of the whole list. */
  latestExtra: Extra | undefined
  paging: Paging
  /** No rows could be loaded. A later failure leaves the loaded rows. */
  failed: boolean
  /** What `send` threw. */
  error: unknown
  retry: () => void
}

/**
 * A list that the server pages; the page number is in the URL. `refreshMs` is the interval until the loaded rows are loaded
 * again, false for never.
 */
export function useServerList<Row, Extra = never>(list: {
  size: number
  queryKey: (page: number) => readonly unknown[]
  load: (page: number, signal: AbortSignal) => Promise<ServerPage<Row, Extra>>
  refreshMs?: (rows: Row[]) => number | false
  /** Shown as a toast when no rows could be loaded. */
  errorToast?: string
}): ServerList<Row, Extra> {
  const { size, queryKey, load, refreshMs, errorToast } = list
  // The total arrives with a page; until then the last known total decides which pages exist.
  const [total, setTotal] = useState<number>()
  const paging = usePaging({ total, size })
  const { data, error, isError, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKey(paging.page),
    queryFn: ({ signal }) => load(paging.page, signal),
    placeholderData: keepPreviousData,
    meta: { errorToast },
    refetchInterval: ({ state }) => (state.data && refreshMs?.(state.data.rows)) ?? false,
  })
  if (data && data.total !== total) setTotal(data.total)
  const shown = isPlaceholderData ? undefined : data?.total
  // An empty page says nothing of the next one.
  const isUnknown = isPlaceholderData && data?.rows.length === 0
  return {
    rows: isUnknown ? undefined : data?.rows,
    total: shown,
    hasMore: data?.hasMore ?? false,
    extra: isPlaceholderData ? undefined : data?.extra,
    latestExtra: data?.extra,
    paging,
    failed: isError && !data,
    error,
    retry: () => void refetch(),
  }
}
