import { useEffect } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Card, FigureList } from '#web/ui/Card.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { statusText } from './batch-view.ts'
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
import { texts } from './texts.ts'
import styles from './Demo.module.css'

const t = texts.demo

/** Specification, 2 (/main/demo): drives the overlay of bulk orders without an order. */
export function DemoPage() {
  const state = useProgress()
  const { running } = useDemo()
  const taken = isRealOrderRunning(state) ? t.taken : null
  useEffect(() => leaveDemo, [])
  return (
    <Card title={t.title}>
      <div className={styles.page}>
        <p className={styles.text}>{t.text}</p>
        {taken && <Notice tone="yellow">{taken}</Notice>}
        <div className={styles.buttons}>
          <Button onClick={showDemo} disabledReason={taken}>
            {t.show}
          </Button>
          <Button
            onClick={hideDemo}
            disabledReason={taken ?? (state.isVisible ? null : t.hiddenNow)}
          >
            {t.hide}
          </Button>
          <Button onClick={minimizeDemo} disabledReason={taken}>
            {t.minimise}
          </Button>
          <Button onClick={maximizeDemo} disabledReason={taken}>
            {t.maximise}
          </Button>
          <Button kind="ink" busy={running} onClick={simulateProgress} disabledReason={taken}>
            {t.simulate}
          </Button>
        </div>
        {!taken && <DemoState state={state} />}
      </div>
    </Card>
  )
}

function DemoState({ state }: { state: ProgressState }) {
  const place = !state.isVisible ? 'hidden' : state.isMinimized ? 'small' : 'large'
  const begun = isDemo(state)
  return (
    <FigureList
      items={[
        { name: t.window, value: t.windows[place] },
        {
          name: t.processed,
          value: begun ? t.counts(state.processedCount, state.totalCount) : t.none,
        },
        {
          name: t.status,
          value: begun ? statusText(state.orderStatus, state.failedCount) : t.none,
        },
      ]}
    />
  )
}
