import { useMergedRef } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { NavLink, useLocation } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { useSession } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { fadeAtEdges } from '#web/ui/fade-at-edges.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { PageTitle, SkipLink } from '#web/ui/page-title.tsx'
import { ThemeSwitch } from '#web/ui/ThemeSwitch.tsx'
import { texts } from './texts.ts'
import styles from './Support.module.css'

/** The frame of pages that visitors and customers read alike, with links between them. */
export function PublicFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <SkipLink />
      <header className={styles.header}>
        <a href="/" className={styles.home}>
          <Logo name={PRODUCT} />
        </a>
        <span className={styles.links}>
          <ThemeSwitch />
          <WayBack />
        </span>
      </header>
      <div className={styles.columns}>
        <PageLinks />
        <main id="content" tabIndex={-1} className={styles.main}>
          <PageTitle title={title} product={PRODUCT} className={styles.title} />
          {children}
        </main>
      </div>
    </div>
  )
}

/** Nothing while a remembered session is checked. */
function WayBack() {
  const { user, state } = useSession()
  if (user) return <ButtonLink to="/main/dashboard">{texts.dashboard}</ButtonLink>
  if (state === 'checking') return null
  return (
    <>
      <ButtonLink to="/login" kind="quiet">
        {texts.login}
      </ButtonLink>
      <ButtonLink to="/register">{texts.register}</ButtonLink>
    </>
  )
}

function PageLinks() {
  const pages = usePublicSettings().data?.support.pages ?? []
  const { pathname } = useLocation()
  const links = useRef<HTMLElement>(null)
  const box = useMergedRef(fadeAtEdges, links)
  // On a phone the current page's link may be beyond the edge.
  useEffect(() => {
    const current = links.current?.querySelector<HTMLElement>('[aria-current]')
    if (current && links.current)
      links.current.scrollLeft =
        current.offsetLeft - (links.current.clientWidth - current.offsetWidth) / 2
  }, [pathname, pages.length])
  return (
    <nav ref={box} className={styles.nav} aria-label={texts.pages}>
      {pages.map(({ slug, title }) => (
        <NavLink key={slug} to={`/${slug}`}>
          {title}
        </NavLink>
      ))}
      <NavLink to="/contact">{texts.contact}</NavLink>
    </nav>
  )
}
