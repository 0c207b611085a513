import { ButtonLink } from '#web/ui/Button.tsx'
import { LabelNotice } from './LabelNotice.tsx'
import { useLostLabel } from './LostLabel.tsx'
import { texts } from './texts.ts'

/** For unknown paths below /admin. */
export function AdminNotFoundPage() {
  const home = (
    <ButtonLink to="/admin/dashboard" kind="ink">
      {texts.toAdminDashboard}
    </ButtonLink>
  )
  return (
    <LabelNotice
      picture={useLostLabel()}
      title={texts.nothingHere}
      text={texts.nothingHereText}
      action={home}
    />
  )
}
