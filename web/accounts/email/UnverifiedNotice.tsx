import { useState } from 'react'
import { Link } from 'react-router'
import { resendVerification } from '#contract/email-ownership.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { texts } from './texts.ts'
import { useEmailStatus } from './use-email-status.ts'
import styles from './Email.module.css'

const t = texts.notice

/** `sentTo`: null where the address stands above. */
const textOf = (needed: boolean, sentTo: string | null): string =>
  sentTo === null && !needed
    ? t.sentToVerify
    : `${needed ? t.needed : t.optional} ${sentTo === null ? t.sent : t.sentTo(sentTo)}`

/** Shown until the address is verified. `onAccount`: it and the button to change it are above. */
export function UnverifiedNotice({ onAccount = false }: { onAccount?: boolean }) {
  const { _id: userId, email } = useUser()
  const { status, refresh } = useEmailStatus()
  const [busy, setBusy] = useState(false)
  // Said in the notice: a toast would cover it on wide screens.
  const [answer, setAnswer] = useState<string | null>(null)
  if (!status || status.verified) return null

  const resend = async () => {
    setBusy(true)
    try {
      setAnswer((await send(resendVerification, { params: { userId } })).message)
      await refresh()
    } catch (reason) {
      setAnswer(messageOf(reason, texts.failed))
    } finally {
      setBusy(false)
    }
  }

  // The one open task of the account page; elsewhere only if something waits for it.
  const isLoud = onAccount || status.needed
  const isInk = isLoud && !onAccount
  return (
    <Notice
      tone={isLoud ? 'yellow' : 'neutral'}
      wideAction={onAccount}
      action={
        <Button
          size="small"
          kind={isInk ? 'ink' : 'outline'}
          className={isInk ? styles.resend : undefined}
          busy={busy}
          onClick={() => void resend()}
        >
          {t.resend}
        </Button>
      }
    >
      {answer ?? textOf(status.needed, onAccount ? null : email)}
      {!onAccount && (
        <>
          {' '}
          {t.wrong} <Link to="/main/account">{t.change}</Link>
        </>
      )}
    </Notice>
  )
}
