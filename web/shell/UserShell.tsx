/** The frame of /main: sidebar, header, page. */
import { Suspense, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { SkipLink } from '#web/ui/page-title.tsx'
import { useDesktop, usePhone } from '#web/ui/use-phone.ts'
import { Crash } from './Crash.tsx'
import { Header } from './Header.tsx'
import { Sidebar, SidebarDrawer } from './Sidebar.tsx'
import { texts } from './texts.ts'
import { titleOf } from './places.ts'
import styles from './UserShell.module.css'

export function UserShell() {
  const phone = usePhone()
  const desktop = useDesktop()
  const { pathname } = useLocation()
  // Until it is touched the sidebar follows the window: open from 1024 px, icons only below, put away on phones.
  const [wanted, setWanted] = useState<boolean | null>(null)
  const [drawerAt, setDrawerAt] = useState<string | null>(null)
  const open = phone ? drawerAt === pathname : wanted ?? desktop
  const toggle = () => (phone ? setDrawerAt(open ? null : pathname) : setWanted(!open))
  return (
    <div className={styles.shell} data-open={open || undefined}>
      <SkipLink />
      {phone ? <SidebarDrawer opened={open} onClose={() => setDrawerAt(null)} /> : <Sidebar open={open} />}
      <div className={styles.page}>
        <Header title={titleOf(pathname, texts.welcome)} sidebarOpen={open} onToggle={toggle} />
        <main id="content" tabIndex={-1} className={styles.content}>
          <Crash page key={pathname}><Suspense fallback={<PageLoader />}><Outlet /></Suspense></Crash>
        </main>
      </div>
    </div>
  )
}
