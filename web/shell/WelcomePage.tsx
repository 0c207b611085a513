import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LostLabel } from './LostLabel.tsx'
import { texts } from './texts.ts'
import styles from './NotFound.module.css'

/** For unknown paths below /main. The sidebar beside it leads to the pages that exist. */
export function WelcomePage() {
  const home = (
    <ButtonLink to="/main/dashboard" kind="ink">
      {texts.toDashboard}
    </ButtonLink>
  )
  return (
    <div className={styles.inFrame}>
      <LostLabel />
      <EmptyState
        heading="h2"
        title={texts.nothingHere}
        text={texts.nothingHereText}
        action={home}
      />
    </div>
  )
}
