import type { ReactNode } from 'react'
import { PRODUCT } from '#contract/product.ts'
import { PublicHeader } from '#web/shell/PublicHeader.tsx'
import { SpecimenLabel } from '#web/shell/SpecimenLabel.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import styles from './AuthLayout.module.css'

/** One column on paper; from 1024 px half a specimen peeks in from the right. */
export function AuthLayout({ title, children, foot }: { title: string; children: ReactNode; foot?: ReactNode }) {
  return (
    <div className={styles.page}>
      <PublicHeader />
      <main id="content" tabIndex={-1} className={styles.main}>
        <div className={styles.column}>
          <PageTitle title={title} product={PRODUCT} className={styles.title} />
          {children}
          {foot && <p className={styles.foot}>{foot}</p>}
        </div>
      </main>
      <div className={styles.art} aria-hidden="true"><SpecimenLabel className={styles.label} /></div>
    </div>
  )
}
