import { Spinner } from './Button.tsx'
import { texts } from './texts.ts'
import { useDelayedLoading } from './use-delayed-loading.ts'
import styles from './Skeleton.module.css'

/** A placeholder for text. Width and height are CSS lengths. */
export function Skeleton({
  width = '100%',
  height = 'var(--space-3)',
}: {
  width?: string
  height?: string
}) {
  return <span className={styles.bar} style={{ width, height }} aria-hidden="true" />
}

/** For a whole page. Announced at once, visible only after 200 ms. */
export function PageLoader({ text = texts.loading }: { text?: string }) {
  const waiting = useDelayedLoading(true)
  return (
    <div className={styles.page} role="status" data-shown={waiting || undefined}>
      <Spinner />
      <span>{text}</span>
    </div>
  )
}
