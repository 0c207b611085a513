import { usePublicSettings } from '#web/client/public-settings.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { texts } from './texts.ts'

/** Nothing where the operator has hidden Help. */
export function HelpLink() {
  const hasHelp = usePublicSettings().data?.support.pages.some(({ slug }) => slug === 'help')
  return hasHelp ? <ButtonLink to="/help">{texts.toHelp}</ButtonLink> : null
}
