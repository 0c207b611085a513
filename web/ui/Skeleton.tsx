import { Spinner } from './Button.tsx'
import { texts } from './texts.ts'
import { useDelayedLoading } from './use-delayed-loading.ts'
import styles from './Skeleton.module.css'

/** A quiet bar in place of text that is coming. Width and height are CSS lengths or tokens. */
export function Skeleton({
  width = '100%',
  height = 'var(--space-3)',
}: {
  width?: string
  height?: string
}) {
  return <span className={styles.bar} style={{ width, height }} aria-hidden="true" />
}

/** A whole page that is coming. Says so to readers at once, shows itself only after 200 ms. */
export function PageLoader({ text = texts.loading }: { text?: string }) {
  const waiting = useDelayedLoading(true)
  return (
    <div className={styles.page} role="status" data-shown={waiting || undefined}>
      <Spinner />
      <span>{text}</span>
    </div>
  )
}
