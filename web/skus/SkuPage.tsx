import { useState } from 'react'
import { skuErrors } from '#contract/sku-rules.ts'
import type { SkuRecord } from '#contract/skus.ts'
import { ApiError } from '#web/client/send.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { usePaging } from '#web/ui/use-paging.ts'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { newSku, newSkuErrors, pageOfSku, searchSkus, toSkuDraft } from './draft.ts'
import type { SkuDraft } from './draft.ts'
import { SkuFileRow } from './SkuFileRow.tsx'
import { SkuPanel } from './SkuPanel.tsx'
import { SkuTable } from './SkuTable.tsx'
import { SkuUploadReport } from './SkuUploadReport.tsx'
import { texts } from './texts.ts'
import { useSkuUpload } from './use-sku-upload.ts'
import { useSkus } from './use-skus.ts'
import styles from './Skus.module.css'

const PAGE_SIZE = 5

/** Weight and size of packages by SKU. */
export function SkuPage() {
  const skus = useSkus()
  const { values, setFilters } = useUrlFilters(['search'])
  const found = skus.list && searchSkus(skus.list, values.search)
  const paging = usePaging({ total: found?.length, size: PAGE_SIZE })
  const upload = useSkuUpload(skus)
  const [adding, setAdding] = useState(false)
  const edit = useOpened<SkuRecord>()
  const edited = edit.opened
  const [toDelete, setToDelete] = useState<SkuRecord | null>(null)
  const list = skus.list ?? []

  /** The list is sorted by SKU, so a new or renamed record may be on another page. */
  const goTo = (records: readonly SkuRecord[], sku: string) => {
    const shown = searchSkus(records, values.search)
    // A record that the search does not find would be out of sight.
    if (values.search !== '' && !shown.some(record => record.sku === sku.trim()))
      return setFilters({ search: sku.trim() })
    const page = pageOfSku(shown, sku.trim(), PAGE_SIZE)
    if (page !== paging.page) paging.setPage(page)
  }
  const add = async (draft: SkuDraft) => {
    // The server replaces a known SKU, so the form may not be sent before the list is there.
    const { sku } = newSkuErrors(draft, await skus.load())
    if (sku !== undefined) throw new ApiError(422, sku, { sku })
    goTo(await skus.add([draft]), draft.sku)
    toastSuccess(texts.done.add)
  }
  const save = async (id: string, draft: SkuDraft) => goTo(await skus.update(id, draft), draft.sku)
  const remove = async () => {
    if (!toDelete) return
    try {
      await skus.remove(toDelete._id)
      toastSuccess(texts.done.remove)
    } catch {
      toastError(texts.failed.remove)
      skus.retry()
    }
    setToDelete(null)
  }

  return (
    <div className={styles.page}>
      {upload.result && <SkuUploadReport result={upload.result} onDismiss={upload.dismiss} />}
      <SkuTable
        skus={skus}
        found={found}
        search={values.search}
        onSearch={search => setFilters({ search })}
        paging={paging}
        onSave={save}
        onDelete={setToDelete}
        // A copy: a panel that is opened again is another edit, which a late answer about the one before does not close.
        onEditInPanel={one => edit.open({ ...one })}
        onAdd={() => setAdding(true)}
      />
      <SkuFileRow list={list} busy={upload.busy} onFile={file => void upload.uploadFile(file)} />
      <SkuPanel
        opened={adding}
        title={texts.addTitle}
        submitName={texts.add}
        initialValues={newSku}
        check={draft => newSkuErrors(draft, list)}
        onSubmit={add}
        onFailed={() => toastError(texts.failed.add)}
        onClose={() => setAdding(false)}
      />
      {edited && (
        <SkuPanel
          key={edited._id}
          opened
          title={texts.editTitle(edited.sku)}
          submitName={texts.save}
          initialValues={() => toSkuDraft(edited)}
          check={skuErrors}
          asksOnClose
          onClose={() => edit.close(edited)}
          onFailed={() => toastError(texts.failed.update)}
          onSubmit={async draft => {
            await save(edited._id, draft)
            toastSuccess(texts.done.update)
          }}
        />
      )}
      <ConfirmDialog
        opened={toDelete !== null}
        question={texts.deleteQuestion}
        description={toDelete && <DeletedSku record={toDelete} />}
        onConfirm={remove}
        onCancel={() => setToDelete(null)}
      />
    </div>
  )
}

function DeletedSku({ record: { sku, weight, length, width, height } }: { record: SkuRecord }) {
  return (
    <>
      <b>{texts.deleteSubject(sku)}</b>
      <p>{texts.deleteConsequence(texts.card.parcel(weight, length, width, height))}</p>
    </>
  )
}
