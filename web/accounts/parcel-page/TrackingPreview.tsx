/** A small drawing of the public page of a parcel, with what the seller is typing. */
import { IconMail } from '@tabler/icons-react'
import { PRODUCT } from '#contract/product.ts'
import { trackingText } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import { Card } from '#web/ui/Card.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { texts } from './texts.ts'
import styles from './TrackingPreview.module.css'

const t = texts.preview
const HERE: TrackingStatus = 'in_transit'
const STEPS: TrackingStatus[] = [HERE, 'out_for_delivery', 'delivered']

type TrackingPreviewProps = {
  seller: string
  contact: string
  mailsReceivers: boolean
}

export function TrackingPreview({ seller, contact, mailsReceivers }: TrackingPreviewProps) {
  return (
    // On a phone it is closed at first: the fields are what one came for.
    <Card title={t.title} className={styles.preview} folds>
      <div className={styles.page}>
        <p className={styles.bar}>
          <Logo name={PRODUCT} />
        </p>
        <p className={styles.title}>{trackingText(HERE)}</p>
        <ol className={styles.rail}>
          <li data-past>{t.created}</li>
          {STEPS.map(status => (
            <li key={status} data-here={status === HERE || undefined}>
              {trackingText(status)}
            </li>
          ))}
        </ol>
        <dl className={styles.facts}>
          <dt>{t.from}</dt>
          <dd className={styles.typed}>{seller}</dd>
          <dt>{t.to}</dt>
          <dd>{t.place}</dd>
        </dl>
        <div className={styles.questions}>
          <p className={styles.question}>{t.questions}</p>
          <p>{t.ask(seller)}</p>
          <p className={styles.contact} data-given={contact !== '' || undefined}>
            {contact || t.noContact}
          </p>
        </div>
      </div>
      {mailsReceivers && (
        <p className={styles.mail}>
          <IconMail aria-hidden="true" />
          <span>
            <strong>{t.mail}</strong>
            <span>{t.mailFrom(PRODUCT)}</span>
          </span>
        </p>
      )}
    </Card>
  )
}
