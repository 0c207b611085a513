/** Sidebar, header, page: what /main and /admin have in common. */
import { Suspense, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { SkipLink } from '#web/ui/page-title.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { Crash } from './Crash.tsx'
import { Header } from './Header.tsx'
import type { Place } from './places.ts'
import { Sidebar, SidebarDrawer } from './Sidebar.tsx'
import styles from './Frame.module.css'

type FrameProps = {
  /** The h1. */
  title: string
  /** Which page it is where the title is the same for all. */
  part?: string
  /** Where the logo leads. */
  home: string
  places: readonly Place[]
  /** The window is so narrow that the sidebar lies over the page, and is put away until it is wanted. */
  overlaid: boolean
  /** Otherwise: until it is touched, open with words or icons only. */
  openAtFirst: boolean
  admin?: boolean
}

export function Frame({
  title,
  part,
  home,
  places,
  overlaid,
  openAtFirst,
  admin = false,
}: FrameProps) {
  const { pathname } = useLocation()
  const [wanted, setWanted] = useState<boolean | null>(null)
  const [drawerAt, setDrawerAt] = useState<string | null>(null)
  const open = overlaid ? drawerAt === pathname : (wanted ?? openAtFirst)
  const toggle = () => (overlaid ? setDrawerAt(open ? null : pathname) : setWanted(!open))
  return (
    <div className={styles.shell} data-open={open || undefined}>
      {admin && <div className={styles.inkLine} aria-hidden="true" />}
      <SkipLink />
      {overlaid ? (
        <SidebarDrawer
          opened={open}
          onClose={() => setDrawerAt(null)}
          home={home}
          places={places}
          narrow={admin}
        />
      ) : (
        <Sidebar open={open} home={home} places={places} />
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
          <Crash page key={pathname}>
            <Suspense fallback={<PageLoader />}>
              <Outlet />
            </Suspense>
          </Crash>
        </main>
      </div>
    </div>
  )
}
