import { ButtonLink } from '#web/ui/Button.tsx'
import { HelpLink } from './HelpLink.tsx'
import { LabelNotice } from './LabelNotice.tsx'
import { useLostLabel } from './LostLabel.tsx'
import { NAV_ITEMS } from './nav-items.ts'
import { PageLinks } from './PageLinks.tsx'
import { texts } from './texts.ts'

const COMMON_PATHS = ['/main/order-label', '/main/bulk-order', '/main/orders', '/main/deposit']
const COMMON_PAGES = NAV_ITEMS.filter(({ path }) => COMMON_PATHS.includes(path))

/** For unknown paths below /main. On phones the sidebar is closed. */
export function WelcomePage() {
  const ways = (
    <>
      <ButtonLink to="/main/dashboard" kind="ink">
        {texts.toDashboard}
      </ButtonLink>
      <HelpLink />
    </>
  )
  return (
    <LabelNotice
      picture={{ ...useLostLabel(), ...texts.welcomeLabel }}
      title={texts.whereTo}
      text={texts.noSuchPage}
      action={ways}
    >
      <PageLinks links={COMMON_PAGES} />
    </LabelNotice>
  )
}
