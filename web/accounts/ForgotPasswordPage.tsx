import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { forgotPassword } from '#contract/accounts.ts'
import { send } from '#web/client/send.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { TextField } from '#web/ui/TextFields.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { texts } from './texts.ts'
import styles from './AuthLayout.module.css'

/** The response does not tell whether the address has an account. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState<string | null>(null)
  const { busy, errors, refused, clearError, run } = useAction(texts.forgot.failed, { email: true })
  const field = useRef<HTMLInputElement>(null)
  const askAgain = () => {
    setSent(null)
    requestAnimationFrame(() => field.current?.focus())
  }

  const given = email.trim()
  const submit = () =>
    run(
      async () => setSent((await send(forgotPassword, { body: { email: given } })).message),
      given ? {} : { email: texts.required(texts.email) },
    )

  const foot = (
    <>
      {texts.forgot.toLogin} <Link to="/login">{texts.forgot.login}</Link>
    </>
  )
  if (sent) {
    return (
      <AuthLayout
        title={texts.forgot.title}
        foot={foot}
        headline={texts.forgot.headline}
        parcel={5}
      >
        <Notice tone="green" takesFocus>
          {sent}
        </Notice>
        <p className={styles.explain}>{texts.forgot.elsewhere}</p>
        <Button size="large" wide onClick={askAgain}>
          {texts.forgot.other}
        </Button>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={texts.forgot.title} foot={foot} headline={texts.forgot.headline} parcel={5}>
      <p className={styles.explain}>{texts.forgot.explain}</p>
      <Form onSubmit={submit} className={styles.form}>
        <TextField
          ref={field}
          label={texts.email}
          error={errors.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onChange={event => {
            setEmail(event.currentTarget.value)
            clearError('email')
          }}
        />
        <ErrorLine>{refused}</ErrorLine>
        <Button kind="ink" size="large" wide type="submit" busy={busy}>
          {texts.forgot.submit}
        </Button>
      </Form>
    </AuthLayout>
  )
}
