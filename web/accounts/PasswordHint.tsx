import { IconCheck } from '@tabler/icons-react'
import { PASSWORD_MIN } from '#contract/accounts.ts'
import { texts } from './texts.ts'
import styles from './AuthLayout.module.css'

/** The rule of a new password, with a tick once it is kept. */
export function PasswordHint({ password }: { password: string }) {
  const isMet = password.length >= PASSWORD_MIN
  return (
    <span className={styles.met} data-met={isMet || undefined}>
      {isMet && <IconCheck aria-hidden="true" />}
      {texts.register.passwordHint(PASSWORD_MIN)}
    </span>
  )
}
