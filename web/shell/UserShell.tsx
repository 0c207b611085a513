/** The frame of /main. */
import { useLocation } from 'react-router'
import { useUser } from '#web/client/session.ts'
import { useDesktop, usePhone } from '#web/ui/use-phone.ts'
import { Frame } from './Frame.tsx'
import { isFor, PLACES, titleOf } from './places.ts'
import { texts } from './texts.ts'

export function UserShell() {
  const phone = usePhone()
  const desktop = useDesktop()
  const { pathname } = useLocation()
  const { user_role } = useUser()
  return (
    <Frame
      title={titleOf(pathname, texts.welcome)}
      home="/main/dashboard"
      places={PLACES.filter(isFor(user_role))}
      overlaid={phone}
      openAtFirst={desktop}
    />
  )
}
