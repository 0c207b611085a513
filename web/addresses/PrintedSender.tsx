import type { AddressForm } from '#contract/addresses.ts'
import { townText } from '#contract/format.ts'
import { cx } from '#web/ui/cx.ts'
import { texts } from './texts.ts'
import styles from './PrintedSender.module.css'

/** The upper left of a label with a sender; bars stand for what is not typed yet and for the rest of the label. */
export function PrintedSender({ address }: { address: AddressForm }) {
  const { name, company, street, street2, city, state, zip } = address
  return (
    <div className={styles.label}>
      <address className={styles.printed}>
        <span className={styles.from}>{texts.from}</span>
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
