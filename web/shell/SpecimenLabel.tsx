import { cx } from '#web/ui/cx.ts'
import styles from './SpecimenLabel.module.css'

/** Bars and gaps in modules; drawn, not encoded: a specimen must not scan. */
const BARS = [
  2, 1, 1, 2, 3, 1, 1, 3, 2, 2, 1, 1, 4, 1, 2, 1, 1, 3, 1, 2, 2, 1, 3, 1, 1,
  2, 1, 4, 2, 1, 1, 1, 3, 2, 1, 2, 2, 3, 1, 1, 2, 1, 1, 3, 1, 2, 4, 1, 2, 1,
]
const STARTS = BARS.map((_, i) => BARS.slice(0, i).reduce((sum, width) => sum + width, 0))
const END = BARS.reduce((sum, width) => sum + width, 0)

/** A label that nobody can post with: the word SAMPLE stands on it twice. Decoration; say in words what it shows. */
export function SpecimenLabel({ weight = '20 lb', className }: { weight?: string; className?: string }) {
  return (
    <div className={cx(styles.label, className)} aria-hidden="true">
      <div className={styles.top}>
        <span className={styles.letter}>S</span>
        <span className={styles.facts}>
          <span className={styles.mono}>SAMPLE · NOT POSTAGE</span><span className={styles.weight}>{weight}</span>
        </span>
      </div>
      <div className={styles.class}>SPECIMEN PRIORITY</div>
      <div className={styles.from}>MASON TRADING CO<br />100 CONGRESS AVE<br />AUSTIN TX 78701</div>
      <div className={styles.to}>JUNE RIVERA<br />2210 E OLIVE AVE<br />FRESNO CA 93701</div>
      <div className={styles.tracking}>SPECIMEN TRACKING #</div>
      <Bars />
      <div className={styles.number}>0000 0000 0000 0000 00</div>
      <svg className={styles.stamp} viewBox="0 0 100 24" focusable="false"><text x="50" y="20" textAnchor="middle">SAMPLE</text></svg>
    </div>
  )
}

function Bars() {
  return (
    <svg className={styles.bars} viewBox={`0 0 ${END} 20`} preserveAspectRatio="none" focusable="false">
      {STARTS.map((x, i) => i % 2 === 0 && <rect key={x} x={x} y="0" width={BARS[i]} height="20" />)}
    </svg>
  )
}
