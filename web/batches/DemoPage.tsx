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

/** Controls the progress overlay without a real order. */
export function DemoPage() {
  const state = useProgress()
  const { running } = useDemo()
  const disabledReason = isRealOrderRunning(state) ? t.realOrderRunning : null
  useEffect(() => leaveDemo, [])
  return (
    <Card title={t.title}>
      <div className={styles.page}>
        <p className={styles.text}>{t.text}</p>
        {disabledReason && <Notice tone="yellow">{disabledReason}</Notice>}
        <div className={styles.buttons}>
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
          <Button
            kind="ink"
            busy={running}
            onClick={simulateProgress}
            disabledReason={disabledReason}
          >
            {t.simulate}
          </Button>
        </div>
        {!disabledReason && <DemoState state={state} />}
      </div>
    </Card>
  )
}

function DemoState({ state }: { state: ProgressState }) {
  const size = !state.isVisible ? 'hidden' : state.isMinimized ? 'small' : 'large'
  const started = isDemo(state)
  return (
    <FigureList
      items={[
        { name: t.window, value: t.windows[size] },
        {
          name: t.processed,
          value: started ? t.counts(state.processedCount, state.totalCount) : t.none,
        },
        {
          name: t.status,
          value: started ? statusText(state.orderStatus, state.failedCount) : t.none,
        },
      ]}
    />
  )
}
