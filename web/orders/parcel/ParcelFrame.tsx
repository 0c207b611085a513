import type { ReactNode } from 'react'
import { PRODUCT } from '#contract/product.ts'
import { cx } from '#web/ui/cx.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { PageTitle, SkipLink } from '#web/ui/page-title.tsx'
import { ThemeSwitch } from '#web/ui/ThemeSwitch.tsx'
import support from '#web/support/Support.module.css'
import styles from './Parcel.module.css'

/** The frame of pages for receivers, who have no account. */
export function ParcelFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={support.frame}>
      <SkipLink />
      <header className={cx(support.header, styles.header)}>
        <a href="/" className={support.home}>
          <Logo name={PRODUCT} />
        </a>
        <ThemeSwitch />
      </header>
      <main id="content" tabIndex={-1} className={styles.main}>
        <PageTitle title={title} product={PRODUCT} className={support.title} />
        {children}
      </main>
    </div>
  )
}
