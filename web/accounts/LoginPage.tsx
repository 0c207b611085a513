import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { login } from '#contract/accounts.ts'
import { messageOf, send } from '#web/client/send.ts'
import { startSession, useSession } from '#web/client/session.ts'
import type { SignInReturnState } from '#web/shell/route-guards.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { PasswordField, TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { texts } from './texts.ts'
import styles from './AuthLayout.module.css'

/** Success leads to the dashboard, or back to the page that required the sign-in. */
export function LoginPage() {
  const { user, state, endReason } = useSession()
  const ended = state === 'ended' || endReason === 'expired'
  const navigate = useNavigate()
  const back = (useLocation().state as SignInReturnState)?.from ?? '/main/dashboard'
  const [values, setValues] = useState({ email: '', password: '' })
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({})
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const set = (name: keyof typeof values) => (event: { currentTarget: { value: string } }) => {
    setValues({ ...values, [name]: event.currentTarget.value })
    setErrors({ ...errors, [name]: undefined })
  }

  const submit = async () => {
    const missing = {
      email: values.email.trim() ? undefined : texts.required(texts.email),
      password: values.password ? undefined : texts.required(texts.password),
    }
    setErrors(missing)
    setRefused(null)
    if (missing.email || missing.password) return
    setBusy(true)
    try {
      const answer = await send(login, {
        body: { email: values.email.trim(), password: values.password },
      })
      if (!('token' in answer)) return
      startSession(answer.token, answer.user)
      await navigate(back, { replace: true })
    } catch (reason) {
      setRefused(messageOf(reason, texts.login.failed))
    } finally {
      setBusy(false)
    }
  }

  return (
    <AuthLayout
      title={texts.login.title}
      foot={
        <>
          {texts.login.toRegister} <Link to="/register">{texts.login.register}</Link>
        </>
      }
    >
      {ended && <Notice tone="yellow">{texts.login.ended}</Notice>}
      {user && !ended && !busy && (
        <Notice tone="neutral" action={<Link to="/main/dashboard">{texts.login.proceed}</Link>}>
          {texts.login.signedInAs(user.name)}
        </Notice>
      )}
      <Form onSubmit={submit} className={styles.form}>
        <TextField
          label={texts.email}
          error={errors.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={values.email}
          onChange={set('email')}
        />
        <PasswordField
          label={texts.password}
          error={errors.password}
          name="password"
          autoComplete="current-password"
          required
          value={values.password}
          onChange={set('password')}
        />
        <Link to="/forgot-password" className={styles.forgot}>
          {texts.login.forgot}
        </Link>
        <ErrorLine>{refused}</ErrorLine>
        <Button kind="ink" size="large" wide type="submit" busy={busy}>
          {busy ? texts.login.busy : texts.login.submit}
        </Button>
      </Form>
    </AuthLayout>
  )
}
