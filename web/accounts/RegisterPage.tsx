import { useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { register } from '#contract/accounts.ts'
import { formProblemsFrom } from '#web/client/form-problems.ts'
import { ApiError, send } from '#web/client/send.ts'
import { beginSession } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { PasswordField, TextField } from '#web/ui/TextFields.tsx'
import { Agreement } from './Agreement.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { FlatPrice } from './FlatPrice.tsx'
import { PasswordHint } from './PasswordHint.tsx'
import type { RegisterForm } from './register-form.ts'
import { registerErrorsFor, EMPTY_REGISTER_FORM, NO_REGISTER_ERRORS } from './register-form.ts'
import { texts } from './texts.ts'
import styles from './AuthLayout.module.css'

/** `?ref=` has a referral code; with one, onboarding is skipped. */
export function RegisterPage() {
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const referralCode = search.get('ref')?.trim() || undefined
  const [values, setValues] = useState(EMPTY_REGISTER_FORM)
  const [errors, setErrors] = useState(NO_REGISTER_ERRORS)
  const [busy, setBusy] = useState(false)
  const nameField = useRef<HTMLInputElement>(null)
  // The button goes with the code; without this the keyboard would start over at the top of the page.
  const removeCode = () => {
    setSearch({}, { replace: true })
    nameField.current?.focus()
  }

  const field = (name: keyof RegisterForm, label: string) => ({
    label,
    name,
    required: true,
    value: values[name],
    error: errors.fields[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [name]: event.currentTarget.value })
      setErrors({ ...errors, fields: { ...errors.fields, [name]: undefined } })
    },
  })

  const submit = async () => {
    const wrong = registerErrorsFor(values)
    setErrors(wrong ?? NO_REGISTER_ERRORS)
    if (wrong) return
    setBusy(true)
    try {
      const { token, user } = await send(register, { body: { ...values, referralCode } })
      await beginSession(token, user)
      await navigate(referralCode ? '/main/dashboard' : '/onboarding', { replace: true })
    } catch (reason) {
      const fallback =
        reason instanceof ApiError && reason.status > 0
          ? texts.register.failed
          : texts.register.broken
      setErrors(formProblemsFrom(reason, EMPTY_REGISTER_FORM, fallback))
    } finally {
      setBusy(false)
    }
  }

  return (
    <AuthLayout
      side="sign-in"
      panel="price"
      parcel={3}
      title={texts.register.title}
      foot={
        <>
          {texts.register.toLogin} <Link to="/login">{texts.register.login}</Link>
        </>
      }
    >
      <div className={styles.priceOnPhone}>
        <FlatPrice />
      </div>
      <p className={styles.explain}>{texts.register.lead}</p>
      <Form onSubmit={submit} className={styles.form}>
        {referralCode && (
          <div className={styles.code}>
            <span>{texts.register.invited(referralCode)}</span>
            <Button size="small" kind="quiet" onClick={removeCode}>
              {texts.register.withoutCode}
            </Button>
          </div>
        )}
        <TextField {...field('name', texts.name)} autoComplete="name" ref={nameField} />
        <TextField {...field('email', texts.email)} type="email" autoComplete="username" />
        <PasswordField
          {...field('password', texts.password)}
          autoComplete="new-password"
          description={<PasswordHint password={values.password} />}
        />
        <PasswordField
          {...field('confirmPassword', texts.confirmPassword)}
          autoComplete="new-password"
        />
        <ErrorLine>{errors.form}</ErrorLine>
        <Button kind="money" size="large" wide type="submit" busy={busy}>
          {texts.register.submit}
        </Button>
        <Agreement />
      </Form>
    </AuthLayout>
  )
}
