import { sparklineBars, SPARK_HEIGHT, SPARK_WIDTH } from './sparkline.ts'
import styles from './Sparkline.module.css'

/** A small chart with a bar per day, oldest first. `name` says in words what it shows. */
export function Sparkline({ values, name }: { values: readonly number[]; name: string }) {
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      width={SPARK_WIDTH}
      height={SPARK_HEIGHT}
      role="img"
      aria-label={name}
    >
      {sparklineBars(values).map(bar => (
        <rect key={bar.x} {...bar} rx="0.5" />
      ))}
    </svg>
  )
}
