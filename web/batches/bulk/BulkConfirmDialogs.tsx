/** Confirmations of the bulk page. */
import type { GridRow } from '#web/batches/grid-row.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/Dialog.tsx'
import type { BulkUpload } from './files/use-bulk-upload.ts'
import { gridTexts } from './grid/texts.ts'
import type { BulkTableState } from './grid/use-bulk-table.ts'
import { texts } from './texts.ts'

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
  const { pending } = upload
  const replacedRows = pending?.replacedRows ?? null
  return (
    <>
      <ConfirmDialog
        opened={deleting.length > 0}
        question={deleting.length > 1 ? gridTexts.confirmDelete : texts.confirmDelete}
        confirmLabel={texts.remove}
        onConfirm={table.remove}
        onCancel={table.cancelDelete}
        description={deletionText(deleting, rows)}
      />
      <ConfirmDialog
        opened={resetting}
        question={texts.confirmReset}
        confirmLabel={texts.reset}
        onConfirm={onReset}
        onCancel={onCancelReset}
        description={lost ? texts.lostText(rows.length) : texts.resetText(rows.length)}
      />
      <Dialog
        opened={pending !== null}
        onClose={() => upload.decide('cancel')}
        title={replacedRows === null ? texts.confirmReplace : texts.confirmReplaceFile}
        size="small"
        closeButton={false}
        actions={
          <>
            <Button data-autofocus onClick={() => upload.decide('cancel')}>
              {texts.cancel}
            </Button>
            {pending && pending.read.length > 0 && replacedRows === null && !lost && (
              <Button onClick={() => upload.decide('add')}>{texts.addToTable}</Button>
            )}
            <Button kind="danger" onClick={() => upload.decide('replace')}>
              {texts.replace}
            </Button>
          </>
        }
      >
        <p>{(lost ? texts.lostText : texts.replaceText)(replacedRows ?? rows.length)}</p>
      </Dialog>
    </>
  )
}

function deletionText(deleting: readonly GridRow[], rows: readonly GridRow[]): string {
  const [first] = deleting
  return first && deleting.length === 1
    ? texts.deleteText(rowTitle(first, rows))
    : gridTexts.deleteText(deleting.length)
}

/** 'row 111-4820448', or 'row 17' if the file has no order ids. */
const rowTitle = (row: GridRow, rows: readonly GridRow[]): string =>
  `row ${row.orderId || rows.indexOf(row) + 1}`
