import { useState } from 'react'
import { Link } from 'react-router'
import { resetPassword } from '#contract/accounts.ts'
import { fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { checkSession } from '#web/client/session.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { PasswordField } from '#web/ui/TextFields.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { PasswordHint } from './PasswordHint.tsx'
import { resetErrorsFor, NO_RESET_ERRORS } from './reset-form.ts'
import type { ResetForm } from './reset-form.ts'
import { texts } from './texts.ts'
import { useMailedToken } from './use-mailed-token.ts'
import type { MailedToken } from './use-mailed-token.ts'
import styles from './AuthLayout.module.css'

/** Links to a new password lead here, and invitations with other words. */
export function ResetPasswordPage() {
  const link = useMailedToken()
  return <NewPassword key={link.token} {...link} />
}

function NewPassword({ token, invited }: MailedToken) {
  const t = invited ? texts.invitation : texts.reset
  const [values, setValues] = useState<ResetForm>({ password: '', confirmPassword: '' })
  const [errors, setErrors] = useState(NO_RESET_ERRORS)
  const [refused, setRefused] = useState<string | null>(null)
  const [dead, setDead] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const field = (name: keyof ResetForm, label: string) => ({
    label,
    name,
    required: true,
    value: values[name],
    error: errors[name],
    autoComplete: 'new-password',
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [name]: event.currentTarget.value })
      setErrors({ ...errors, [name]: undefined })
    },
  })

  const submit = async () => {
    const wrong = resetErrorsFor(values, t.password)
    setErrors(wrong)
    if (wrong.password || wrong.confirmPassword) return
    setRefused(null)
    setBusy(true)
    try {
      const { message } = await send(resetPassword, { body: { token, password: values.password } })
      setDone(invited ? texts.invitation.done : message)
      // A reset ends every session, perhaps one of this browser.
      void checkSession().catch(() => {})
    } catch (reason) {
      const told = fieldErrorsOf(reason)
      const ended = 'token' in told
      setDead(ended)
      if (told.password && !ended) setErrors({ password: told.password })
      else
        setRefused(ended && invited ? texts.invitation.dead : messageOf(reason, texts.reset.failed))
    } finally {
      setBusy(false)
    }
  }

  const toLogin = (
    <>
      {invited ? texts.invitation.toLogin : texts.reset.toLogin}{' '}
      <Link to="/login">{texts.reset.login}</Link>
    </>
  )
  const request = (
    <ButtonLink to="/forgot-password" kind="ink" size="large" wide>
      {texts.reset.requestNew}
    </ButtonLink>
  )
  if (done) {
    return (
      <AuthLayout title={t.title} headline={t.headline} parcel={6}>
        <Notice tone="green" takesFocus>
          {done}
        </Notice>
        <ButtonLink to="/login" kind="ink" size="large" wide>
          {texts.reset.login}
        </ButtonLink>
      </AuthLayout>
    )
  }
  if (token === '') {
    return (
      <AuthLayout
        title={texts.reset.incompleteTitle}
        foot={toLogin}
        panel="torn"
        headline={texts.reset.incompleteHeadline}
        parcel={4}
      >
        <p className={styles.explain} role="alert">
          {texts.reset.incomplete}
        </p>
        {request}
      </AuthLayout>
    )
  }
  if (dead) {
    return (
      <AuthLayout
        title={t.title}
        foot={toLogin}
        panel="torn"
        headline={texts.reset.deadHeadline}
        parcel={4}
      >
        <ErrorLine>{refused}</ErrorLine>
        {invited ? <p className={styles.explain}>{texts.invitation.askAgain}</p> : request}
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t.title} foot={toLogin} headline={t.headline} parcel={6}>
      <p className={styles.explain}>{t.explain}</p>
      <Form onSubmit={submit} className={styles.form}>
        <PasswordField
          {...field('password', t.password)}
          description={<PasswordHint password={values.password} />}
        />
        <PasswordField {...field('confirmPassword', texts.confirmPassword)} />
        <ErrorLine>{refused}</ErrorLine>
        <Button kind="ink" size="large" wide type="submit" busy={busy}>
          {t.submit}
        </Button>
      </Form>
    </AuthLayout>
  )
}
