import { IconPrinter } from '@tabler/icons-react'
import { durationText } from '#web/ui/date-text.ts'
import type { StatusTone } from './batch-view.ts'
import { ProgressBar } from './progress/ProgressBar.tsx'
import { texts } from './texts.ts'
import styles from './Demo.module.css'

const t = texts.overlay
const TOTAL = 50
const DURING = { percent: 62, processed: 31, seconds: 42 }
const DONE_SECONDS = 68
/** Widths of the lines of a page, in percent. */
const PAGE_LINES = [72, 88, 64, 80, 56]
const PICTURES = [DuringOrder, OtherPage, AfterOrder]

/** What a seller sees, in three still pictures with their captions. */
export function DemoStory() {
  return (
    <ol className={styles.steps}>
      {texts.demo.story.map(({ name, text }, at) => {
        const Picture = PICTURES[at]!
        return (
          <li key={name} className={styles.step}>
            <div className={styles.caption}>
              <h3>{name}</h3>
              <p>{text}</p>
            </div>
            <div className={styles.stage} aria-hidden="true">
              <Picture />
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function DuringOrder() {
  const { percent, processed, seconds } = DURING
  return (
    <div className={styles.stillDialog}>
      <b className={styles.stillTitle}>{t.titles.processing}</b>
      <div className={styles.stillHead}>
        <span className={styles.stillPercent}>{percent}%</span>
        <span className={styles.stillClock}>{durationText(seconds)}</span>
      </div>
      <Bar percent={percent} tone="blue" />
      <span className={styles.stillNote}>
        <span>
          {t.processed} {t.counts(processed, TOTAL)}
        </span>
        <span>{t.minutesLeft(0)}</span>
      </span>
    </div>
  )
}

function AfterOrder() {
  return (
    <div className={styles.stillDialog}>
      <b className={styles.stillTitle}>{t.titles.completed}</b>
      <div className={styles.stillHead}>
        <span className={styles.stillPercent}>{t.ready(TOTAL, TOTAL)}</span>
        <span className={styles.stillClock}>{durationText(DONE_SECONDS)}</span>
      </div>
      <Bar percent={100} tone="green" />
      <span className={styles.stillButton}>
        <IconPrinter />
        {t.files.pdf}
      </span>
    </div>
  )
}

/** A page of the product with the small card in its corner. */
function OtherPage() {
  const { percent, processed } = DURING
  return (
    <div className={styles.stillPage}>
      <i className={styles.stillBar} />
      {PAGE_LINES.map(width => (
        <i key={width} className={styles.stillLine} style={{ width: `${width}%` }} />
      ))}
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
          {processed}/{TOTAL}
        </span>
      </div>
    </div>
  )
}

const Bar = ({ percent, tone }: { percent: number; tone: StatusTone }) => (
  <ProgressBar
    percentage={percent}
    valueText={`${percent}%`}
    tone={tone}
    failedShare={0}
    name={t.progress}
  />
)
