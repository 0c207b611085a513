/** Confirmations of the bulk page. */
import type { GridRow } from '#web/batches/grid-row.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { texts } from './texts.ts'
import type { BulkTableState } from './use-bulk-table.ts'
import type { BulkUpload } from './use-bulk-upload.ts'

type BulkConfirmDialogsProps = {
  table: BulkTableState
  upload: BulkUpload
  resetting: boolean
  onReset: () => void
  onCancelReset: () => void
}

export function BulkConfirmDialogs({
  table,
  upload,
  resetting,
  onReset,
  onCancelReset,
}: BulkConfirmDialogsProps) {
  const {
    draft: { rows, lost },
    deleting,
  } = table
  return (
    <>
      <ConfirmDialog
        opened={deleting !== null}
        question={texts.confirmDelete}
        confirmLabel={texts.remove}
        onConfirm={table.remove}
        onCancel={table.cancelDelete}
        description={deleting && texts.deleteText(rowTitle(deleting, rows))}
      />
      <ConfirmDialog
        opened={resetting}
        question={texts.confirmReset}
        confirmLabel={texts.reset}
        onConfirm={onReset}
        onCancel={onCancelReset}
        description={lost ? texts.lostText(rows.length) : texts.resetText(rows.length)}
      />
      <ConfirmDialog
        opened={upload.pendingDraft !== null}
        question={texts.confirmReplace}
        confirmLabel={texts.replace}
        description={lost ? texts.lostText(rows.length) : texts.replaceText(rows.length)}
        onConfirm={() => upload.confirmReplace(true)}
        onCancel={() => upload.confirmReplace(false)}
      />
    </>
  )
}

/** 'row 111-4820448', or 'row 17' if the file has no order ids. */
const rowTitle = (row: GridRow, rows: readonly GridRow[]): string =>
  `row ${row.orderId || rows.indexOf(row) + 1}`
