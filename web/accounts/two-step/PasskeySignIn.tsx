import { IconKey } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { PasskeyAssertion } from '#contract/passkeys.ts'
import { passkeyLogin, passkeyLoginOptions } from '#contract/second-factor.ts'
import { messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import {
  passkeyErrorText,
  passkeyFromSuggestions,
  passkeyObstacle,
  signWithPasskey,
} from './passkeys.ts'
import { texts } from './texts.ts'
import styles from './TwoStep.module.css'

const t = texts.signIn

/** After a refusal, such as an expired one, the browser suggests again, but not forever. */
const MAX_SUGGESTIONS = 3

/** Signs in by a passkey alone, by the button or by a suggestion of the email field. Nothing where this browser has none. */
export function PasskeySignIn({
  onSignedIn,
}: {
  onSignedIn: (token: string, user: User) => Promise<void>
}) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  // The build assumes passkeys; web/early-forms.js hides them where there are none.
  const possible = !useHydrated() || passkeyObstacle() === null

  const finish = async (challenge: string, response: PasskeyAssertion) => {
    const { token, user } = await send(passkeyLogin, { body: { challenge, response } })
    await onSignedIn(token, user)
  }
  const tell = (reason: unknown) => {
    setRefused(passkeyErrorText(reason) ?? messageOf(reason, texts.second.failed))
    setBusy(false)
  }
  const signIn = async () => {
    setBusy(true)
    setRefused(null)
    try {
      const { challenge, options } = await send(passkeyLoginOptions, {})
      await finish(challenge, await signWithPasskey(options))
    } catch (reason) {
      tell(reason)
    }
  }
  const pick = useEffectEvent(async (challenge: string, response: PasskeyAssertion) => {
    try {
      await finish(challenge, response)
      return true
    } catch (reason) {
      tell(reason)
      return false
    }
  })
  useEffect(() => {
    if (!possible) return
    const leaving = new AbortController()
    void offerSuggestions(pick, leaving.signal)
    return () => leaving.abort()
  }, [possible])

  if (!possible) return null
  return (
    <div className={cx(styles.form, styles.passkeys)}>
      <p className={styles.or}>{t.or}</p>
      <Button size="large" wide icon={<IconKey aria-hidden="true" />} busy={busy} onClick={signIn}>
        {t.passkey}
      </Button>
      <ErrorLine>{refused}</ErrorLine>
    </div>
  )
}

type PickSuggestion = (challenge: string, response: PasskeyAssertion) => Promise<boolean>

/** Lets the browser suggest passkeys in the email field until `pick` succeeds. */
async function offerSuggestions(pick: PickSuggestion, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < MAX_SUGGESTIONS && !signal.aborted; round += 1) {
    let challenge = ''
    const begin = async () => {
      const begun = await send(passkeyLoginOptions, {}, { signal })
      challenge = begun.challenge
      return begun.options
    }
    // Without an answer of the server there are no suggestions; the button says why.
    const response = await passkeyFromSuggestions(begin, signal).catch(() => null)
    if (!response || (await pick(challenge, response))) return
  }
}
