/** The frame of /main and /admin: sidebar, header, page. While the token is checked, a loader is in place of the page. */
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useSession } from '#web/client/session.ts'
import { SkipLink } from '#web/ui/page-title.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { Header } from './Header.tsx'
import type { NavItem, PageLayout } from './nav-items.ts'
import { Sidebar, SidebarDrawer } from './Sidebar.tsx'
import styles from './Frame.module.css'

type FrameProps = {
  /** The h1. */
  title: string
  /** Name of the page where all pages share the title. */
  part?: string
  layout: PageLayout
  /** The path of the logo's link. */
  home: string
  navItems: readonly NavItem[]
  /** In narrow windows the sidebar opens over the page. */
  sidebarOverlaid: boolean
  /** Until the user toggles it: open with words, or collapsed to icons. */
  initiallyOpen: boolean
  admin?: boolean
}

export function Frame({
  title,
  part,
  layout,
  home,
  navItems,
  sidebarOverlaid,
  initiallyOpen,
  admin = false,
}: FrameProps) {
  const { pathname } = useLocation()
  const signedIn = useSession(session => session.user !== null)
  const [chosenOpen, setChosenOpen] = useState<boolean | null>(null)
  const [drawerPath, setDrawerPath] = useState<string | null>(null)
  const open = sidebarOverlaid ? drawerPath === pathname : (chosenOpen ?? initiallyOpen)
  const toggle = () =>
    sidebarOverlaid ? setDrawerPath(open ? null : pathname) : setChosenOpen(!open)
  return (
    <div className={styles.shell} data-open={open || undefined}>
      {admin && <div className={styles.inkLine} aria-hidden="true" />}
      <SkipLink />
      {sidebarOverlaid ? (
        <SidebarDrawer
          opened={open}
          onClose={() => setDrawerPath(null)}
          home={home}
          navItems={navItems}
        />
      ) : (
        <Sidebar open={open} home={home} navItems={navItems} />
      )}
      <div className={styles.page} data-layout={layout}>
        <Header title={title} part={part} sidebar={{ open, toggle }} withBalance={!admin} />
        <main id="content" tabIndex={-1} className={styles.content}>
          {/* Keyed, so that the loader shows at once instead of the previous page. */}
          <Suspense key={pathname} fallback={<PageLoader />}>
            {signedIn ? <Outlet /> : <PageLoader />}
          </Suspense>
        </main>
      </div>
    </div>
  )
}

/** The frame without ways to other pages. */
export function BareFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.shell}>
      <SkipLink />
      <div className={styles.page}>
        <Header title={title} withBalance={false} />
        <main id="content" tabIndex={-1} className={styles.content}>
          {children}
        </main>
      </div>
    </div>
  )
}
