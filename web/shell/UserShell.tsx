import { useLocation } from 'react-router'
import { useUser } from '#web/client/session.ts'
import { useIsDesktop, useIsPhone } from '#web/ui/use-viewport.ts'
import { Frame } from './Frame.tsx'
import { isVisibleTo, NAV_ITEMS, pageLayoutFor, pageTitleFor } from './nav-items.ts'
import { texts } from './texts.ts'

export function UserShell() {
  const phone = useIsPhone()
  const desktop = useIsDesktop()
  const { pathname } = useLocation()
  const { user_role } = useUser()
  return (
    <Frame
      title={pageTitleFor(pathname, texts.welcome)}
      layout={pageLayoutFor(pathname)}
      home="/main/dashboard"
      navItems={NAV_ITEMS.filter(isVisibleTo(user_role))}
      sidebarOverlaid={phone}
      initiallyOpen={desktop}
    />
  )
}
