import { cx } from '#web/ui/cx.ts'
import { texts } from './texts.ts'
import styles from './SpecimenLabel.module.css'

/** Widths of bars and gaps. They encode nothing: a specimen must not scan. */
const BARS = [
  2, 1, 1, 2, 3, 1, 1, 3, 2, 2, 1, 1, 4, 1, 2, 1, 1, 3, 1, 2, 2, 1, 3, 1, 1, 2, 1, 4, 2, 1, 1, 1, 3,
  2, 1, 2, 2, 3, 1, 1, 2, 1, 1, 3, 1, 2, 4, 1, 2, 1,
]
const BAR_STARTS = BARS.map((_, i) => BARS.slice(0, i).reduce((sum, width) => sum + width, 0))
const BARS_WIDTH = BARS.reduce((sum, width) => sum + width, 0)

type SpecimenProps = {
  parcel?: number
  weight?: string
  /** The line between the thick rules. */
  service?: string
  /** Lines of the addresses; defaults are examples. An empty line is drawn as a grey dash. */
  from?: string[]
  to?: string[]
  className?: string
}

const t = texts.specimen

/** A label that is not valid postage: SAMPLE is on it twice. Decoration: say in words what it shows. */
export function SpecimenLabel(props: SpecimenProps) {
  const example = t.parcels[props.parcel ?? 0]!
  const { weight = example.weight, service = t.service, from = t.from, className } = props
  const { to = example.to } = props
  return (
    <div className={cx(styles.label, className)} aria-hidden="true">
      <div className={styles.top}>
        <span className={styles.letter}>S</span>
        <span className={styles.facts}>
          <span className={styles.mono}>{t.notPostage}</span>
          <span className={styles.weight}>{weight}</span>
        </span>
      </div>
      <div className={styles.class}>{service}</div>
      <div className={styles.from}>
        <Lines lines={from} />
      </div>
      <div className={styles.to}>
        <Lines lines={to} />
      </div>
      <div className={styles.tracking}>{t.tracking}</div>
      <SpecimenBarcode />
      <div className={styles.number}>0000 0000 0000 0000 00</div>
      <svg className={styles.stamp} viewBox="0 0 100 24" focusable="false">
        <text x="50" y="20" textAnchor="middle">
          {t.sample}
        </text>
      </svg>
    </div>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line, i) => (
    <div key={i} className={line === '' ? styles.blank : undefined}>
      {line}
    </div>
  ))

function SpecimenBarcode() {
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${BARS_WIDTH} 20`}
      preserveAspectRatio="none"
      focusable="false"
    >
      {BAR_STARTS.map(
        (x, i) => i % 2 === 0 && <rect key={x} x={x} y="0" width={BARS[i]} height="20" />,
      )}
    </svg>
  )
}
