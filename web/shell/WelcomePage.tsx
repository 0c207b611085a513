import { ButtonLink } from '#web/ui/Button.tsx'
import { HelpLink } from './HelpLink.tsx'
import { LabelNotice } from './LabelNotice.tsx'
import { useLostLabel } from './LostLabel.tsx'
import { texts } from './texts.ts'

/** For unknown paths below /main. The sidebar beside it leads to the pages that exist. */
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
      picture={useLostLabel()}
      title={texts.notFound}
      text={texts.nothingHereText}
      action={ways}
    />
  )
}
