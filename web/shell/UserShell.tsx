import { useLocation } from 'react-router'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { useSession } from '#web/client/session.ts'
import { useIsDesktop, useIsPhone } from '#web/ui/use-viewport.ts'
import { Frame } from './Frame.tsx'
import { navItemsFor, pageLayoutFor, pageTitleFor } from './nav-items.ts'
import { texts } from './texts.ts'

export function UserShell() {
  const phone = useIsPhone()
  const desktop = useIsDesktop()
  const { pathname } = useLocation()
  const role = useSession(session => session.user?.user_role ?? 'user')
  const settings = usePublicSettings()
  return (
    <Frame
      title={pageTitleFor(pathname, texts.welcome)}
      layout={pageLayoutFor(pathname)}
      home="/main/dashboard"
      navItems={navItemsFor(role, settings.data?.modalDemo ?? true)}
      sidebarOverlaid={phone}
      initiallyOpen={desktop}
    />
  )
}
