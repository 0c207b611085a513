/** Sidebar, header, page: what /main and /admin have in common. */
import { Suspense, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { SkipLink } from '#web/ui/page-title.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Header } from './Header.tsx'
import type { NavItem } from './nav-items.ts'
import { Sidebar, SidebarDrawer } from './Sidebar.tsx'
import styles from './Frame.module.css'

type FrameProps = {
  /** The h1. */
  title: string
  /** Which page it is where the title is the same for all. */
  part?: string
  /** Where the logo leads. */
  home: string
  navItems: readonly NavItem[]
  /** The window is so narrow that the sidebar lies over the page, and is put away until it is wanted. */
  sidebarOverlaid: boolean
  /** Otherwise: until it is touched, open with words or icons only. */
  initiallyOpen: boolean
  admin?: boolean
}

export function Frame({
  title,
  part,
  home,
  navItems,
  sidebarOverlaid,
  initiallyOpen,
  admin = false,
}: FrameProps) {
  const { pathname } = useLocation()
  const [wanted, setWanted] = useState<boolean | null>(null)
  const [drawerAt, setDrawerAt] = useState<string | null>(null)
  const open = sidebarOverlaid ? drawerAt === pathname : (wanted ?? initiallyOpen)
  const toggle = () => (sidebarOverlaid ? setDrawerAt(open ? null : pathname) : setWanted(!open))
  return (
    <div className={styles.shell} data-open={open || undefined}>
      {admin && <div className={styles.inkLine} aria-hidden="true" />}
      <SkipLink />
      {sidebarOverlaid ? (
        <SidebarDrawer
          opened={open}
          onClose={() => setDrawerAt(null)}
          home={home}
          navItems={navItems}
          narrow={admin}
        />
      ) : (
        <Sidebar open={open} home={home} navItems={navItems} />
      )}
      <div className={styles.page}>
        <Header
          title={title}
          part={part}
          sidebarOpen={open}
          onToggle={toggle}
          withBalance={!admin}
        />
        <main id="content" tabIndex={-1} className={styles.content}>
          <ErrorBoundary insideFrame key={pathname}>
            <Suspense fallback={<PageLoader />}>
              <Outlet />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
    </div>
  )
}
