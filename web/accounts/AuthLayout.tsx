import type { ReactNode } from 'react'
import { PRODUCT } from '#contract/product.ts'
import { PublicHeader } from '#web/shell/PublicHeader.tsx'
import { SpecimenLabel } from '#web/shell/SpecimenLabel.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { readFlatPrice } from './flat-price.ts'
import { texts } from './texts.ts'
import styles from './AuthLayout.module.css'

type AuthLayoutProps = {
  title: string
  children: ReactNode
  foot?: ReactNode
  /** At the end of the header: the ways to sign in, which only four pages have; the user; or nothing. */
  side?: 'sign-in' | 'user' | 'none'
  /** The page says what is wrong: a torn label beside it, and no price. */
  isFault?: boolean
}

/** A column on the edge of the logo; from 768 px a panel with the price and half a specimen label beside it. */
export function AuthLayout({
  title,
  children,
  foot,
  side = 'none',
  isFault = false,
}: AuthLayoutProps) {
  return (
    <div className={styles.page}>
      <PublicHeader side={side} />
      <main id="content" tabIndex={-1} className={styles.main}>
        <div className={styles.column}>
          <PageTitle title={title} product={PRODUCT} className={styles.title} />
          {children}
          {foot && <p className={styles.foot}>{foot}</p>}
        </div>
      </main>
      {isFault ? (
        <div className={styles.art} data-fault>
          <SpecimenLabel className={styles.label} />
        </div>
      ) : (
        <aside className={styles.art} aria-label={texts.proof.name}>
          <Proof />
          <SpecimenLabel className={styles.label} />
        </aside>
      )}
    </div>
  )
}

/** In a page that the build renders, the server fills in the price (contract/page-template.ts). */
function Proof() {
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
    <p className={styles.proof}>
      <strong>{texts.proof.price(price)}</strong>
      <span>{texts.proof.weights(heaviest)}</span>
    </p>
  )
}
