import type { PriceRange } from '#contract/catalogue.ts'
import { Money } from '#web/ui/Value.tsx'
import { pricePreviewRows } from './price-draft.ts'
import { texts } from './texts.ts'
import styles from './Prices.module.css'

const t = texts.preview

const HEADS = [t.weight, t.before, t.after, t.change]

type PricePreviewProps = {
  before: readonly PriceRange[]
  after: readonly PriceRange[]
  maxWeight: number
}

/** What a few weights cost now, and with the edited ranges. */
export function PricePreview({ before, after, maxWeight }: PricePreviewProps) {
  return (
    <table className={styles.preview}>
      <caption>{t.title}</caption>
      <thead>
        <tr>
          {HEADS.map(head => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pricePreviewRows(before, after, maxWeight).map(one => (
          <tr key={one.pounds} data-changed={one.before !== one.after || undefined}>
            <th scope="row">{t.pounds(one.pounds)}</th>
            <td>
              <PriceText dollars={one.before} />
            </td>
            <td>
              <PriceText dollars={one.after} />
            </td>
            <td>
              <PriceChange before={one.before} after={one.after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const PriceText = ({ dollars }: { dollars: number | null }) =>
  dollars === null ? <span>{t.noPrice}</span> : <Money dollars={dollars} />

function PriceChange({ before, after }: { before: number | null; after: number | null }) {
  if (before === after) return <span className={styles.same}>{t.same}</span>
  if (before === null || after === null) return null
  return <Money signed dollars={Math.round((after - before) * 100) / 100} />
}
