import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { PagesFooter, usePublicPages } from '#web/shell/PagesFooter.tsx'
import { PublicHeader } from '#web/shell/PublicHeader.tsx'
import { keepCurrentInRow } from '#web/ui/fade-at-edges.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { texts } from './texts.ts'
import styles from './Support.module.css'

/** `wide`: as wide as the page; otherwise as wide as text reads well. */
type PublicFrameProps = { title: string; wide?: boolean; children: ReactNode }

/** The frame of pages that visitors and customers read alike, with links between them. */
export function PublicFrame({ title, wide, children }: PublicFrameProps) {
  return (
    <div className={styles.frame}>
      <PublicHeader side="dashboard" />
      <div className={styles.columns}>
        <PageLinks />
        <main id="content" tabIndex={-1} className={styles.main} data-wide={wide || undefined}>
          <PageTitle title={title} product={PRODUCT} className={styles.title} />
          {children}
        </main>
      </div>
      <PagesFooter />
    </div>
  )
}

const PageLinks = () => (
  <nav ref={keepCurrentInRow} className={styles.nav} aria-label={texts.pages}>
    {usePublicPages().map(({ path, title }) => (
      <NavLink key={path} to={path}>
        {title}
      </NavLink>
    ))}
  </nav>
)
