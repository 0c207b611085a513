import { useEffect } from 'react'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { commitDraft, useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import { withSavedSkus } from './fault-remedies.ts'

/** SKUs that were saved after the file was read fill its rows, as if they had been there before. */
export function useSavedSkus(skus: ReadonlyMap<string, SkuMeasures>): void {
  const key = useBulk(bulk => bulk.draft.key)
  useEffect(() => {
    const { draft, submitting } = useBulk.getState()
    if (submitting || draft.lost) return
    const next = withSavedSkus(draft, skus)
    if (next === draft) return
    const count = next.rows.filter((row, index) => row !== draft.rows[index]).length
    commitDraft(next, texts.enterOnce.change(count))
    toastSuccess(texts.enterOnce.fromSkus(count))
  }, [skus, key])
}
