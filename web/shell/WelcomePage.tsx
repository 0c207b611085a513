import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/ListTable.tsx'
import { texts } from './texts.ts'

/** A path of the user area that is none. */
export function WelcomePage() {
  const back = <ButtonLink to="/main/dashboard" kind="ink">{texts.toDashboard}</ButtonLink>
  return <Empty heading="h2" title={texts.nothingHere} action={back} />
}
