import { useEffect } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { statusText } from './batch-view.ts'
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
          <Button
            kind="ink"
            className={styles.simulate}
            busy={running}
            onClick={simulateProgress}
            disabledReason={disabledReason}
          >
            {t.simulate}
          </Button>
          <div className={styles.window}>
            <div>
              <h3>
                {t.controls}
                {!disabledReason && <span>{t.windows[windowSize(state)]}</span>}
              </h3>
              <p className={styles.hint}>
                {t.controlHints[disabledReason ? 'hidden' : windowSize(state)]}
              </p>
            </div>
            <div className={styles.buttons} role="group" aria-label={t.controls}>
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
        </Card>
        {!disabledReason && <SampleOrder state={state} />}
      </div>
      <Card title={t.storyTitle}>
        <DemoStory />
      </Card>
    </div>
  )
}

const LABELS = Array.from({ length: DEMO_LABELS }, (_, at) => at)

/** How far the sample order is, and each of its labels. */
function SampleOrder({ state }: { state: ProgressState }) {
  const started = isDemo(state)
  const { orderStatus, failedCount } = state
  const processed = started ? state.processedCount : 0
  return (
    <Card className={styles.sample}>
      <p className={styles.status}>
        <span>{t.sampleOrder}</span>
        <span>{started ? statusText(orderStatus, failedCount) : t.notStarted}</span>
      </p>
      <p className={styles.figure}>{t.processed(processed, DEMO_LABELS)}</p>
      <div className={styles.labels} aria-hidden="true">
        {LABELS.map(at => (
          <i key={at} data-bought={at < processed ? '' : undefined} />
        ))}
      </div>
    </Card>
  )
}
