import { useEffect } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Card, Ticket } from '#web/ui/Card.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { StepRail } from '#web/ui/StepRail.tsx'
import type { RailStep } from '#web/ui/StepRail.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { statusText, statusTone } from './batch-view.ts'
import { DemoPreview } from './DemoPreview.tsx'
import {
  hideDemo,
  isDemo,
  isRealOrderRunning,
  leaveDemo,
  maximizeDemo,
  minimizeDemo,
  showDemo,
  simulateProgress,
  useDemo,
} from './progress/demo.ts'
import type { ProgressState } from './progress/progress-state.ts'
import { useProgress } from './progress/progress-store.ts'
import { ProgressBar } from './progress/ProgressBar.tsx'
import { texts } from './texts.ts'
import styles from './Demo.module.css'

const t = texts.demo

/** Controls the progress overlay without a real order. */
export function DemoPage() {
  const state = useProgress()
  const { running } = useDemo()
  const phone = useIsPhone()
  const disabledReason = isRealOrderRunning(state) ? t.realOrderRunning : null
  useEffect(() => leaveDemo, [])
  return (
    <div className={styles.page}>
      <div className={styles.columns}>
        <Card title={t.title} className={styles.controls}>
          <p className={styles.text}>{t.text}</p>
          {disabledReason && <Notice tone="yellow">{disabledReason}</Notice>}
          <div className={styles.buttons}>
            <Button
              kind="ink"
              busy={running}
              onClick={simulateProgress}
              disabledReason={disabledReason}
            >
              {t.simulate}
            </Button>
            <Button onClick={showDemo} disabledReason={disabledReason}>
              {t.show}
            </Button>
            <Button
              onClick={hideDemo}
              disabledReason={disabledReason ?? (state.isVisible ? null : t.hiddenNow)}
            >
              {t.hide}
            </Button>
            <Button onClick={minimizeDemo} disabledReason={disabledReason}>
              {t.minimise}
            </Button>
            <Button onClick={maximizeDemo} disabledReason={disabledReason}>
              {t.maximise}
            </Button>
          </div>
        </Card>
        {!disabledReason && <DemoTicket state={state} />}
      </div>
      {!disabledReason && (
        <Card title={t.stepsTitle}>
          <StepRail vertical={phone} steps={demoSteps(state)} />
        </Card>
      )}
      <Card title={t.previewTitle}>
        <p className={styles.text}>{t.previewText}</p>
        <DemoPreview />
      </Card>
    </div>
  )
}

/** What the window shows now. */
function DemoTicket({ state }: { state: ProgressState }) {
  const size = !state.isVisible ? 'hidden' : state.isMinimized ? 'small' : 'large'
  const started = isDemo(state)
  const { processedCount, totalCount, orderStatus, failedCount } = state
  return (
    <Ticket className={styles.ticket}>
      <dl className={styles.figures}>
        <dt>{t.window}</dt>
        <dd className={styles.window}>{t.windows[size]}</dd>
      </dl>
      <p className={styles.progress}>
        {started ? (
          <>
            <span>
              {texts.overlay.processed} {texts.overlay.counts(processedCount, totalCount)}
            </span>
            <span>{statusText(orderStatus, failedCount)}</span>
          </>
        ) : (
          t.notStarted
        )}
      </p>
      <span aria-hidden="true">
        <ProgressBar
          percentage={started ? (processedCount / totalCount) * 100 : 0}
          valueText=""
          tone={started ? statusTone(orderStatus) : 'blue'}
          failedShare={0}
          name={texts.overlay.progress}
        />
      </span>
    </Ticket>
  )
}

/** Of the demo order; all ahead before it starts. */
function demoSteps(state: ProgressState): RailStep[] {
  const at = !isDemo(state)
    ? -1
    : state.orderStatus === 'processing'
      ? 0
      : state.orderStatus === 'generating_files'
        ? 1
        : t.steps.length
  return t.steps.map((step, n) => ({
    ...step,
    state: n < at ? 'done' : n === at ? 'current' : 'ahead',
  }))
}
