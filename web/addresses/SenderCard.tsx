import type { AddressForm } from '#contract/addresses.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { cityLineOf } from './draft.ts'
import { texts } from './texts.ts'
import styles from './Addresses.module.css'

const t = texts.sender

/** The default sender as it is printed on a label, and what it is for. */
export function SenderCard({ address }: { address: AddressForm | undefined }) {
  return (
    <Card title={t.title}>
      <div className={styles.sender}>
        {address && <PrintedSender address={address} />}
        <div className={styles.about}>
          <p>{address ? t.text : t.none}</p>
          {address && <ButtonLink to="/main/order-label">{t.order}</ButtonLink>}
        </div>
      </div>
    </Card>
  )
}

/** The lines of a sender as they are printed on a label. */
export function PrintedSender({ address }: { address: AddressForm }) {
  const { name, company, street, street2 } = address
  return (
    <address className={styles.printed}>
      <span className={styles.from}>{t.from}</span>
      {[name, company, street, street2, cityLineOf(address)].filter(Boolean).map((line, i) => (
        <span key={i}>{line}</span>
      ))}
    </address>
  )
}
