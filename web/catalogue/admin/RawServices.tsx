import type { RawService } from '#contract/catalogue.ts'
import { Card } from '#web/ui/Card.tsx'
import { ScrollRow } from '#web/ui/ScrollRow.tsx'
import { texts } from './texts.ts'
import styles from './Services.module.css'

/** The services as the carrier describes them; nothing here can be changed. */
export function RawServices({ services }: { services: readonly RawService[] }) {
  return (
    <ScrollRow name={texts.rawList}>
      {services.map(({ uid, name, category, maxWeight }) => (
        <Card key={uid} className={styles.raw}>
          <h3 className={styles.rawName}>{name}</h3>
          <p className={styles.facts}>
            <span>{category}</span>
            <span>{texts.upTo(maxWeight)}</span>
          </p>
          <code className={styles.uid}>{uid}</code>
        </Card>
      ))}
    </ScrollRow>
  )
}
