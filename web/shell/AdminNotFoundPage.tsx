import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LostLabel } from './LostLabel.tsx'
import { texts } from './texts.ts'
import styles from './NotFound.module.css'

/** For unknown paths below /admin. */
export function AdminNotFoundPage() {
  const home = (
    <ButtonLink to="/admin/dashboard" kind="ink">
      {texts.toAdminDashboard}
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
