import { useEffect } from 'react'
import { statusText } from '#contract/batch-status.ts'
import type { ProgressState } from '#contract/batch-status.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card, FigureList } from '#web/ui/Card.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
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
import { useProgress } from './progress/progress-store.ts'
import { texts } from './texts.ts'
import styles from './Demo.module.css'

const say = texts.demo

/** Specification, 2 (/main/demo): drives the overlay of bulk orders without an order. */
export function DemoPage() {
  const state = useProgress()
  const { running } = useDemo()
  const taken = isRealOrderRunning(state) ? say.taken : null
  useEffect(() => leaveDemo, [])
  return (
    <Card title={say.title}>
      <div className={styles.page}>
        <p className={styles.text}>{say.text}</p>
        {taken && <Notice tone="yellow">{taken}</Notice>}
        <div className={styles.buttons}>
          <Button onClick={showDemo} disabledReason={taken}>
            {say.show}
          </Button>
          <Button
            onClick={hideDemo}
            disabledReason={taken ?? (state.isVisible ? null : say.hiddenNow)}
          >
            {say.hide}
          </Button>
          <Button onClick={minimizeDemo} disabledReason={taken}>
            {say.minimise}
          </Button>
          <Button onClick={maximizeDemo} disabledReason={taken}>
            {say.maximise}
          </Button>
          <Button kind="ink" busy={running} onClick={simulateProgress} disabledReason={taken}>
            {say.simulate}
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
        { name: say.window, value: say.windows[place] },
        {
          name: say.processed,
          value: begun ? say.counts(state.processedCount, state.totalCount) : say.none,
        },
        {
          name: say.status,
          value: begun ? statusText(state.orderStatus, state.failedCount) : say.none,
        },
      ]}
    />
  )
}
