/** The frame of /admin: like that of /main, with an ink line on top as a reminder. */
import { useLocation } from 'react-router'
import { useIsDesktop } from '#web/ui/use-viewport.ts'
import { ADMIN_NAV_ITEMS, adminPageLayoutFor, adminPageTitleFor } from './admin-nav-items.ts'
import { Frame } from './Frame.tsx'
import { texts } from './texts.ts'

export function AdminShell() {
  const desktop = useIsDesktop()
  const { pathname } = useLocation()
  return (
    <Frame
      admin
      title={texts.admin}
      part={adminPageTitleFor(pathname) ?? texts.notFound}
      layout={adminPageLayoutFor(pathname)}
      home="/admin/dashboard"
      navItems={ADMIN_NAV_ITEMS}
      sidebarOverlaid={!desktop}
      initiallyOpen={desktop}
    />
  )
}
