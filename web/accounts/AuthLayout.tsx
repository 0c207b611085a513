import type { ReactNode } from 'react'
import { PRODUCT } from '#contract/product.ts'
import { PublicHeader } from '#web/shell/PublicHeader.tsx'
import { SpecimenLabel } from '#web/shell/SpecimenLabel.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { PageTitle, SkipLink } from '#web/ui/page-title.tsx'
import styles from './AuthLayout.module.css'

type AuthLayoutProps = {
  title: string
  children: ReactNode
  foot?: ReactNode
  /** The logo above the title instead of the public header, which only four pages have. */
  plain?: boolean
}

/** One column; from 1024 px with half a specimen label on the right. */
export function AuthLayout({ title, children, foot, plain = false }: AuthLayoutProps) {
  return (
    <div className={styles.page}>
      {plain ? <SkipLink /> : <PublicHeader />}
      <main id="content" tabIndex={-1} className={styles.main}>
        <div className={styles.column}>
          {plain && (
            <a href="/" className={styles.home}>
              <Logo name={PRODUCT} />
            </a>
          )}
          <PageTitle title={title} product={PRODUCT} className={styles.title} />
          {children}
          {foot && <p className={styles.foot}>{foot}</p>}
        </div>
      </main>
      <div className={styles.art} aria-hidden="true">
        <SpecimenLabel className={styles.label} />
      </div>
    </div>
  )
}
