/** Bulk orders, newest first, with their files and actions. */
import { IconClipboardCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { isTerminal } from '#contract/batch-status.ts'
import { listBatches } from '#contract/batches.ts'
import type { Batch } from '#contract/batches.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { sendList } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { BatchFileLinks } from '#web/orders/BatchFileLinks.tsx'
import type { Printable } from '#web/orders/print/print-options.ts'
import { texts as printTexts } from '#web/orders/print/texts.ts'
import { usePrinting } from '#web/orders/print/use-printing.tsx'
import { BatchPicture } from '#web/shell/EmptyPictures.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { HowItWorks } from '#web/ui/HowItWorks.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { isFocusLost } from '#web/ui/use-return-focus.ts'
import { followBatch, retryableLabels } from './batch-actions.ts'
import { batchName } from './batch-view.ts'
import { BatchActions, BatchMenu, batchMenuId, BatchSteps } from './BatchActions.tsx'
import {
  BatchBar,
  BatchCounts,
  BatchDate,
  BatchNameText,
  BatchPrice,
  BatchStatusCell,
  BatchStatusPill,
} from './BatchCells.tsx'
import { FailedLabelsDialog } from './FailedLabelsDialog.tsx'
import { retryFollowedOrder } from './progress/retry.ts'
import { texts } from './texts.ts'
import { VoidUnusedDialog } from './VoidUnusedDialog.tsx'
import styles from './BatchOrders.module.css'

const PAGE_SIZE = 7
/** Width of the list in which the actions of a row fit on one line. */
const CARDS_BELOW_PX = 1000
/**
 * While an order runs the list is polled; the order in the overlay updates by its events as well.
 */
const REFRESH_MS = 2000

const t = texts.list

export function BatchOrdersPage() {
  const user = useUser()
  const [details, setDetails] = useState<Batch | null>(null)
  const [voiding, setVoiding] = useState<Batch | null>(null)
  const { rows, total, paging, failed, retry } = useServerList<Batch>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.batchPage(user._id, page),
    load: (page, signal) =>
      sendList(
        listBatches,
        { params: { userId: user._id }, query: { page, limit: PAGE_SIZE } },
        { signal },
      ),
    refreshMs: batches => batches.some(({ status }) => !isTerminal(status)) && REFRESH_MS,
  })
  const printing = usePrinting()
  const filesOf = (batch: Batch) => (
    <>
      <span className={styles.group}>
        <BatchFileLinks
          orderId={batch._id}
          names={batch}
          texts={t.files}
          kind="quiet"
          owner={batchName(batch)}
          print={printing.button(printableBatch(batch), false, true)}
        />
      </span>
      {batch.autoConfirmLeftOut > 0 && (
        <span className={styles.leftOut}>{t.leftOut(batch.autoConfirmLeftOut)}</span>
      )}
    </>
  )
  const retryBatch = (batch: Batch) => {
    followBatch(batch)
    void retryFollowedOrder(user._id)
  }
  const newestWithFaults =
    paging.page === 1 ? rows?.find(batch => retryableLabels(batch).count > 0) : undefined
  const actionProps = (batch: Batch) => ({
    batch,
    leads: batch === newestWithFaults,
    onPrint: () => printing.open(printableBatch(batch)),
    onRetry: () => retryBatch(batch),
    onDetails: () => setDetails(batch),
    onVoid: () => setVoiding(batch),
  })
  const actionsOf = (batch: Batch, compact?: boolean) => (
    <BatchActions {...actionProps(batch)} compact={compact} />
  )

  return (
    <div className={styles.page}>
      <ListTable
        title={t.title}
        note={total ? t.count(total) : ''}
        action={
          total !== 0 && (
            <ButtonLink
              size="small"
              kind="quiet"
              to="/main/batch-orders/end-of-day"
              icon={<IconClipboardCheck aria-hidden="true" />}
            >
              {t.endOfDay}
            </ButtonLink>
          )
        }
        cardsBelow={CARDS_BELOW_PX}
        columns={columns({
          steps: batch => <BatchSteps {...actionProps(batch)} />,
          files: filesOf,
          menu: batch => <BatchMenu {...actionProps(batch)} />,
        })}
        rows={rows}
        rowKey={({ _id }) => _id}
        paging={paging}
        loadingText={t.loading}
        empty={{
          title: t.none,
          text: t.noneText,
          picture: <BatchPicture />,
          action: (
            <>
              <ButtonLink kind="ink" to="/main/bulk-order">
                {t.start}
              </ButtonLink>
              <ButtonLink to="/main/bulk-order?sample">{t.trySample}</ButtonLink>
            </>
          ),
        }}
        errorNotice={
          failed && (
            <LoadErrorNotice text={t.failedText} onRetry={retry}>
              {t.failed}
            </LoadErrorNotice>
          )
        }
        card={(batch, wide) => ({
          title: <BatchNameText batch={batch} />,
          details: [<BatchDate key="at" batch={batch} />],
          middle: [
            wide ? (
              <BatchStatusCell key="status" batch={batch} />
            ) : (
              <BatchStatusPill key="status" batch={batch} />
            ),
          ],
          aside: [<BatchPrice key="price" batch={batch} />],
          actions: wide ? (
            <>
              <div className={cx(styles.buttons, styles.files)}>{filesOf(batch)}</div>
              <div className={cx(styles.buttons, styles.steps)}>{actionsOf(batch)}</div>
            </>
          ) : (
            <div className={styles.foot}>
              <span className={styles.shares}>
                <BatchBar batch={batch} />
                <BatchCounts batch={batch} />
              </span>
              <div className={cx(styles.buttons, styles.steps)}>{actionsOf(batch, true)}</div>
            </div>
          ),
          actionsAt: 'row',
        })}
        loadingCard={wide => ({
          details: 1,
          middle: wide ? 2 : 1,
          actions: true,
          actionsAt: 'row',
        })}
      />
      {total === 0 && <HowItWorks {...t.how} />}
      <FailedLabelsDialog
        batch={details && (rows?.find(({ _id }) => _id === details._id) ?? details)}
        onRetry={retryBatch}
        onClose={() => {
          setDetails(null)
          returnFocus(details)
        }}
      />
      <VoidUnusedDialog
        batch={voiding}
        onClose={() => {
          setVoiding(null)
          returnFocus(voiding)
        }}
      />
      {printing.dialog}
    </div>
  )
}

