/** The page of the stop link of a mail. It asks for a click: programs that scan mailboxes open links. */
import { useState } from 'react'
import { stopParcelMails } from '#contract/parcel-pages.ts'
import { useMailedToken } from '#web/accounts/use-mailed-token.ts'
import { send } from '#web/client/send.ts'
import { useAction } from '#web/client/use-action.ts'
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
  const { busy, refused, run } = useAction(t.failed)
  const stop = async () => setDone((await send(stopParcelMails, { body: { token } })).message)
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
      <ErrorLine>{token ? refused : t.incomplete}</ErrorLine>
      {!token && <HomeLink />}
      {token && (
        <Button
          kind="ink"
          size="large"
          className={styles.button}
          busy={busy}
          onClick={() => run(stop)}
        >
          {t.submit}
        </Button>
      )}
    </ParcelFrame>
  )
}
