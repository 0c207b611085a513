import type { SecondFactorAsked, User } from '#contract/accounts.ts'
import { loginSecond } from '#contract/second-factor.ts'
import { ApiError, fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { FactorForm } from './FactorForm.tsx'
import { texts } from './texts.ts'

const t = texts.second

type SecondStepProps = {
  email: string
  asked: SecondFactorAsked
  onSignedIn: (token: string, user: User) => Promise<void>
  /** To the first step; with a sentence when the server requires it. */
  onBack: (message: string | null) => void
  layout: 'page' | 'dialog'
}

/** The second step of a sign-in, after the password. */
export function SecondStep({ email, asked, onSignedIn, onBack, layout }: SecondStepProps) {
  const { challenge, methods, passkeyOptions } = asked
  return (
    <FactorForm
      methods={methods}
      email={email}
      submitText={t.submit}
      busyText={t.busy}
      failedText={t.failed}
      layout={layout}
      passkeyOptions={async () => passkeyOptions}
      give={async given => {
        try {
          const { token, user } = await send(loginSecond, { body: { challenge, ...given } })
          await onSignedIn(token, user)
        } catch (reason) {
          if (!isExpired(reason)) throw reason
          onBack(messageOf(reason, t.expired))
        }
      }}
      leave={
        <Button kind="quiet" size="large" wide={layout === 'page'} onClick={() => onBack(null)}>
          {t.back}
        </Button>
      }
    />
  )
}

/** A wrong code is told at its field; any other 401 is about the challenge. */
const isExpired = (reason: unknown): boolean =>
  reason instanceof ApiError
  && reason.status === 401
  && Object.keys(fieldErrorsOf(reason)).length === 0
