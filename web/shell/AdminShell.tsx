/** The frame of /admin: the same as /main's, with an ink line on top, so that one always knows. */
import { useLocation } from 'react-router'
import { useDesktop } from '#web/ui/use-phone.ts'
import { ADMIN_PLACES, adminPlaceOf } from './admin-places.ts'
import { Frame } from './Frame.tsx'
import { texts } from './texts.ts'

export function AdminShell() {
  const desktop = useDesktop()
  const { pathname } = useLocation()
  return (
    <Frame
      admin
      title={texts.admin}
      part={adminPlaceOf(pathname) ?? texts.notFound}
      home="/admin/dashboard"
      places={ADMIN_PLACES}
      overlaid={!desktop}
      openAtFirst={desktop}
    />
  )
}
