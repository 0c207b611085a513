/** Why purchases are stopped, since when, and a button to resume. */
import { useState } from 'react'
import { retryCarrier } from '#contract/carriers.ts'
import { messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { TaskGroup } from './TaskGroup.tsx'
import { texts } from './texts.ts'
import { useRefreshAll } from './use-dashboard.ts'

const t = texts.work

export function CarrierAccountTask({
  problem: { cause, account, reason, since },
  onDone,
}: {
  problem: { cause: 'carrier' | 'losses'; account: string; reason: string; since: string }
  onDone: () => void
}) {
  const refresh = useRefreshAll()
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    try {
      // The account that is shown: by now another one may be the first that waits.
      toastSuccess((await send(retryCarrier, { query: { account } })).message)
      onDone()
    } catch (error) {
      toastError(messageOf(error, t.retryFailed))
    } finally {
      await refresh()
      setBusy(false)
    }
  }
  return (
    <TaskGroup
      title={cause === 'losses' ? t.lossPause : t.account}
      since={since}
      text={cause === 'losses' ? t.lossPauseText(reason) : t.accountText(reason)}
    >
      <Button size="small" busy={busy} onClick={retry}>
        {cause === 'losses' ? t.resume : t.retryNow}
      </Button>
    </TaskGroup>
  )
}
