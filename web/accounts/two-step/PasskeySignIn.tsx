import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import type { User } from '#contract/accounts.ts'
import { passkeyLogin, passkeyLoginOptions } from '#contract/second-factor.ts'
import { messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { passkeyErrorText, passkeyObstacle, signWithPasskey } from './passkeys.ts'
import { texts } from './texts.ts'
import styles from './TwoStep.module.css'

const t = texts.signIn

/** Signs in by a passkey alone. Nothing where this browser has none. */
export function PasskeySignIn({
  onSignedIn,
}: {
  onSignedIn: (token: string, user: User) => Promise<void>
}) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  if (passkeyObstacle() !== null) return null

  const signIn = async () => {
    setBusy(true)
    setRefused(null)
    try {
      const { challenge, options } = await send(passkeyLoginOptions, {})
      const response = await signWithPasskey(options)
      const { token, user } = await send(passkeyLogin, { body: { challenge, response } })
      await onSignedIn(token, user)
    } catch (reason) {
      setRefused(passkeyErrorText(reason) ?? messageOf(reason, texts.second.failed))
      setBusy(false)
    }
  }

  return (
    <div className={styles.form}>
      <p className={styles.or}>{t.or}</p>
      <Button size="large" wide icon={<IconKey aria-hidden="true" />} busy={busy} onClick={signIn}>
        {t.passkey}
      </Button>
      <ErrorLine>{refused}</ErrorLine>
    </div>
  )
}
