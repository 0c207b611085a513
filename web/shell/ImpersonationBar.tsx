import { IconUserShield } from '@tabler/icons-react'
import { useEffect } from 'react'
import { clearImpersonationEnd, leaveImpersonation, useSession } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { notifyPage } from '#web/ui/toasts.ts'
import { leaveOrAsk } from '#web/ui/use-unsaved-changes-guard.ts'
import { texts } from './texts.ts'
import styles from './ImpersonationBar.module.css'

/**
 * Shown on every page while an administrator is signed in as a user. `onBack` runs when the administrator's own session is
 * restored: `requested` by the button, or because the sign-in as the user has `ended`, which a notice says.
 */
export function ImpersonationBar({ onBack }: { onBack: (reason: 'requested' | 'ended') => void }) {
  const { user, impersonator, impersonationEnd } = useSession()
  useEffect(() => {
    if (impersonationEnd) onBack(impersonationEnd.reason)
    // Once per return.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [impersonationEnd])
  useEffect(() => {
    if (!impersonationEnd || !user) return
    if (impersonationEnd.reason === 'ended')
      notifyPage('yellow', texts.impersonation.ended(impersonationEnd.from))
    clearImpersonationEnd()
  }, [impersonationEnd, user])
  if (!impersonator || !user) return null
  return (
    <aside className={styles.bar} aria-label={texts.impersonation.name}>
      <IconUserShield aria-hidden="true" className={styles.icon} />
      <p className={styles.text}>
        <span className={styles.as}>{texts.impersonation.as}</span>{' '}
        <span className={styles.name}>{user.name}</span>
        <span className={styles.email}>{texts.impersonation.email(user.email)}</span>
      </p>
      <Button size="small" className={styles.button} onClick={() => leaveOrAsk(leaveImpersonation)}>
        {texts.impersonation.back}
      </Button>
    </aside>
  )
}
