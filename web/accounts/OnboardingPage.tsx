import { useEffect, useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { applyReferral } from '#contract/referrals.ts'
import { send } from '#web/client/send.ts'
import { startSession, useSession } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
import { SET_UP_PATH } from '#web/shell/route-guards.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { TextField } from '#web/ui/TextFields.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { texts } from './texts.ts'
import styles from './AuthLayout.module.css'

/** Time to read the confirmation. */
const APPLIED_NOTICE_MS = 1500
const NEXT_PATH = '/main/dashboard'

/** A referral code or none, then the dashboard. */
export function OnboardingPage() {
  const navigate = useNavigate()
  const secondFactorRequired = useSession(session => session.secondFactorRequired)
  const [code, setCode] = useState('')
  const { busy, refused, run } = useAction(texts.onboarding.failed)
  const [applied, setApplied] = useState<string | null>(null)
  const given = code.trim() !== ''
  const skip = () => void navigate(NEXT_PATH)

  useEffect(() => {
    if (applied === null) return
    const timer = setTimeout(() => void navigate(NEXT_PATH), APPLIED_NOTICE_MS)
    return () => clearTimeout(timer)
  }, [applied, navigate])

  const apply = async () => {
    const { token, user, message } = await send(applyReferral, {
      body: { referralCode: code.trim() },
    })
    startSession(token, user)
    setApplied(message || texts.onboarding.applied)
  }
  const submit = () => {
    if (!given) return skip()
    if (applied === null) return run(apply)
  }

  if (secondFactorRequired)
    return <Navigate to={SET_UP_PATH} replace state={{ from: '/onboarding' }} />
  return (
    <AuthLayout side="user" panel="next-steps" parcel={1} title={texts.onboarding.title}>
      <Form onSubmit={submit} className={styles.form}>
        <h2 className={styles.question}>{texts.onboarding.question}</h2>
        <TextField
          label={texts.onboarding.label}
          hideLabel
          placeholder={texts.onboarding.placeholder}
          description={texts.onboarding.hint}
          error={null}
          name="referralCode"
          autoComplete="off"
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
        />
        <ErrorLine>{refused}</ErrorLine>
        {applied && <Notice tone="green">{applied}</Notice>}
        <Button kind="ink" size="large" wide type="submit" busy={busy}>
          {given ? texts.onboarding.apply : texts.onboarding.skip}
        </Button>
        {given && (
          <Button kind="quiet" size="large" wide onClick={skip}>
            {texts.onboarding.skip}
          </Button>
        )}
      </Form>
    </AuthLayout>
  )
}
