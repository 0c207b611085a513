import { Card } from '#web/ui/Card.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useDelayedLoading } from '#web/ui/use-delayed-loading.ts'
import { texts } from './texts.ts'
import styles from './Services.module.css'

/** Four skeleton cards while services load. */
const CARDS = [1, 2, 3, 4]

export function ServiceSkeletons() {
  const waiting = useDelayedLoading(true)
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{texts.loading}</span>
      {waiting && (
        <div className={styles.cards} data-skeletons>
          {CARDS.map(n => (
            <Card key={n} className={styles.card}>
              <Skeleton width="70%" height="var(--space-5)" />
              <Skeleton width="45%" />
              <Skeleton height="var(--space-6)" />
              <Skeleton width="40%" height="var(--control-small)" />
            </Card>
          ))}
        </div>
      )}
    </div>
  )
}
