import { useState } from 'react'
import { listBatches } from '#contract/batches.ts'
import type { Batch } from '#contract/batches.ts'
import { rowTone } from '#web/batches/batch-view.ts'
import { BatchDate, BatchNameText, BatchPrice, BatchStatusCell } from '#web/batches/BatchCells.tsx'
import { FailedLabelsDialog } from '#web/batches/FailedLabelsDialog.tsx'
import { texts as batchTexts } from '#web/batches/texts.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { sendList } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { useServerList } from '#web/client/use-server-list.ts'
import { Button } from '#web/ui/Button.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

const PAGE_SIZE = 7

export function LookBatches() {
  const { _id: userId } = useShownAccount().user
  const [details, setDetails] = useState<Batch | null>(null)
  const { rows, paging, failed, retry } = useServerList<Batch>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.batchPage(userId, page),
    load: (page, signal) =>
      sendList(listBatches, { params: { userId }, query: { page, limit: PAGE_SIZE } }, { signal }),
  })
  const failuresOf = (batch: Batch) =>
    batch.failedCount > 0 && (
      <Button size="small" onClick={() => setDetails(batch)}>
        {texts.showFailed(batch.failedCount)}
      </Button>
    )
  const columns: Column<Batch>[] = [
    {
      head: batchTexts.list.created,
      cell: batch => (
        <span className={styles.stack}>
          <BatchNameText batch={batch} />
          <BatchDate batch={batch} />
        </span>
      ),
    },
    { head: batchTexts.list.price, cell: batch => <BatchPrice batch={batch} />, align: 'end' },
    { head: batchTexts.list.status, cell: batch => <BatchStatusCell batch={batch} /> },
    { head: batchTexts.list.actions, hideHead: true, cell: failuresOf, align: 'end' },
  ]
  return (
    <>
      <ListTable
        title={texts.part.batches}
        columns={columns}
        rows={rows}
        rowKey={({ _id }) => _id}
        rowTone={({ status }) => rowTone(status)}
        paging={paging}
        loadingText={batchTexts.list.loading}
        empty={{ title: texts.none }}
        errorNotice={
          failed && <LoadErrorNotice onRetry={retry}>{batchTexts.list.failed}</LoadErrorNotice>
        }
        card={batch => ({
          title: <BatchNameText batch={batch} />,
          details: [<BatchDate key="at" batch={batch} />],
          middle: [<BatchStatusCell key="status" batch={batch} />],
          aside: [<BatchPrice key="price" batch={batch} />],
          actions: failuresOf(batch),
        })}
      />
      <FailedLabelsDialog batch={details} onClose={() => setDetails(null)} />
    </>
  )
}
