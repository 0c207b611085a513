/** The bulk page with its table loaded. */
import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { SERVICE_MISSING_TEXT } from '#contract/row-rules.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { addressesQuery } from '#web/client/queries.ts'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { BulkConfirmDialogs } from './BulkConfirmDialogs.tsx'
import { BulkItems, ITEMS_HEADING_ID } from './BulkItems.tsx'
import { BulkToolbar, ServiceField, UploadProblem } from './BulkToolbar.tsx'
import { BulkNotices } from './checks/BulkNotices.tsx'
import { EnterOnceDialog } from './checks/EnterOnceDialog.tsx'
import { ErrorsDialog } from './checks/ErrorsDialog.tsx'
import { useFaults } from './checks/use-faults.ts'
import { usePageFilter } from './checks/use-page-filter.ts'
import { useWarnings } from './checks/use-warnings.ts'
import { chooseService, clearTable, useBulk } from './drafts/bulk-store.ts'
import { withService } from './drafts/draft.ts'
import { DraftsDialog } from './drafts/DraftsDialog.tsx'
import { useNamedDrafts } from './drafts/use-named-drafts.ts'
import { EmptyTable } from './files/EmptyTable.tsx'
import { FileLine, LeftOutLines } from './files/FileLine.tsx'
import { MatchColumns } from './files/MatchColumns.tsx'
import { senderOf } from './files/read-table-file.ts'
import { ReadingLine } from './files/ReadingLine.tsx'
import { sampleFile } from './files/sample-file.ts'
import { useBulkUpload } from './files/use-bulk-upload.ts'
import { useFailedRows } from './files/use-failed-rows.ts'
import { useFileDrop } from './files/use-file-drop.ts'
import { usePasteOnEmpty } from './files/use-paste-on-empty.ts'
import { useSampleFromUrl } from './files/use-sample.ts'
import { useBulkTable } from './grid/use-bulk-table.ts'
import { useGrouping } from './parcels/use-grouping.ts'
import { RepeatsDialog } from './repeats/RepeatsDialog.tsx'
import { useSeenBefore } from './repeats/use-seen-before.ts'
import { SetupFold } from './SetupFold.tsx'
import { BalanceDialog } from './submit/BalanceDialog.tsx'
import { BulkFooter } from './submit/BulkFooter.tsx'
import { useSubmit } from './submit/use-submit.ts'
import { useTablePrice } from './submit/use-table-price.ts'
import { texts } from './texts.ts'
import { useFocusOfTable } from './use-focus-of-table.ts'
import styles from './Bulk.module.css'

/** After a reload. */
const LOST_BEFORE = { text: texts.lostBefore, canRetry: true, conflict: false }

