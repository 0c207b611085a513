import type { AddressForm } from '#contract/addresses.ts'
import { townText } from '#contract/format.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { cityLineOf } from './draft.ts'
import { texts } from './texts.ts'
import styles from './SenderCard.module.css'

const t = texts.sender

/** The default sender in one line, or how to choose one. */
export function SenderCard({ address }: { address: AddressForm | undefined }) {
  return (
    <Card className={styles.card}>
      <div className={styles.about}>
        <h2 className={styles.title}>{t.title}</h2>
        {address ? <p className={styles.address}>{inOneLine(address)}</p> : <p>{t.none}</p>}
      </div>
      {address && <ButtonLink to="/main/order-label">{t.order}</ButtonLink>}
    </Card>
  )
}

const inOneLine = (address: AddressForm): string =>
  [address.name, address.company, address.street, address.street2, cityLineOf(address)]
    .filter(Boolean)
    .join(', ')

/** The upper left of a label with a sender; bars stand for what is not typed yet and for the rest of the label. */
export function PrintedSender({ address }: { address: AddressForm }) {
  const { name, company, street, street2, city, state, zip } = address
  return (
    <div className={styles.label}>
      <address className={styles.printed}>
        <span className={styles.from}>{t.from}</span>
        <span>{name || <Blank className={styles.whole} />}</span>
        {company && <span>{company}</span>}
        <span>{street || <Blank className={styles.whole} />}</span>
        {street2 && <span>{street2}</span>}
        <span>
          {city ? `${townText(city)}, ` : <Blank className={styles.city} />}{' '}
          {state || <Blank className={styles.state} />} {zip || <Blank className={styles.zip} />}
        </span>
      </address>
      <div className={styles.receiver} aria-hidden="true">
        <Blank className={styles.city} />
        <Blank className={styles.whole} />
        <Blank className={styles.whole} />
      </div>
      <div className={styles.barcode} aria-hidden="true" />
    </div>
  )
}

const Blank = ({ className }: { className: string | undefined }) => (
  <span className={cx(styles.blank, className)} aria-hidden="true" />
)
