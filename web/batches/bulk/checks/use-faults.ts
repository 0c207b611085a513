import { useCallback, useMemo, useState } from 'react'
import type { SavedAddress } from '#contract/addresses.ts'
import type { RowField } from '#contract/rows.ts'
import { commitDraft, useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import { useOfTable } from '#web/batches/bulk/drafts/use-of-table.ts'
import type { RowFilter } from '#web/batches/bulk/grid/row-filter.ts'
import type { BulkTableState } from '#web/batches/bulk/grid/use-bulk-table.ts'
import { saveSku } from '#web/batches/bulk/parcels/save-sku.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { saveTextFile } from '#web/client/save-file.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import type { MeasuresCause } from './EnterOnceDialog.tsx'
import { faultCauses, faultKeys } from './fault-causes.ts'
import type { FaultCause } from './fault-causes.ts'
import { withMeasures, withSender, withZipZeros } from './fault-remedies.ts'
import type { EnteredMeasures } from './fault-remedies.ts'
import { faultyRowsCsv } from './faulty-file.ts'
import { useSavedSkus } from './use-saved-skus.ts'
import { stepToError } from './validation.ts'

/** The errors of the table by cause, their remedies, and the way from one to the next. */
export function useFaults(
  userId: string,
  table: BulkTableState,
  sender: SavedAddress | undefined,
  { file, cause }: RowFilter,
) {
  const {
    draft: { rows },
    invalidRows,
    validateRow,
    active,
    skus,
  } = table
  useSavedSkus(skus)
  const causes = useMemo(
    () => faultCauses(rows, invalidRows, validateRow),
    [rows, invalidRows, validateRow],
  )
  const keysOf = useCallback((row: GridRow) => faultKeys(row, validateRow(row)), [validateRow])
  const shownRows = useMemo(
    () =>
      invalidRows.filter(index => {
        const row = rows[index]
        const isOfFile = file === undefined || row?.file === file
        return row && isOfFile && (cause === undefined || keysOf(row).includes(cause))
      }),
    [invalidRows, rows, file, cause, keysOf],
  )
  const steps = shownRows.length > 0 ? shownRows : invalidRows
  const [reveal, setReveal] = useState(0)
  const [entering, setEntering] = useOfTable<MeasuresCause | null>(null)

  const apply = (next: BulkDraft) => {
    const before = useBulk.getState().draft
    const count = next.rows.filter((row, index) => row !== before.rows[index]).length
    commitDraft(next, texts.enterOnce.change(count))
    toastSuccess(texts.enterOnce.filled(count))
  }
  const remedy = (cause: FaultCause) => {
    const { draft } = useBulk.getState()
    if (cause.remedy?.kind === 'measures') setEntering({ ...cause, remedy: cause.remedy })
    else if (cause.remedy?.kind === 'zips') apply(withZipZeros(draft, cause.remedy.field))
    else if (cause.remedy && sender) apply(withSender(draft, cause.key, sender, validateRow))
  }
  const fillMeasures = (cause: MeasuresCause, measures: EnteredMeasures) => {
    setEntering(null)
    const { sku } = cause.remedy
    const filled = withMeasures(
      useBulk.getState().draft,
      { sku, key: cause.key },
      measures,
      validateRow,
      skus,
    )
    apply(filled.draft)
    if (filled.measuredRow) void saveSku(userId, filled.measuredRow)
  }
  const goTo = (row: number, field: RowField | null) => {
    table.goTo(row, field)
    setReveal(count => count + 1)
  }
  const step = (direction: 'next' | 'back') => {
    const from = active.focusRequest === 0 ? null : active
    const found = stepToError(rows, steps, validateRow, from, direction)
    if (found) goTo(found.row, found.field)
  }
  const download = () => {
    const { draft } = useBulk.getState()
    const faulty = invalidRows.flatMap(index => rows[index] ?? [])
    const name = (draft.files[0]?.name ?? 'table').replace(/\.\w+$/, '')
    saveTextFile(texts.faults.downloadName(name), faultyRowsCsv(faulty, validateRow))
  }
  return {
    causes,
    keysOf,
    entering,
    /** How many invalid rows the page's filter shows. */
    count: steps.length,
    /** The place of the active row among them, from 0; -1 if it is valid. */
    place: active.focusRequest === 0 ? -1 : steps.indexOf(active.row),
    reveal,
    /** Goes to a cell, and shows it if a filter hides its row. */
    goTo,
    remedy,
    fillMeasures,
    cancelEntering: () => setEntering(null),
    next: () => step('next'),
    back: () => step('back'),
    download,
  }
}
