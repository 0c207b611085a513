/** A chart in a card, with its loading, failed and empty states at the height of the chart. */
import type { ReactNode } from 'react'
import { Card } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import styles from './Charts.module.css'

type ChartCardProps<Data> = {
  title: string
  /** At the end of the title's line. */
  action?: ReactNode
  heightPx: number
  /** Undefined while loading. */
  data: Data | undefined
  failed: { text: string; onRetry: () => void } | null
  /** Null where there is something to draw. */
  empty: (data: Data) => { title: string; text?: string; action?: ReactNode } | null
  className?: string | undefined
  /** On phones the card is closed at first, with this fact beside its title. */
  foldedNote?: (data: Data) => string
  children: (data: Data) => ReactNode
}

export function ChartCard<Data>({
  title,
  action,
  heightPx,
  data,
  failed,
  empty,
  className,
  foldedNote,
  children,
}: ChartCardProps<Data>) {
  const none = data === undefined ? null : empty(data)
  return (
    <Card
      title={title}
      action={action}
      className={cx(styles.card, className)}
      folds={foldedNote !== undefined}
      note={data && foldedNote?.(data)}
    >
      {data === undefined && failed ? (
        <div style={{ minHeight: heightPx }}>
          <LoadErrorNotice onRetry={failed.onRetry}>{failed.text}</LoadErrorNotice>
        </div>
      ) : data === undefined ? (
        <div className={styles.figure} aria-busy="true">
          <div className={styles.caption}>
            <Skeleton width="60%" />
          </div>
          <div className={styles.waiting} style={{ height: heightPx }}>
            <Skeleton height="100%" />
          </div>
          <div className={styles.foot}>
            <Skeleton width="40%" />
          </div>
        </div>
      ) : none ? (
        <div className={styles.empty} style={{ minHeight: heightPx }}>
          <EmptyState {...none} />
        </div>
      ) : (
        children(data)
      )}
    </Card>
  )
}
