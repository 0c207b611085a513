import { useEffect } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Card, Ticket } from '#web/ui/Card.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { statusText, statusTone } from './batch-view.ts'
import { DemoStory } from './DemoPreview.tsx'
import {
  DEMO_LABELS,
  DEMO_OBSTACLES,
  hideDemo,
  isDemo,
  isRealOrderRunning,
  isRealOrderShown,
  leaveDemo,
  maximizeDemo,
  minimizeDemo,
  showDemo,
  simulateProgress,
  useDemo,
  windowSize,
} from './progress/demo.ts'
import type { ProgressState } from './progress/progress-state.ts'
import { useProgress } from './progress/progress-store.ts'
import { ProgressBar } from './progress/ProgressBar.tsx'
import { texts } from './texts.ts'
import styles from './Demo.module.css'

const t = texts.demo
const CONTROLS = [
  ['show', showDemo],
  ['minimise', minimizeDemo],
  ['maximise', maximizeDemo],
  ['hide', hideDemo],
] as const

/** Shows what a bulk order looks like, and controls the progress overlay without a real one. */
export function DemoPage() {
  const state = useProgress()
  const { running } = useDemo()
  const disabledReason = isRealOrderRunning(state)
    ? t.realOrderRunning
    : isRealOrderShown(state)
      ? t.realOrderShown
      : null
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
            <div className={styles.window} role="group" aria-label={t.controls}>
              {CONTROLS.map(([control, press]) => (
                <Button
                  key={control}
                  aria-label={t[control].name}
                  onClick={press}
                  disabledReason={disabledReason ?? DEMO_OBSTACLES[windowSize(state)][control]}
                >
                  {t[control].text}
                </Button>
              ))}
            </div>
          </div>
          <p className={styles.hint}>{t.controlsHint}</p>
        </Card>
        {!disabledReason && <DemoTicket state={state} />}
      </div>
      <Card title={t.storyTitle}>
        <DemoStory />
      </Card>
    </div>
  )
}

/** How far the sample order is, and how the window shows it now. */
function DemoTicket({ state }: { state: ProgressState }) {
  const started = isDemo(state)
  const { processedCount, totalCount, orderStatus, failedCount } = state
  return (
    <Ticket className={styles.ticket}>
      <p className={styles.figure}>
        {started ? t.percent(processedCount, totalCount) : t.sampleLabels(DEMO_LABELS)}
      </p>
      <dl className={styles.state}>
        <dt>{t.window}</dt>
        <dd>{t.windows[windowSize(state)]}</dd>
      </dl>
      {started ? (
        <>
          <p className={styles.progress}>
            <span>
              {texts.overlay.processed} {texts.overlay.counts(processedCount, totalCount)}
            </span>
            <span>{statusText(orderStatus, failedCount)}</span>
          </p>
          <span aria-hidden="true">
            <ProgressBar
              percentage={(processedCount / totalCount) * 100}
              valueText=""
              tone={statusTone(orderStatus)}
              failedShare={0}
              name={texts.overlay.progress}
            />
          </span>
        </>
      ) : (
        <p className={styles.progress}>{t.notStarted}</p>
      )}
    </Ticket>
  )
}
