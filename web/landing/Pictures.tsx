/** The pictures of How It Works, drawn from parts of the product. Their rows and labels are samples. */
import { IconCurrencyBitcoin } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { rowErrors } from '#contract/row-rules.ts'
import { emptyRow } from '#contract/rows.ts'
import { texts as payments } from '#web/payments/texts.ts'
import { SpecimenLabel } from '#web/shell/SpecimenLabel.tsx'
import { Ticket } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { content } from './content.ts'
import { IfFactKnown, IfFactUnknown } from './Parts.tsx'
import button from '#web/ui/Button.module.css'
import styles from './Pictures.module.css'

const t = content.pictures

/** Screen readers get `text`. */
function Picture({ text, children }: { text: string; children: ReactNode }) {
  return (
    <>
      <span className="visually-hidden">{text}</span>
      <div className={styles.picture} aria-hidden="true">
        {children}
      </div>
    </>
  )
}

export function TopUpPicture() {
  return (
    <Picture text={t.ticket}>
      <Ticket className={styles.ticket}>
        <span className={styles.quiet}>{payments.balance}</span>
        <b className={styles.balance}>{t.balance}</b>
        <IfFactKnown fact="flat">
          <span className={styles.quiet}>{t.enough}</span>
        </IfFactKnown>
        <span className={cx(button.button, button.money, button.normal, styles.pay)}>
          <span className={button.icon}>
            <IconCurrencyBitcoin />
          </span>
          <span>{payments.pay}</span>
        </span>
      </Ticket>
    </Picture>
  )
}

/** The message at the ZIP is that of the product's own check. */
export function RowsPicture() {
  return (
    <Picture text={t.table}>
      <div className={styles.grid}>
        <div className={cx(styles.row, styles.head)}>
          {t.columns.map(column => (
            <span key={column}>{column}</span>
          ))}
        </div>
        {t.rows.map(row => {
          const problem = zipProblem(row.state, row.zip)
          return (
            <div key={row.name} className={styles.row}>
              <span>{row.name}</span>
              <span>
                {row.city}, {row.state}
              </span>
              <span data-wrong={problem ? '' : undefined}>{row.zip}</span>
              {problem ? (
                <span>{t.noPrice}</span>
              ) : (
                <span>
                  <IfFactKnown fact="price">{'{{price}}'}</IfFactKnown>
                  <IfFactUnknown fact="price">{t.ready}</IfFactUnknown>
                </span>
              )}
              {problem && <span className={styles.problem}>{problem}</span>}
            </div>
          )
        })}
      </div>
    </Picture>
  )
}

const zipProblem = (state: string, zip: string): string | undefined =>
  rowErrors({ ...emptyRow(), ToStateProvince: state, ToZipPostal: zip }).ToZipPostal

/** Labels of the rows above: the last is in front. */
const FAN: [parcel: number, weight: string, place: string | undefined][] = [
  [2, '12 lb', styles.left],
  [1, '2 lb', styles.right],
  [0, '{{heaviest}} lb', styles.front],
]

export function LabelsPicture() {
  return (
    <Picture text={t.labels}>
      {FAN.map(([parcel, weight, place]) => (
        <SpecimenLabel
          key={parcel}
          parcel={parcel}
          weight={`{{#flat}}${weight}{{/flat}}`}
          className={cx(styles.label, place)}
        />
      ))}
    </Picture>
  )
}
