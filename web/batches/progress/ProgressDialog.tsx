import { IconMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { batchStatus } from '#contract/batches.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { needsEdit } from '#web/batches/failure-remedies.ts'
import { texts } from '#web/batches/texts.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useSession } from '#web/client/session.ts'
import { BatchFileLinks, hasBatchFiles } from '#web/orders/BatchFileLinks.tsx'
import { texts as printTexts } from '#web/orders/print/texts.ts'
import { usePrinting } from '#web/orders/print/use-printing.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/Button.tsx'
import { durationText } from '#web/ui/date-text.ts'
import { ConfirmDialog, Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { isDemo } from './demo.ts'
import { FailureSummary, useFailures } from './FailureSummary.tsx'
import { overlayViewFor } from './overlay-view.ts'
import type { OverlayView } from './overlay-view.ts'
import type { ProgressState } from './progress-state.ts'
import { hideModal, minimize } from './progress-store.ts'
import { ProgressBar } from './ProgressBar.tsx'
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
  const outcome = useOutcome(userId, state, opened && view.canClose && !isDemo(state))
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
      <ProgressHead userId={userId} state={state} view={view} outcome={outcome} />
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
      <ProgressFiles state={state} view={view} leads={view.isGood} />
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

type PartProps = { state: ProgressState; view: OverlayView }

/** '7 of 12, 1 failed'. The notice at the end says how many failed. */
const processedText = (
  { processedCount, failedCount, totalCount }: ProgressState,
  hasEnded: boolean,
): string =>
  [
    totalCount > 0 ? t.counts(processedCount, totalCount) : numberText(processedCount),
    !hasEnded && failedCount > 0 && t.failedSoFar(failedCount),
  ]
    .filter(Boolean)
    .join(', ')

type HeadProps = PartProps & { userId: string; outcome: Outcome | undefined }

function ProgressHead({ userId, state, view, outcome }: HeadProps) {
  const isReady = view.pdfLabels !== null && !isDemo(state)
  const stopped = view.canClose && !view.clockRunning
  return (
    <div>
      <div className={styles.head}>
        {isReady ? (
          // The PDF is without the labels that were voided since.
          <span className={styles.ready}>
            {t.ready(Math.max(0, view.pdfLabels! - (outcome?.voidedCount ?? 0)), state.totalCount)}
          </span>
        ) : (
          view.percentText && <span className={styles.percent}>{view.percentText}</span>
        )}
        {view.isGood && view.pdfLabels !== null && <LabelFan />}
        {!stopped && (
          <span className={styles.clock}>
            <span className="visually-hidden">{t.elapsed} </span>
            {durationText(state.elapsedTime)}
          </span>
        )}
      </div>
      <ProgressBar
        percentage={view.percentage}
        valueText={view.percentText ?? view.title}
        tone={view.tone}
        failedShare={state.failedCount / state.totalCount}
        name={t.progress}
      />
      <div className={styles.below}>
        {view.canClose && state.processedCount === state.totalCount && !isDemo(state) ? (
          // The headline, or the notice below, says how many.
          <Cost userId={userId} outcome={outcome} />
        ) : (
          <dl className={styles.processed}>
            <dt>{t.processed}</dt> <dd>{processedText(state, view.canClose)}</dd>
          </dl>
        )}
        {view.eta && <p>{view.eta}</p>}
        {stopped && state.elapsedTime > 0 && (
          <p className={styles.took}>{t.took(durationText(state.elapsedTime))}</p>
        )}
      </div>
    </div>
  )
}

/** More failed labels than these are only counted. */
const MAX_READ_FAILURES = 100

type Outcome = ResponseData<typeof batchStatus>

/** What an ended bulk order cost, which of its labels failed, and how many were voided since. */
function useOutcome(
  userId: string,
  { orderId, failedCount }: ProgressState,
  enabled: boolean,
): Outcome | undefined {
  const failedLabels = failedCount > 0 && failedCount <= MAX_READ_FAILURES ? 'all' : 'none'
  return useQuery({
    queryKey: [...queryKeys.batch(userId, orderId ?? ''), 'outcome', failedCount],
    queryFn: ({ signal }) =>
      send(
        batchStatus,
        { params: { orderId: orderId ?? '' }, query: { failedLabels } },
        { signal },
      ),
    enabled: enabled && orderId !== null,
    staleTime: 0,
  }).data
}

/** '$78.00 charged, $1,922.00 left'; nothing until it is known, and for another user's order. */
function Cost({ userId, outcome }: { userId: string; outcome: Outcome | undefined }) {
  const cost = outcome?.finalCost ?? null
  const balance = useSession(({ user }) => (user?._id === userId ? user.balance : null))
  if (cost === null || balance === null) return null
  return <p>{t.cost(usdFromDollars(cost), usdFromDollars(balance))}</p>
}

/** Three labels that rise behind the bar; none where the headline needs the room. */
const LabelFan = () => (
  <span className={styles.fan} aria-hidden="true">
    {FAN.map(side => (
      <i key={side} style={{ '--side': side } as CSSProperties} />
    ))}
  </span>
)
/** The middle one is in front. */
const FAN = [-1, 1, 0]

/** The files in one row. With `leads` the PDF is the main action. */
function ProgressFiles({ state, view, leads }: PartProps & { leads: boolean }) {
  const printing = usePrinting()
  const { orderId, fileData, totalCount } = state
  if (orderId === null || !hasBatchFiles(fileData)) return printing.dialog
  const demo = isDemo(state)
  return (
    <>
      <div
        className={styles.files}
        data-ended={view.canClose || undefined}
        data-leads={leads || undefined}
      >
        <BatchFileLinks
          orderId={orderId}
          names={fileData}
          texts={t.files}
          size={view.canClose ? 'large' : 'small'}
          pdfKind={leads && !demo ? 'ink' : 'outline'}
          icons
          unavailableReason={demo ? texts.demo.noFiles : null}
          print={printing.button(
            { orderId, rows: totalCount, name: printTexts.thisBulkOrder },
            true,
          )}
        />
      </div>
      {printing.dialog}
    </>
  )
}

type FootProps = PartProps & {
  /** Rows that can be fixed. */
  fixable: number
  fixLeads: boolean
  onRetry: (allowRepeats: boolean) => void
}

function ProgressFoot({ state, view, fixable, fixLeads, onRetry }: FootProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  const { retryText } = view
  // A retry that succeeds takes its own button away, with the focus.
  useEffect(() => {
    if (retryText === null && document.activeElement === document.body)
      button.current?.focus({ preventScroll: true })
  }, [retryText])
  // As high as the files above.
  const size = view.canClose ? 'large' : 'normal'
  const fix = fixable > 0 && (
    <ButtonLink
      kind={fixLeads || retryText === null ? 'ink' : 'outline'}
      size={size}
      to={`/main/bulk-order?failed=${state.orderId}`}
      onClick={hideModal}
    >
      {texts.list.fix(fixable, state.failedCount)}
    </ButtonLink>
  )
  const leavesLast = view.canClose && (retryText !== null || fixable > 0)
  return (
    <div className={styles.foot}>
      {!view.canRetry && <FootHint state={state} canClose={view.canClose} />}
      <Button
        ref={button}
        data-autofocus
        className={leavesLast ? styles.leave : undefined}
        kind={leavesLast ? 'quiet' : 'outline'}
        size={size}
        icon={!view.canClose && <IconMinus aria-hidden="true" />}
        onClick={view.canClose ? hideModal : minimize}
      >
        {view.canClose ? t.done : t.minimise}
      </Button>
      {!fixLeads && fix}
      {retryText && (
        <Button
          kind={fixLeads ? 'outline' : 'money'}
          size={size}
          busy={!view.canRetry}
          onClick={() => (state.boughtSince ? setAsking(true) : onRetry(false))}
        >
          {retryText}
        </Button>
      )}
      {fixLeads && fix}
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
    </div>
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
