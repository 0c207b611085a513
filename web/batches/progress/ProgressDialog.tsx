import { IconMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { numberText } from '#contract/format.ts'
import { texts } from '#web/batches/texts.ts'
import { BatchFileLinks, hasBatchFiles } from '#web/orders/BatchFileLinks.tsx'
import { texts as printTexts } from '#web/orders/print/texts.ts'
import { usePrinting } from '#web/orders/print/use-printing.tsx'
import { Button } from '#web/ui/Button.tsx'
import { FigureList } from '#web/ui/Card.tsx'
import { durationText } from '#web/ui/date-text.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { isDemo } from './demo.ts'
import { overlayViewFor } from './overlay-view.ts'
import type { ProgressState } from './progress-state.ts'
import { hideModal, minimize } from './progress-store.ts'
import { ProgressBar } from './ProgressBar.tsx'
import styles from './Progress.module.css'

const t = texts.overlay

type Props = {
  state: ProgressState
  onRetry: () => void
  /**
   * The live region. It is inside the dialog, because content outside of a modal is not announced.
   */
  children: ReactNode
}

/** The overlay at full size. Escape minimizes it while the order runs, and closes it afterwards. */
export function ProgressDialog({ state, onRetry, children }: Props) {
  const view = overlayViewFor(state)
  const demo = isDemo(state)
  // Batch Orders also has files, failed rows and voiding.
  const list = (
    <Link to="/main/batch-orders" onClick={hideModal}>
      {t.batchOrders}
    </Link>
  )
  const hint =
    state.orderId === null && state.error !== null ? (
      t.refused
    ) : view.canClose ? (
      <>
        {t.findLater} {list}.
      </>
    ) : (
      t.hint
    )
  const printing = usePrinting()
  return (
    <Dialog
      opened={state.isVisible && !state.isMinimized}
      onClose={hideModal}
      title={view.title}
      closeButton={t.close}
      closeDisabledReason={view.closeTooltip}
      onEscape={view.canClose ? hideModal : minimize}
      returnFocus={false}
    >
      {children}
      <div>
        <div className={styles.head}>
          <span className={styles.percent}>{view.percentage}%</span>
          <span className={styles.clock}>
            <span className="visually-hidden">{t.elapsed} </span>
            {durationText(state.elapsedTime)}
          </span>
        </div>
        <ProgressBar
          percentage={view.percentage}
          tone={view.tone}
          failedShare={state.failedCount / state.totalCount}
          name={t.progress}
        />
        {view.eta && <p className={styles.eta}>{view.eta}</p>}
      </div>
      <FigureList
        items={[
          { name: t.processed, value: numberText(state.processedCount) },
          { name: t.failed, value: numberText(state.failedCount) },
          { name: t.total, value: numberText(state.totalCount) },
        ]}
      />
      {view.messages.map(({ tone, text }) => (
        <Notice key={text} tone={tone}>
          {text}
        </Notice>
      ))}
      {state.orderId !== null && hasBatchFiles(state.fileData) && (
        <div className={styles.files}>
          <BatchFileLinks
            orderId={state.orderId}
            names={state.fileData}
            texts={t.files}
            unavailableReason={demo ? texts.demo.noFiles : null}
            print={printing.button(
              { orderId: state.orderId, rows: state.totalCount, name: printTexts.thisBulkOrder },
              true,
            )}
          />
        </div>
      )}
      <div className={styles.foot}>
        {!view.canRetry && <span className={styles.hint}>{demo ? texts.demo.hint : hint}</span>}
        <Button data-autofocus icon={<IconMinus aria-hidden="true" />} onClick={minimize}>
          {t.minimise}
        </Button>
        {view.retryText && (
          <Button kind="money" busy={!view.canRetry} onClick={onRetry}>
            {view.retryText}
          </Button>
        )}
      </div>
      {printing.dialog}
    </Dialog>
  )
}
