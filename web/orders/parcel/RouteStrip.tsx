import { IconHome, IconPackage } from '@tabler/icons-react'
import type { ParcelPage } from '#contract/parcel-pages.ts'
import { parcelRoute } from './parcel-route.ts'
import { texts } from './texts.ts'
import styles from './RouteStrip.module.css'

/** From where to where, with the parcel on its way between them. The history beside it says the same in words. */
export function RouteStrip({ parcel }: { parcel: ParcelPage }) {
  const { at, state, place } = parcelRoute(parcel)
  return (
    <div className={styles.route} data-at={at} data-state={state}>
      <div className={styles.line} aria-hidden="true">
        <span className={styles.sender} />
        <span className={styles.home}>
          <IconHome />
        </span>
        <span className={styles.done} />
        <span className={styles.parcel}>
          <IconPackage />
        </span>
      </div>
      <dl className={styles.ends}>
        <div>
          <dt>{texts.from}</dt>
          <dd>{parcel.origin}</dd>
        </div>
        {place !== '' && state !== 'arrived' && (
          <div className={styles.place}>
            <dt>{texts.lastScan}</dt>
            <dd>{place}</dd>
          </div>
        )}
        <div className={styles.destination}>
          <dt>{texts.to}</dt>
          <dd>{parcel.destination}</dd>
        </div>
      </dl>
    </div>
  )
}
