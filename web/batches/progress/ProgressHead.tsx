import type { CSSProperties } from 'react'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { texts } from '#web/batches/texts.ts'
import { useSession } from '#web/client/session.ts'
import { durationText } from '#web/ui/date-text.ts'
import { isDemo } from './demo.ts'
import type { OverlayView } from './overlay-view.ts'
import type { ProgressState } from './progress-state.ts'
import { ProgressBar } from './ProgressBar.tsx'
import type { Outcome } from './use-outcome.ts'
import styles from './Progress.module.css'

const t = texts.overlay

type ProgressHeadProps = {
  userId: string
  state: ProgressState
  view: OverlayView
  fileName: string | undefined
  outcome: Outcome | undefined
}

/** How far a bulk order is: its file, the headline, the bar, and the figures below. */
export function ProgressHead({ userId, state, view, fileName, outcome }: ProgressHeadProps) {
  const isReady = view.pdfLabels !== null && !isDemo(state)
  const stopped = view.canClose && !view.clockRunning
  return (
    <div>
      {fileName && (
        <p className={styles.file} title={fileName}>
          {fileName}
        </p>
      )}
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
        {view.eta && <p className={styles.eta}>{view.eta}</p>}
      </div>
      <ProgressBar
        percentage={view.percentage}
        valueText={view.percentText ?? view.title}
        tone={view.tone}
        failedShare={state.failedCount / state.totalCount}
        name={t.progress}
      />
      <div className={styles.below}>
        {stopped && state.processedCount === state.totalCount && !isDemo(state) ? (
          // The headline, or the notice below, says how many. Until the files are there the clock runs on.
          <Cost userId={userId} outcome={outcome} />
        ) : (
          <ProgressFigures state={state} hasEnded={view.canClose} isStopped={stopped} />
        )}
        {stopped && state.elapsedTime > 0 && (
          <p className={styles.took}>{t.took(durationText(state.elapsedTime))}</p>
        )}
      </div>
    </div>
  )
}

type FiguresProps = { state: ProgressState; hasEnded: boolean; isStopped: boolean }

/** While the order runs. The notice at its end says how many failed. */
function ProgressFigures({ state, hasEnded, isStopped }: FiguresProps) {
  const { processedCount, failedCount, totalCount, elapsedTime } = state
  return (
    <dl className={styles.strip}>
      <div>
        <dt>{t.processed}</dt>
        <dd>
          {totalCount > 0 ? t.counts(processedCount, totalCount) : numberText(processedCount)}
        </dd>
      </div>
      {!hasEnded && (
        <div>
          <dt>{t.failed}</dt>
          <dd>{numberText(failedCount)}</dd>
        </div>
      )}
      {!isStopped && (
        <div>
          <dt>{t.elapsed}</dt>
          <dd className={styles.clock}>{durationText(elapsedTime)}</dd>
        </div>
      )}
    </dl>
  )
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