export function BulkTable({ userId }: { userId: string }) {
  const table = useBulkTable(userId)
  const { draft, services } = table
  const { rows } = draft
  const addresses = useQuery(addressesQuery(userId))
  const [senderId, setSenderId] = useState<string | null>(null)
  const sender = senderOf(addresses.data?.savedAddress, senderId)
  const grouping = useGrouping(userId, table.skus)
  const upload = useBulkUpload(userId, senderId, grouping.arrange, table.unsavedRow)
  const failedProblem = useFailedRows(userId, upload.replaceDraft)
  const price = useTablePrice(userId, rows)
  const seen = useSeenBefore(userId)
  const filter = usePageFilter(draft.key)
  const faults = useFaults(userId, table, sender, filter.filter)
  const warnings = useWarnings(userId, table)
  const drafts = useNamedDrafts(userId)
  const causesOf = useCallback(
    (row: GridRow) => [...faults.keysOf(row), ...warnings.keysOf(row)],
    // oxlint-disable-next-line react/exhaustive-deps -- only these two functions of them
    [faults.keysOf, warnings.keysOf],
  )
  const sources = {
    filter: filter.filter,
    onClearFilter: filter.clear,
    reveal: faults.reveal,
    priceOf: price.priceOf,
    warningsOf: warnings.warn,
    causesOf,
  }
  const submit = useSubmit(table, price, seen)
  const { submitting, problem, unsaved } = useBulk()
  const isSending = submitting || submit.isWaiting
  /** Rows that may be bought stay as they were sent. */
  const isFrozen = isSending || draft.lost
  const drop = useFileDrop(files => !isSending && void upload.importFiles(files))
  usePasteOnEmpty(
    rows.length === 0 && !upload.busy && !isSending,
    file => void upload.importFiles([file]),
  )
  const page = useRef<HTMLDivElement>(null)
  const phone = useIsPhone()
  useFocusOfTable(page, rows.length > 0, () => {
    // On phones, cards would jump to the active row.
    if (phone) document.getElementById(ITEMS_HEADING_ID)?.focus({ preventScroll: true })
    else if (rows.length > 0) table.refocus()
  })
  const [openDialog, setOpenDialog] = useState<'reset' | 'drafts' | null>(null)

  const reset = () => {
    clearTable()
    setOpenDialog(null)
    toastSuccess(texts.wasReset)
  }
  const needsService = draft.service === '' && rows.some(row => row.ServiceName === '')
  const serviceError = table.submitAttempted && needsService ? SERVICE_MISSING_TEXT : null
  const dataFailed = addresses.isError || table.skuRecords.isError
  const retry = () =>
    void Promise.all([services.refetch(), addresses.refetch(), table.skuRecords.refetch()])
  const importFiles = (files: File[]) => void upload.importFiles(files)
  useSampleFromUrl(rows.length === 0, () => importFiles([sampleFile()]))
  /** Files with senders of their own need no other one. */
  const needsSender =
    rows.length === 0
    || rows.some(row => row.FromSenderName === '')
    || draft.files.some(({ source }) => source !== 'template' && source !== 'mapped')
  const serviceField = (
    <ServiceField
      services={services.data}
      service={draft.service}
      error={serviceError}
      isMissing={needsService}
      onChoose={name => chooseService(withService(draft, name))}
    />
  )
  const disabledReason = upload.busy
    ? texts.files.wait
    : rows.length === 0
      ? texts.nothingToSubmit
      : table.editing
        ? texts.finishEditing
        : null

  return (
    <div
      ref={page}
      className={styles.page}
      data-empty={rows.length === 0 || undefined}
      {...drop.handlers}
    >
      <div className={styles.part} inert={isFrozen}>
        {/* On phones, rows fold the tools. Without rows the service is above them too, so that its list stays open. */}
        {phone && (
          <div className={rows.length > 0 ? styles.serviceLine : undefined}>{serviceField}</div>
        )}
        <SetupFold draft={draft}>
          <BulkToolbar
            serviceField={!phone && serviceField}
            upload={upload}
            hasRows={rows.length > 0}
            isDraggedOver={drop.isDraggedOver}
            addresses={needsSender ? addresses.data?.savedAddress : undefined}
            senderId={sender?._id ?? null}
            onSender={setSenderId}
          />
          {rows.length > 0 && (
            <FileLine
              files={draft.files}
              busy={upload.busy}
              shown={filter.filter.file}
              onShow={file => filter.change({ file })}
              onAdd={files => void upload.importFiles(files, 'add')}
              onReplace={importFiles}
              onColumns={file => void upload.matchColumns(file)}
              canOpenColumns={upload.canMatchColumns}
              onSheet={(file, sheet) => void upload.chooseSheet(file, sheet)}
            />
          )}
        </SetupFold>
      </div>
      {services.isError && (
        <LoadErrorNotice onRetry={retry}>{texts.servicesFailed}</LoadErrorNotice>
      )}
      {dataFailed && <LoadErrorNotice onRetry={retry}>{texts.dataFailed}</LoadErrorNotice>}
      <ReadingLine reading={upload.reading} onCancel={upload.cancel} />
      <UploadProblem upload={upload} />
      {failedProblem && <Notice tone="red">{failedProblem}</Notice>}
      {unsaved && rows.length > 0 && <Notice tone="yellow">{texts.unsaved}</Notice>}
      <div className={styles.part} inert={isFrozen}>
        {rows.length === 0 ? (
          <LeftOutLines files={draft.files} />
        ) : (
          <BulkNotices
            userId={userId}
            table={table}
            price={price}
            grouping={grouping}
            seen={seen}
            faults={faults}
            warnings={warnings}
            filter={filter}
            sender={sender}
          />
        )}
      </div>
      <BulkItems
        table={table}
        sources={sources}
        disabled={isSending}
        frozen={isFrozen}
        firstRows={upload.firstRows}
        empty={
          <EmptyTable
            busy={upload.busy}
            isDraggedOver={drop.isDraggedOver}
            onFiles={importFiles}
            onSample={() => importFiles([sampleFile()])}
          />
        }
        onDrafts={rows.length > 0 || drafts.list.length > 0 ? () => setOpenDialog('drafts') : null}
        onReset={() => setOpenDialog('reset')}
      />
      <BulkFooter
        count={rows.length}
        price={price}
        services={services.data}
        submitting={isSending}
        problem={problem ?? (draft.lost && !isSending ? LOST_BEFORE : null)}
        onSubmit={() => void submit.submit()}
        disabledReason={disabledReason}
        hasFaults={table.invalidRows.length > 0}
      />
      <ErrorsDialog
        opened={submit.dialog === 'errors'}
        table={table}
        onGo={faults.goTo}
        onClose={submit.close}
      />
      <BalanceDialog
        opened={submit.dialog === 'balance'}
        rows={rows}
        price={price}
        onSubmit={count => void submit.submitFirst(count)}
        onClose={submit.close}
      />
      <RepeatsDialog
        opened={submit.dialog === 'repeats'}
        seen={seen}
        table={table}
        onKeep={() => void submit.keepRepeats()}
        onClose={submit.close}
      />
      <EnterOnceDialog
        cause={faults.entering}
        onFill={faults.fillMeasures}
        onClose={faults.cancelEntering}
      />
      <MatchColumns matching={upload.matching} hasSender={sender !== undefined} />
      <DraftsDialog
        opened={openDialog === 'drafts'}
        drafts={drafts}
        canSave={rows.length > 0}
        suggestedName={(draft.files[0]?.name ?? '').replace(/\.\w+$/, '')}
        onOpen={opened => {
          setOpenDialog(null)
          upload.replaceDraft(opened)
        }}
        onClose={() => setOpenDialog(null)}
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
