import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { availableServices } from '#contract/catalogue.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { addSkus } from '#contract/skus.ts'
import type { SkuRecord } from '#contract/skus.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { announce } from '#web/ui/announce.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { commitDraft, undoLastStep, useBulk } from './bulk-store.ts'
import { columnsOf } from './columns.ts'
import { withoutRow, withPaste } from './draft.ts'
import type { ActiveCell } from './Grid.tsx'
import { parseClipboard } from './paste.ts'
import { indexBySku, skuFromRow } from './sku-fill.ts'
import { texts } from './texts.ts'
import { skusQuery } from './use-bulk-upload.ts'
import { useRowEditing } from './use-row-editing.ts'
import { invalidRowIndexes, rowValidatorFor, nextInvalidCell, rulesFor } from './validation.ts'
import type { CellPosition } from './validation.ts'

const FIRST_CELL: ActiveCell = { row: 0, column: 0, focusRequest: 0 }
const NO_SKUS: SkuRecord[] = []

/** The operations on the rows, for the grid and for the cards of a phone. */
export function useBulkTable(userId: string) {
  const draft = useBulk(bulk => bulk.draft)
  const serverErrors = useBulk(bulk => bulk.serverErrors)
  const { rows, extra } = draft
  const services = useQuery({
    queryKey: queryKeys.services(userId),
    queryFn: () => send(availableServices, { params: { userId } }),
  })
  const skuRecords = useQuery(skusQuery(userId))
  /** After a first Submit, a missing service is an error of each row. */
  const [submitAttempted, setSubmitAttempted] = useState(false)
  const [active, setActive] = useState(FIRST_CELL)
  const [deleting, setDeleting] = useState<GridRow | null>(null)

  const needService = submitAttempted || draft.service !== ''
  const columns = useMemo(() => columnsOf(extra), [extra])
  const validateRow = useMemo(
    () => rowValidatorFor(services.data, needService, serverErrors),
    [services.data, needService, serverErrors],
  )
  const invalidRows = useMemo(() => invalidRowIndexes(rows, validateRow), [rows, validateRow])
  const skus = useMemo(() => indexBySku(skuRecords.data?.SkuData ?? NO_SKUS), [skuRecords.data])
  const rulesOf = useCallback(
    (service: string) => rulesFor(services.data, service, needService),
    [services.data, needService],
  )

  const moveTo = (cell: CellPosition) =>
    setActive(now => ({ ...cell, focusRequest: now.focusRequest + 1 }))
  const { editing, begin } = useRowEditing({
    columns,
    rulesOf,
    skus,
    onSku: row => void saveSku(userId, row, skus),
    onEnd: () => setActive(now => ({ ...now, focusRequest: now.focusRequest + 1 })),
  })

  /** A negative column means the first invalid cell, or else the first cell. */
  const edit = ({ row: rowIndex, column }: CellPosition) => {
    const row = rows[rowIndex]
    if (!row) return
    const errors = validateRow(row)
    const columnIndex =
      column >= 0
        ? Math.min(column, columns.length - 1)
        : Math.max(
            0,
            columns.findIndex(({ name }) => errors[name]),
          )
    if (begin(row, columns[columnIndex]!.name))
      setActive(now => ({ ...now, row: rowIndex, column: columnIndex }))
  }
  const goToError = (from: CellPosition | null) => {
    const cell = nextInvalidCell(rows, invalidRows, columns, validateRow, from)
    if (cell) moveTo(cell)
  }
  const remove = () => {
    if (!deleting) return
    const next = withoutRow(useBulk.getState().draft, deleting.id)
    setDeleting(null)
    if (!next) return toastError(texts.deleteFailed)
    commitDraft(next)
    toastSuccess(texts.deleted)
    setActive(now => ({
      ...now,
      row: Math.max(0, Math.min(now.row, next.rows.length - 1)),
      focusRequest: now.focusRequest + 1,
    }))
  }
  const paste = (anchor: CellPosition, text: string) => {
    const pasted = withPaste(
      useBulk.getState().draft,
      anchor,
      parseClipboard(text),
      columns.map(({ name }) => name),
      skus,
    )
    commitDraft(pasted.draft)
    if (pasted.droppedCells > 0) toastError(texts.pastedDropped(pasted.droppedCells))
    if (pasted.changedRows > 0) toastSuccess(texts.pasted(pasted.changedRows))
    else if (pasted.droppedCells === 0) announce(texts.pastedNothing)
  }
  const undo = () => {
    if (!undoLastStep()) return
    announce(texts.undone)
    const { length } = useBulk.getState().draft.rows
    moveTo({ row: Math.max(0, Math.min(active.row, length - 1)), column: active.column })
  }
  return {
    draft,
    services,
    skuRecords,
    columns,
    validateRow,
    invalidRows,
    editing,
    active,
    deleting,
    submitAttempted,
    markSubmitAttempted: () => setSubmitAttempted(true),
    setActiveCell: (cell: CellPosition) => setActive(now => ({ ...now, ...cell })),
    moveTo,
    edit,
    goToError,
    remove,
    paste,
    undo,
    requestDelete: (index: number) => setDeleting(rows[index] ?? null),
    cancelDelete: () => setDeleting(null),
  }
}

export type BulkTableState = ReturnType<typeof useBulkTable>

/** Creates or updates the SKU record of a saved row. The row is saved either way. */
async function saveSku(
  userId: string,
  row: GridRow,
  skus: ReadonlyMap<string, SkuMeasures>,
): Promise<void> {
  const record = skuFromRow(row, skus.get(row.skuNumber))
  if (!record) return
  try {
    await send(addSkus, { params: { userId }, body: { parsedData: [record] } })
    await queryClient.invalidateQueries({ queryKey: queryKeys.skus(userId) })
  } catch (reason) {
    toastError(messageOf(reason, texts.skuFailed))
  }
}
