import { IconMinus, IconPrinter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { texts } from '#web/batches/texts.ts'
import { BatchFileLinks, hasBatchFiles } from '#web/orders/BatchFileLinks.tsx'
import { needsEdit } from '#web/orders/failure-remedies.ts'
import { texts as printTexts } from '#web/orders/print/texts.ts'
import { usePrinting } from '#web/orders/print/use-printing.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/Button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { isDemo } from './demo.ts'
import { FailureSummary, useFailures } from './FailureSummary.tsx'
import { overlayViewFor } from './overlay-view.ts'
import type { OverlayView } from './overlay-view.ts'
import type { ProgressState } from './progress-state.ts'
import { hideModal, minimize } from './progress-store.ts'
import { ProgressHead } from './ProgressHead.tsx'
import { useFileName, useOutcome } from './use-outcome.ts'
import styles from './Progress.module.css'

const t = texts.overlay

type Props = {
  userId: string
  state: ProgressState
  onRetry: (allowRepeats: boolean) => void
  /**
   * The live region. It is inside the dialog, because content outside of a modal is not announced.
   */
  children: ReactNode
}

/** The overlay at full size. Escape minimizes it while the order runs, and closes it afterwards. */
export function ProgressDialog({ userId, state, onRetry, children }: Props) {
  const view = overlayViewFor(state)
  const opened = state.isVisible && !state.isMinimized
  const showsFailures = opened && view.showsFailures && !isDemo(state)
  const failures = useFailures(userId, { ...state, running: !view.canClose }, showsFailures)
  const isRead = opened && !isDemo(state)
  const fileName = useFileName(userId, state, isRead)
  const outcome = useOutcome(userId, state, isRead && view.canClose)
  const fixable = view.canFix && failures ? failures.editableCount : 0
  // The carrier refuses the same address again.
  const fixLeads = fixable > 0 && needsEdit(failures!.reasons)
  return (
    <Dialog
      opened={opened}
      onClose={hideModal}
      title={view.title}
      closeButton={t.close}
      closeDisabledReason={view.closeTooltip}
      headerActions={
        // While the order runs, the button at the bottom minimizes the dialog.
        view.canClose && (
          <IconButton name={t.minimise} tooltip={false} onClick={minimize}>
            <IconMinus aria-hidden="true" />
          </IconButton>
        )
      }
      onEscape={view.canClose ? hideModal : minimize}
      returnFocus={false}
    >
      {children}
      <ProgressHead
        userId={userId}
        state={state}
        view={view}
        fileName={fileName}
        outcome={outcome}
      />
      <FailureSummary
        failures={failures}
        labels={outcome?.failedLabels ?? []}
        ended={view.canClose}
      >
        {view.messages.map(({ tone, text }) => (
          <Notice key={text} tone={tone}>
            {text}
          </Notice>
        ))}
      </FailureSummary>
      <ProgressFoot
        state={state}
        view={view}
        fixable={fixable}
        fixLeads={fixLeads}
        onRetry={onRetry}
      />
    </Dialog>
  )
}

type FilesProps = {
  state: ProgressState
  /** `leads`: the PDF is the main action; `last`: small, below the steps. */
  look: 'leads' | 'plain' | 'last'
}

function ProgressFiles({ state, look }: FilesProps) {
  const printing = usePrinting()
  const { orderId, fileData, totalCount } = state
  if (orderId === null || !hasBatchFiles(fileData)) return printing.dialog
  const demo = isDemo(state)
  const leads = look === 'leads'
  const size = leads ? 'large' : 'small'
  const printable = { orderId, rows: totalCount, name: printTexts.thisBulkOrder }
  return (
    <>
      <div className={styles.files} data-look={look}>
        <BatchFileLinks
          orderId={orderId}
          names={fileData}
          texts={t.files}
          size={size}
          kind="outline"
          pdfKind={leads && !demo ? 'ink' : 'outline'}
          icons={look !== 'last'}
          unavailableReason={demo ? texts.demo.noFiles : null}
          print={
            <Button
              size={size}
              icon={look !== 'last' && <IconPrinter aria-hidden="true" />}
              aria-label={printTexts.options(printable.name)}
              aria-haspopup="dialog"
              onClick={() => printing.open(printable)}
            >
              {t.print}
            </Button>
          }
        />
      </div>
      {printing.dialog}
    </>
  )
}

type FootProps = {
  state: ProgressState
  view: OverlayView
  /** Rows that can be fixed. */
  fixable: number
  fixLeads: boolean
  onRetry: (allowRepeats: boolean) => void
}

/** The files, and what to do next. Where rows failed that leads, and the files stand back in the last line. */
function ProgressFoot({ state, view, fixable, fixLeads, onRetry }: FootProps) {
  const button = useRef<HTMLButtonElement>(null)
  const steps = useRef<HTMLDivElement>(null)
  const [asking, setAsking] = useState(false)
  const { retryText, canClose } = view
  const fix = fixable > 0 && (
    <ButtonLink
      kind={fixLeads || retryText === null ? 'ink' : 'outline'}
      size="large"
      to={`/main/bulk-order?failed=${state.orderId}`}
      onClick={hideModal}
    >
      {texts.list.fix(fixable, state.failedCount)}
    </ButtonLink>
  )
  const hasSteps = retryText !== null || fixable > 0
  /** The × ends it: the steps and the files are all that is left to do. */
  const closesAbove = hasSteps && canClose
  // A button that goes takes the focus with it: that of a retry that succeeds, and Minimise at the end.
  useEffect(() => {
    if (document.activeElement === document.body)
      (button.current ?? steps.current)?.focus({ preventScroll: true })
  }, [retryText, closesAbove])
  return (
    <>
      {!hasSteps && <ProgressFiles state={state} look={view.isGood ? 'leads' : 'plain'} />}
      {hasSteps && (
        <div
          ref={steps}
          className={styles.steps}
          tabIndex={-1}
          data-autofocus={closesAbove || undefined}
        >
          {fixLeads && fix}
          {retryText && (
            <Button
              kind={fixLeads ? 'outline' : 'money'}
              size="large"
              busy={!view.canRetry}
              onClick={() => (state.boughtSince ? setAsking(true) : onRetry(false))}
            >
              {retryText}
            </Button>
          )}
          {!fixLeads && fix}
        </div>
      )}
      <div className={styles.foot}>
        {closesAbove ? (
          <ProgressFiles state={state} look="last" />
        ) : (
          <FootHint state={state} canClose={canClose} />
        )}
        {!closesAbove && (
          <Button
            ref={button}
            data-autofocus
            kind="outline"
            size={canClose ? 'large' : 'normal'}
            icon={!canClose && <IconMinus aria-hidden="true" />}
            onClick={canClose ? hideModal : minimize}
          >
            {canClose ? t.done : t.minimise}
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={asking}
        question={t.confirmRepeats}
        description={`${state.retryError ?? ''} ${t.repeatsCost}`}
        confirmLabel={t.buyAgain}
        onConfirm={() => {
          setAsking(false)
          onRetry(true)
        }}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}

function FootHint({ state, canClose }: { state: ProgressState; canClose: boolean }) {
  if (isDemo(state)) return <span className={styles.hint}>{texts.demo.hint}</span>
  if (state.orderId === null && state.error !== null)
    return <span className={styles.hint}>{t.refused}</span>
  if (!canClose) return <span className={styles.hint}>{t.hint}</span>
  // Batch Orders also has files, failed rows and voiding.
  return (
    <span className={styles.hint}>
      {t.findLater}{' '}
      <Link to="/main/batch-orders" onClick={hideModal}>
        {t.batchOrders}
      </Link>
      .
    </span>
  )
}
