import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { listFailedRows } from '#contract/batches.ts'
import { draftFromFailedRows } from '#web/batches/bulk/drafts/draft.ts'
import type { BulkDraft, FailedRow } from '#web/batches/bulk/drafts/draft.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUrlSearch } from '#web/ui/use-url-search.ts'

/**
 * 'Fix rows' opens the page with `?failed=<batch id>`. Loads these rows as a table and
 * removes the parameter, so a reload does not load them again. Returns the error, or null.
 */
export function useFailedRows(userId: string, onDraft: (draft: BulkDraft) => void): string | null {
  const [search, changeSearch] = useUrlSearch()
  const batchId = search.get('failed')
  const { data, error } = useQuery({
    queryKey: [...queryKeys.batch(userId, batchId ?? ''), 'failed-rows'],
    enabled: batchId !== null,
    staleTime: 0,
    gcTime: 0,
    queryFn: () => send(listFailedRows, { params: { orderId: batchId ?? '' } }),
  })
  const rows = data?.rows
  const onRowsLoaded = useEffectEvent((loaded: FailedRow[]) => {
    onDraft(draftFromFailedRows(loaded, batchId))
    changeSearch(next => next.delete('failed'), { replace: true })
  })
  useEffect(() => {
    if (batchId !== null && rows && rows.length > 0) onRowsLoaded(rows)
  }, [batchId, rows])
  if (batchId === null) return null
  if (error) return messageOf(error, texts.failedRowsFailed)
  return rows?.length === 0 ? texts.noFailedRows : null
}
