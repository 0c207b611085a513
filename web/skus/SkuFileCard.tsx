import { SKU_FIELDS } from '#contract/sku-rules.ts'
import { Card } from '#web/ui/Card.tsx'
import { texts } from './texts.ts'
import styles from './Skus.module.css'

const t = texts.about

/** What an uploaded file must look like, and what SKUs are for. */
export function SkuFileCard() {
  return (
    <Card title={t.title}>
      <div className={styles.about}>
        <p>{t.text}</p>
        <ul className={styles.columns} aria-label={t.columns}>
          {SKU_FIELDS.map(({ name }) => (
            <li key={name}>
              <code>{name}</code>
              <span>
                {texts.fields[name]}
                {name === 'description' && `, ${t.optional}`}
              </span>
            </li>
          ))}
        </ul>
        <p>{t.use}</p>
      </div>
    </Card>
  )
}
