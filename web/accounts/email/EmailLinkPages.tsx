/**
 * The pages of mailed links. Each asks for a click: programs that open the links of a mailbox prove
 * nothing.
 */
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Link } from 'react-router'
import { undoEmailChange, verifyEmail } from '#contract/email-ownership.ts'
import { AuthLayout } from '#web/accounts/AuthLayout.tsx'
import { useMailedToken } from '#web/accounts/use-mailed-token.ts'
import { fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { checkSession, useSession } from '#web/client/session.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { texts } from './texts.ts'
import styles from '#web/accounts/AuthLayout.module.css'

export function VerifyEmailPage() {
  const signedIn = useSession(session => session.user !== null)
  return (
    <EmailLinkPage
      call={verifyEmail}
      words={texts.verify}
      help={texts.verify.help}
      next={signedIn ? '/main/account' : '/login'}
    />
  )
}

export function UndoEmailChangePage() {
  const help = (
    <>
      {texts.undo.help} <Link to="/contact">{texts.undo.askSupport}</Link>.
    </>
  )
  return <EmailLinkPage call={undoEmailChange} words={texts.undo} help={help} next="/login" />
}

type EmailLinkPageProps = {
  call: typeof verifyEmail | typeof undoEmailChange
  words: Omit<typeof texts.verify, 'help'>
  /** Shown below a link that no longer works. */
  help: ReactNode
  next: string
}

function EmailLinkPage(props: EmailLinkPageProps) {
  const { token } = useMailedToken()
  return <OneEmailLink key={token} {...props} token={token} />
}

function OneEmailLink({ call, words, help, next, token }: EmailLinkPageProps & { token: string }) {
  const queryClient = useQueryClient()
  const [done, setDone] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(token ? null : texts.incomplete)
  const [dead, setDead] = useState(token === '')
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    setRefused(null)
    setBusy(true)
    try {
      setDone((await send(call, { body: { token } })).message)
      // The address may be another one now, and sessions may have ended.
      await checkSession().catch(() => {})
      void queryClient.invalidateQueries()
    } catch (reason) {
      const ended = 'token' in fieldErrorsOf(reason)
      setDead(ended)
      setRefused(ended ? texts.dead : messageOf(reason, texts.failed))
    } finally {
      setBusy(false)
    }
  }

  if (done || dead) {
    return (
      <AuthLayout title={words.title} foot={dead && help} panel={dead ? 'torn' : 'label'}>
        {done ? (
          <Notice tone="green" takesFocus>
            {done}
          </Notice>
        ) : (
          <ErrorLine>{refused}</ErrorLine>
        )}
        <ButtonLink to={next} kind="ink" size="large" wide>
          {words.proceed}
        </ButtonLink>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={words.title}>
      <p className={styles.explain}>{words.explain}</p>
      <ErrorLine>{refused}</ErrorLine>
      <Button kind="ink" size="large" wide busy={busy} onClick={() => void submit()}>
        {words.submit}
      </Button>
    </AuthLayout>
  )
}
