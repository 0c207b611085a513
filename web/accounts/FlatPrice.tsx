import { readFlatPrice } from './flat-price.ts'
import { texts } from './texts.ts'
import styles from './AuthLayout.module.css'

/** In a page that the build renders, the server fills in the price (contract/page-template.ts). */
export function FlatPrice() {
  if (import.meta.env.SSR)
    return (
      <>
        {'{{#flat}}'}
        <FlatPriceText price="{{price}}" heaviest="{{heaviest}}" />
        {'{{/flat}}'}
      </>
    )
  const flat = readFlatPrice()
  return flat && <FlatPriceText price={flat.price} heaviest={String(flat.heaviestLb)} />
}

/** The price of every weight that the catalogue sells for it. */
function FlatPriceText({ price, heaviest }: { price: string; heaviest: string }) {
  return (
    <p className={styles.headline}>
      <strong>{texts.proof.price(price)}</strong>
      <span>{texts.proof.weights(heaviest)}</span>
    </p>
  )
}
