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
  /** Without the public header, which shows on four pages only (specification, 2): the name alone stands above the title. */
  plain?: boolean
}

/** One column on paper; from 1024 px half a specimen peeks in from the right. */
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
