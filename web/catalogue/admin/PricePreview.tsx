import type { PriceRange } from '#contract/catalogue.ts'
import { Money } from '#web/ui/Value.tsx'
import { pricePreviewRows } from './price-draft.ts'
import { texts } from './texts.ts'
import styles from './Prices.module.css'

const say = texts.preview

const HEADS = [say.parcel, say.before, say.after, say.change]

type PricePreviewProps = {
  before: readonly PriceRange[]
  after: readonly PriceRange[]
  maxWeight: number
}

/** What a few parcels pay now and would pay with the ranges of the editor. */
export function PricePreview({ before, after, maxWeight }: PricePreviewProps) {
  return (
    <table className={styles.preview}>
      <caption>{say.title}</caption>
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
            <th scope="row">{say.pounds(one.pounds)}</th>
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
  dollars === null ? <span>{say.noPrice}</span> : <Money dollars={dollars} />

function PriceChange({ before, after }: { before: number | null; after: number | null }) {
  if (before === after) return <span className={styles.same}>{say.same}</span>
  if (before === null || after === null) return null
  return <Money signed dollars={Math.round((after - before) * 100) / 100} />
}
