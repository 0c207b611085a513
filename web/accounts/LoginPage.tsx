import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { login } from '#contract/accounts.ts'
import type { SecondFactorAsked, User } from '#contract/accounts.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { beginSession, useSession } from '#web/client/session.ts'
import { contactPath } from '#web/shell/contact-path.ts'
import type { SignInReturnState } from '#web/shell/route-guards.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { PasswordField, TextField } from '#web/ui/TextFields.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { texts } from './texts.ts'
import { PasskeySignIn } from './two-step/PasskeySignIn.tsx'
import { SecondStep } from './two-step/SecondStep.tsx'
import styles from './AuthLayout.module.css'

/** Success leads to the dashboard, or back to the page that required the sign-in. */
export function LoginPage() {
  const { user, state, endReason } = useSession()
  const ended = state === 'ended' || endReason === 'expired'
  const navigate = useNavigate()
  const back = (useLocation().state as SignInReturnState)?.from ?? '/main/dashboard'
  const [email, setEmail] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const [second, setSecond] = useState<SecondFactorAsked | null>(null)
  const [entering, setEntering] = useState(false)
  const showsSignedIn = useNoticeAboveForm(user !== null && !ended && !entering)

  const enter = async (token: string, arrived: User) => {
    setEntering(true)
    await beginSession(token, arrived)
    await navigate(back, { replace: true })
  }

  if (second) {
    return (
      <AuthLayout side="sign-in" title={texts.login.title}>
        <SecondStep
          layout="page"
          email={email}
          asked={second}
          onSignedIn={enter}
          onBack={message => {
            setRefused(message)
            setSecond(null)
          }}
        />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      side="sign-in"
      panel="price"
      title={texts.login.title}
      foot={
        <>
          {texts.login.toRegister} <Link to="/register">{texts.login.register}</Link>
        </>
      }
    >
      {ended && <Notice tone="yellow">{texts.login.ended}</Notice>}
      {user && showsSignedIn && (
        <Notice tone="neutral" action={<Link to="/main/dashboard">{texts.login.proceed}</Link>}>
          {texts.login.signedInAs(user.name)}
        </Notice>
      )}
      <FirstStep
        {...{ email, setEmail, refused, setRefused }}
        onSignedIn={enter}
        onSecond={setSecond}
      />
      <PasskeySignIn onSignedIn={enter} />
    </AuthLayout>
  )
}

const hasTypedText = (): boolean =>
  [...document.querySelectorAll('input')].some(({ value }) => value !== '')

/**
 * Whether a notice above the form is shown. It moves the form, and a click whose button moves between press and release is lost, so it
 * does not appear once something is typed. Asked in a timer: text that was typed before the application loaded is in the fields by then.
 */
function useNoticeAboveForm(isDue: boolean): boolean {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => setShown(!hasTypedText()))
    return () => clearTimeout(timer)
  }, [isDue])
  return isDue && isShown
}

type FirstStepProps = {
  email: string
  setEmail: (email: string) => void
  refused: string | null
  setRefused: (message: string | null) => void
  onSignedIn: (token: string, user: User) => Promise<void>
  onSecond: (asked: SecondFactorAsked) => void
}

function FirstStep(props: FirstStepProps) {
  const { email, setEmail, refused, setRefused, onSignedIn, onSecond } = props
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({})
  const [blocked, setBlocked] = useState(false)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    const missing = {
      email: email.trim() ? undefined : texts.required(texts.email),
      password: password ? undefined : texts.required(texts.password),
    }
    setErrors(missing)
    setRefused(null)
    setBlocked(false)
    if (missing.email || missing.password) return
    setBusy(true)
    try {
      const answer = await send(login, { body: { email: email.trim(), password } })
      if ('token' in answer) await onSignedIn(answer.token, answer.user)
      else onSecond(answer)
    } catch (reason) {
      setRefused(messageOf(reason, texts.login.failed))
      setBlocked(reason instanceof ApiError && reason.status === 403)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Form onSubmit={submit} className={styles.form}>
      <TextField
        label={texts.email}
        error={errors.email}
        type="email"
        name="email"
        autoComplete="username webauthn"
        required
        value={email}
        onChange={event => {
          setEmail(event.currentTarget.value)
          setErrors({ ...errors, email: undefined })
        }}
      />
      <div className={styles.password}>
        <PasswordField
          label={texts.password}
          error={errors.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={event => {
            setPassword(event.currentTarget.value)
            setErrors({ ...errors, password: undefined })
          }}
        />
        <Link to="/forgot-password" className={styles.forgot}>
          {texts.login.forgot}
        </Link>
      </div>
      <ErrorLine>{refused}</ErrorLine>
      {blocked && (
        <Link to={contactPath({ topic: 'account', subject: texts.login.blockedSubject })}>
          {texts.login.contact}
        </Link>
      )}
      <Button kind="ink" size="large" wide type="submit" busy={busy}>
        {busy ? texts.login.busy : texts.login.submit}
      </Button>
    </Form>
  )
}
