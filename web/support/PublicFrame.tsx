import type { ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { CommunityLink, PublicFooter } from '#web/shell/PublicFooter.tsx'
import { PublicHeader } from '#web/shell/PublicHeader.tsx'
import { keepCurrentInRow } from '#web/ui/fade-at-edges.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { texts } from './texts.ts'
import styles from './Support.module.css'

const YEAR = String(new Date().getFullYear())

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

/** The operator's pages, and the one to write to support. */
function usePages(): { path: string; title: string }[] {
  const pages = usePublicSettings().data?.support.pages ?? []
  return [
    ...pages.map(({ slug, title }) => ({ path: `/${slug}`, title })),
    { path: '/contact', title: texts.contact },
  ]
}

const PageLinks = () => (
  <nav ref={keepCurrentInRow} className={styles.nav} aria-label={texts.pages}>
    {usePages().map(({ path, title }) => (
      <NavLink key={path} to={path}>
        {title}
      </NavLink>
    ))}
  </nav>
)

/** With links to the operator's pages. */
export function PagesFooter() {
  const communityUrl = usePublicSettings().data?.communityUrl
  return (
    <PublicFooter year={YEAR}>
      {usePages().map(({ path, title }) => (
        <Link key={path} to={path}>
          {title}
        </Link>
      ))}
      {communityUrl && <CommunityLink href={communityUrl} />}
    </PublicFooter>
  )
}
