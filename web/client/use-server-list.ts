import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePaging } from '#web/ui/use-paging.ts'
import type { Paging } from '#web/ui/use-paging.ts'

/** `more`: the total is only as far as anybody counted. */
type ServerPage<Row> = { rows: Row[]; total: number; hasMore?: boolean }

export type ServerList<Row> = {
  /** Rows of this page; undefined until the first have come. While another page is loading the last one stays. */
  rows: Row[] | undefined
  /** Of the rows shown; undefined while others are coming. */
  total: number | undefined
  /** There are more than `total`. */
  hasMore: boolean
  paging: Paging
  /** No rows could be had. A later failure leaves those that are there. */
  failed: boolean
  /** Why, as `send` threw it. */
  error: unknown
  retry: () => void
}

/**
 * A list that the server pages; the page is held by the URL. `refreshMs` says, from the rows at hand, in how many ms they
 * change by themselves; false when they do not.
 */
export function useServerList<Row>(list: {
  size: number
  queryKey: (page: number) => readonly unknown[]
  load: (page: number, signal: AbortSignal) => Promise<ServerPage<Row>>
  refreshMs?: (rows: Row[]) => number | false
  /** The toast when no rows could be had, where the specification has one. */
  failed?: string
}): ServerList<Row> {
  const { size, queryKey, load, refreshMs, failed } = list
  // Which page exists follows from the total, which comes with a page: the last known one decides.
  const [total, setTotal] = useState<number>()
  const paging = usePaging({ total, size })
  const { data, error, isError, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKey(paging.page),
    queryFn: ({ signal }) => load(paging.page, signal),
    placeholderData: keepPreviousData,
    meta: { failed },
    refetchInterval: ({ state }) => (state.data && refreshMs?.(state.data.rows)) ?? false,
  })
  if (data && data.total !== total) setTotal(data.total)
  const shown = isPlaceholderData ? undefined : data?.total
  return {
    rows: data?.rows,
    total: shown,
    hasMore: data?.hasMore ?? false,
    paging,
    failed: isError && !data,
    error: error,
    retry: () => void refetch(),
  }
}
