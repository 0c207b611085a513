import { IconUserShield } from '@tabler/icons-react'
import { useEffect } from 'react'
import { clearImpersonationEnd, leaveImpersonation, useSession } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { notifyPage } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'
import styles from './ImpersonationBar.module.css'

/**
 * Stands over every page while an administrator is signed in as somebody else, with the way out. `onBack` is called once he is
 * himself again, or about to be: by his own wish or because the sign-in has ended, which is said here.
 */
export function ImpersonationBar({ onBack }: { onBack: (why: 'wish' | 'ended') => void }) {
  const { user, impersonator, impersonationEnd } = useSession()
  useEffect(() => {
    if (impersonationEnd) onBack(impersonationEnd.why)
    // Once for each time he comes back.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [impersonationEnd])
  useEffect(() => {
    if (!impersonationEnd || !user) return
    if (impersonationEnd.why === 'ended')
      notifyPage('yellow', texts.acting.ended(impersonationEnd.from))
    clearImpersonationEnd()
  }, [impersonationEnd, user])
  if (!impersonator || !user) return null
  return (
    <aside className={styles.bar} aria-label={texts.acting.name}>
      <IconUserShield aria-hidden="true" className={styles.icon} />
      <p className={styles.text}>{texts.acting.as(user.name, user.email)}</p>
      <Button size="small" className={styles.button} onClick={leaveImpersonation}>
        {texts.acting.back}
      </Button>
    </aside>
  )
}
