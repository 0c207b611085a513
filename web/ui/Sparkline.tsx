import { sparklinePoints, SPARK_HEIGHT, SPARK_WIDTH } from './sparkline.ts'
import styles from './Sparkline.module.css'

/** A small line chart, oldest value first. `name` says in words what it shows. */
export function Sparkline({ values, name }: { values: readonly number[]; name: string }) {
  const { points, end } = sparklinePoints(values)
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      width={SPARK_WIDTH}
      height={SPARK_HEIGHT}
      role="img"
      aria-label={name}
    >
      <polyline points={points} />
      {end && <circle cx={end.x} cy={end.y} r="2.5" />}
    </svg>
  )
}
