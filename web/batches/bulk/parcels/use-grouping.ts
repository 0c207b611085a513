import { useQuery } from '@tanstack/react-query'
import { saveGrouping } from '#contract/imports.ts'
import type { RowGrouping } from '#contract/imports.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { commitDraft, useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { importsQuery } from '#web/batches/columns/column-memory.ts'
import { queryClient } from '#web/client/query-client.ts'
import { send } from '#web/client/send.ts'
import { toastError } from '#web/ui/toasts.ts'
import { combineRows } from './combine.ts'

/** What one label of the table is made for, remembered for each source of files. */
export function useGrouping(userId: string, skus: ReadonlyMap<string, SkuMeasures>) {
  const imports = useQuery(importsQuery(userId))

  /** A table that was just read: as it is grouped now, or as its source was before. */
  const arrange = (draft: BulkDraft): BulkDraft => {
    const sources = [...new Set(draft.files.map(file => file.source))]
    const remembered = sources.map(source => imports.data?.grouping[source] ?? 'line')
    const usual = new Set(remembered).size === 1 ? remembered[0]! : 'line'
    const by = draft.grouping === 'line' ? usual : draft.grouping
    return by === 'line' ? draft : grouped(draft, by, skus)
  }
  const change = (by: RowGrouping) => {
    const { draft } = useBulk.getState()
    commitDraft(grouped(draft, by, skus), texts.groupingChange)
    const sources = new Set(draft.files.map(file => file.source))
    for (const source of sources) void remember(userId, source, by)
  }
  return { arrange, change }
}

const grouped = (
  draft: BulkDraft,
  by: RowGrouping,
  skus: ReadonlyMap<string, SkuMeasures>,
): BulkDraft => ({ ...draft, grouping: by, rows: combineRows(draft.rows, by, skus) })

async function remember(
  userId: string,
  source: BulkDraft['files'][number]['source'],
  by: RowGrouping,
): Promise<void> {
  try {
    await send(saveGrouping, { params: { userId }, body: { source, by } })
    await queryClient.invalidateQueries({ queryKey: importsQuery(userId).queryKey })
  } catch {
    toastError(texts.groupingNotSaved)
  }
}
