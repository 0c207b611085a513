import { useState } from 'react'
import { useNavigate } from 'react-router'
import { login } from '#contract/accounts.ts'
import type { SecondFactorAsked } from '#contract/accounts.ts'
import { messageOf, send } from '#web/client/send.ts'
import { beginSession, discardExpiredSession, useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { PasswordField, TextField } from '#web/ui/TextFields.tsx'
import { texts } from './texts.ts'
import { SecondStep } from './two-step/SecondStep.tsx'
import styles from './SignInAgain.module.css'

// Escape here must not close a dialog of the page below.
const KEEP_ESCAPE_INSIDE = { 'data-mantine-stop-propagation': 'true' }

/** A dialog over the page when its session has ended. The page keeps what was typed, and pending calls continue afterwards. */
export function SignInAgain() {
  const { email } = useUser()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [second, setSecond] = useState<SecondFactorAsked | null>(null)

  const submit = async () => {
    setRefused(null)
    setError(password ? null : texts.required(texts.password))
    if (!password) return
    setBusy(true)
    try {
      const answer = await send(login, { body: { email, password } })
      if ('token' in answer) return await beginSession(answer.token, answer.user)
      setSecond(answer)
    } catch (reason) {
      setRefused(messageOf(reason, texts.login.failed))
    }
    setBusy(false)
  }

  const leave = () => {
    discardExpiredSession()
    void navigate('/login', { replace: true })
  }

  return (
    <Dialog
      opened
      onClose={() => {}}
      title={texts.login.ended}
      size="small"
      closeButton={false}
      closeDisabledReason={texts.ended.required}
    >
      <p className={styles.kept}>{texts.ended.draftsKept}</p>
      {second ? (
        <SecondStep
          layout="dialog"
          email={email}
          asked={second}
          onSignedIn={beginSession}
          onBack={message => {
            setRefused(message)
            setSecond(null)
          }}
        />
      ) : (
        <Form onSubmit={submit} className={styles.form}>
          <TextField
            {...KEEP_ESCAPE_INSIDE}
            label={texts.email}
            error={null}
            type="email"
            name="email"
            autoComplete="username"
            readOnly
            value={email}
          />
          <PasswordField
            {...KEEP_ESCAPE_INSIDE}
            label={texts.password}
            error={error}
            name="password"
            autoComplete="current-password"
            required
            data-autofocus
            value={password}
            onChange={event => {
              setPassword(event.currentTarget.value)
              setError(null)
            }}
          />
          <ErrorLine>{refused}</ErrorLine>
          <div className={styles.buttons}>
            <Button {...KEEP_ESCAPE_INSIDE} kind="quiet" size="large" onClick={leave}>
              {texts.ended.otherUser}
            </Button>
            <Button {...KEEP_ESCAPE_INSIDE} kind="ink" size="large" type="submit" busy={busy}>
              {busy ? texts.login.busy : texts.login.submit}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  )
}
