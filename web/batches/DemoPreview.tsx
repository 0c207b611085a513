import { FigureList } from '#web/ui/Card.tsx'
import { durationText } from '#web/ui/date-text.ts'
import { ProgressBar } from './progress/ProgressBar.tsx'
import { texts } from './texts.ts'
import styles from './Demo.module.css'

const t = texts.overlay
const EXAMPLE = { percent: 62, processed: 31, total: 50, bought: 30, failed: 1, seconds: 42 }

/** A still picture of the window in both sizes, in the middle of an order. Decoration. */
export function DemoPreview() {
  const { percent, processed, total, bought, failed, seconds } = EXAMPLE
  return (
    <div className={styles.stage} aria-hidden="true">
      <div className={styles.stillDialog}>
        <b className={styles.stillTitle}>{t.titles.processing}</b>
        <div className={styles.stillHead}>
          <span className={styles.stillPercent}>{percent}%</span>
          <span className={styles.stillClock}>{durationText(seconds)}</span>
        </div>
        <ProgressBar
          percentage={percent}
          valueText={`${percent}%`}
          tone="blue"
          failedShare={failed / total}
          name={t.progress}
        />
        <span className={styles.stillNote}>
          {t.processed} {t.counts(processed, total)}
        </span>
        <FigureList
          items={[
            { name: t.bought, value: bought },
            { name: t.failed, value: failed },
            { name: t.total, value: total },
          ]}
        />
      </div>
      <div className={styles.stillCard} data-tone="blue">
        <svg viewBox="0 0 52 52">
          <circle cx="26" cy="26" r="23" />
          <circle
            className={styles.stillArc}
            cx="26"
            cy="26"
            r="23"
            pathLength="100"
            strokeDasharray={`${percent} 100`}
          />
          <text x="26" y="31" textAnchor="middle">
            {percent}%
          </text>
        </svg>
        <span>
          {processed}/{total}
        </span>
      </div>
    </div>
  )
}