/** While a list that is refreshed or changes to cards puts another button in its place. */
const MAX_FRAMES = 20

/** To the menu that opened the dialog. */
function returnFocus(batch: Batch | null, frames = 0): void {
  requestAnimationFrame(() => {
    if (frames === 0 || isFocusLost())
      document.getElementById(batchMenuId(batch?._id ?? ''))?.focus()
    if (frames < MAX_FRAMES) returnFocus(batch, frames + 1)
  })
}

const printableBatch = ({ _id, totalCount }: Batch): Printable => ({
  orderId: _id,
  rows: totalCount,
  name: printTexts.bulkOrder(_id),
})

type BatchRenderer = (batch: Batch) => ReactNode

type BatchParts = { steps: BatchRenderer; files: BatchRenderer; menu: BatchRenderer }

const columns = ({ steps, files, menu }: BatchParts): Column<Batch>[] => [
  {
    head: t.created,
    cell: batch => (
      <span className={styles.stack}>
        <BatchNameText batch={batch} />
        <BatchDate batch={batch} />
      </span>
    ),
  },
  { head: t.price, cell: batch => <BatchPrice batch={batch} />, align: 'end' },
  { head: t.status, cell: batch => <BatchStatusCell batch={batch} /> },
  {
    head: t.actions,
    cell: batch => <div className={cx(styles.buttons, styles.actions)}>{steps(batch)}</div>,
  },
  {
    head: t.downloads,
    // The menu closes the row, as in other lists.
    cell: batch => (
      <div className={styles.last}>
        <div className={cx(styles.buttons, styles.files)}>{files(batch)}</div>
        {menu(batch)}
      </div>
    ),
  },
]
