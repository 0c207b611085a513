/** The page of the stop link of a mail. It asks for a click: programs that scan mailboxes open links. */
import { useState } from 'react'
import { stopParcelMails } from '#contract/parcel-pages.ts'
import { useMailedToken } from '#web/accounts/use-mailed-token.ts'
import { messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { HomeLink } from './HomeLink.tsx'
import { ParcelFrame } from './ParcelFrame.tsx'
import { texts } from './texts.ts'
import styles from './Parcel.module.css'

const t = texts.stop

export function StopMailsPage() {
  const { token } = useMailedToken()
  return <StopMails key={token} token={token} />
}

function StopMails({ token }: { token: string }) {
  const [done, setDone] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(token ? null : t.incomplete)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    setRefused(null)
    setBusy(true)
    try {
      setDone((await send(stopParcelMails, { body: { token } })).message)
    } catch (reason) {
      setRefused(messageOf(reason, t.failed))
    } finally {
      setBusy(false)
    }
  }
  if (done)
    return (
      <ParcelFrame title={t.title}>
        <Notice tone="green" takesFocus>
          {done}
        </Notice>
        <HomeLink />
      </ParcelFrame>
    )
  return (
    <ParcelFrame title={t.title}>
      {token && <p>{t.explain}</p>}
      <ErrorLine>{refused}</ErrorLine>
      {!token && <HomeLink />}
      {token && (
        <Button
          kind="ink"
          size="large"
          className={styles.button}
          busy={busy}
          onClick={() => void submit()}
        >
          {t.submit}
        </Button>
      )}
    </ParcelFrame>
  )
}
