/** The bulk page with its table loaded. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DragEvent } from 'react'
import { SERVICE_MISSING_TEXT } from '#contract/row-rules.ts'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { chooseService, clearTable, useBulk } from './bulk-store.ts'
import { BulkConfirmDialogs } from './BulkConfirmDialogs.tsx'
import { BulkFooter } from './BulkFooter.tsx'
import { BulkItems } from './BulkItems.tsx'
import { FileNotices, BulkToolbar, UploadProblem } from './BulkToolbar.tsx'
import { withService } from './draft.ts'
import { ErrorsDialog } from './ErrorsDialog.tsx'
import { submitTable } from './submit.ts'
import { texts } from './texts.ts'
import { useBulkTable } from './use-bulk-table.ts'
import { addressesQuery, useBulkUpload } from './use-bulk-upload.ts'
import { useFailedRows } from './use-failed-rows.ts'
import { useTablePrice } from './use-table-price.ts'
import { invalidRowIndexes, rowValidatorFor } from './validation.ts'
import styles from './Bulk.module.css'

export function BulkTable({ userId }: { userId: string }) {
  const table = useBulkTable(userId)
  const { draft, services, validateRow, invalidRows, active } = table
  const { rows } = draft
  const addresses = useQuery(addressesQuery(userId))
  const [senderId, setSenderId] = useState<string | null>(null)
  const upload = useBulkUpload(userId, senderId)
  const failedProblem = useFailedRows(userId, upload.replaceDraft)
  const price = useTablePrice(userId, rows)
  const { submitting, problem, serverErrors } = useBulk()
  const [isDraggedOver, setDraggedOver] = useState(false)
  const [openDialog, setOpenDialog] = useState<'errors' | 'reset' | null>(null)

  const submit = async () => {
    if (submitting) return
    // From Submit on, a missing service is an error, so the rows are validated again with it.
    const invalidNow = invalidRowIndexes(rows, rowValidatorFor(services.data, true, serverErrors))
    table.markSubmitAttempted()
    if (invalidNow.length > 0) return setOpenDialog('errors')
    if ((await submitTable()) === 'invalid') setOpenDialog('errors')
  }
  const reset = () => {
    clearTable()
    setOpenDialog(null)
    toastSuccess(texts.wasReset)
  }
  const fix = () => {
    setOpenDialog(null)
    // The dialog is still open now and would keep the focus.
    setTimeout(() => table.goToError(null))
  }
  // The whole page accepts files; otherwise the browser would open a dropped file and leave the
  // page.
  const handleDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setDraggedOver(event.type === 'dragover')
    if (event.type === 'drop') void upload.importFiles([...event.dataTransfer.files])
  }
  const serviceError =
    table.submitAttempted && draft.service === '' && rows.some(row => row.ServiceName === '')
      ? SERVICE_MISSING_TEXT
      : null
  const dataFailed = addresses.isError || table.skuRecords.isError
  const retry = () =>
    void Promise.all([services.refetch(), addresses.refetch(), table.skuRecords.refetch()])
  const tryAgain = <NoticeAction text={texts.tryAgain} onClick={retry} />

  return (
    <div
      className={styles.page}
      onDragOver={handleDrag}
      onDragLeave={handleDrag}
      onDrop={handleDrag}
    >
      <BulkToolbar
        services={services.data}
        service={draft.service}
        serviceError={serviceError}
        upload={upload}
        isDraggedOver={isDraggedOver}
        onService={name => chooseService(withService(draft, name))}
        addresses={addresses.data?.savedAddress}
        senderId={senderId}
        onSender={setSenderId}
      />
      {services.isError && (
        <Notice tone="red" action={tryAgain}>
          {texts.servicesFailed}
        </Notice>
      )}
      {dataFailed && (
        <Notice tone="red" action={tryAgain}>
          {texts.dataFailed}
        </Notice>
      )}
      <UploadProblem upload={upload} />
      {failedProblem && <Notice tone="red">{failedProblem}</Notice>}
      {invalidRows.length > 0 && (
        <Notice
          tone="yellow"
          action={
            <NoticeAction
              text={texts.nextError}
              onClick={() => table.goToError(active.focusRequest === 0 ? null : active)}
            />
          }
        >
          {texts.uploadWarning(invalidRows.length)}
        </Notice>
      )}
      <FileNotices notices={draft.notices} rows={rows} />
      <BulkItems
        table={table}
        sources={{ priceOf: price.priceOf }}
        disabled={submitting}
        onReset={() => setOpenDialog('reset')}
      />
      <BulkFooter
        count={rows.length}
        price={price}
        services={services.data}
        submitting={submitting}
        problem={problem}
        onSubmit={() => void submit()}
        disabledReason={
          rows.length === 0 ? texts.nothingToSubmit : table.editing ? texts.finishEditing : null
        }
      />
      <ErrorsDialog
        opened={openDialog === 'errors'}
        rows={rows}
        invalid={invalidRows}
        validateRow={validateRow}
        onClose={() => setOpenDialog(null)}
        onFix={fix}
      />
      <BulkConfirmDialogs
        table={table}
        upload={upload}
        resetting={openDialog === 'reset'}
        onReset={reset}
        onCancelReset={() => setOpenDialog(null)}
      />
    </div>
  )
}

function NoticeAction({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <button type="button" className={styles.linkButton} onClick={onClick}>
      {text}
    </button>
  )
}
