/** Bulk orders whose files could not be made, each with the button that has them made now. */
import { useState } from 'react'
import type { FilesProblem } from '#contract/admin.ts'
import { filesProblems, remakeFiles } from '#contract/admin.ts'
import { messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { SIZE, Task, Tasks } from './Tasks.tsx'
import { texts as all } from './texts.ts'
import { useRefresh } from './use-dashboard.ts'

const texts = all.work

const load = async (page: number, signal: AbortSignal) =>
  (await send(filesProblems, { query: { page, limit: SIZE } }, { signal })).batches

export function Files({ total, onDone }: { total: number; onDone: () => void }) {
  return (
    <Tasks
      kind="files"
      title={texts.files(total)}
      total={total}
      load={load}
      failed={texts.filesFailed}
    >
      {batch => <Batch key={batch.batchId} batch={batch} onDone={onDone} />}
    </Tasks>
  )
}

function Batch({
  batch: { batchId, user, totalCount, problem, since },
  onDone,
}: {
  batch: FilesProblem
  onDone: () => void
}) {
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      toastSuccess((await send(remakeFiles, { params: { batchId } })).message)
      await refresh()
      onDone()
    } catch (reason) {
      toastError(messageOf(reason, texts.notMade))
      await refresh()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Task
      title={texts.batch(batchId)}
      user={user}
      detail={texts.without(totalCount, problem)}
      at={since}
      action={
        <Button size="small" busy={busy} aria-label={texts.makeAgainOf(batchId)} onClick={make}>
          {texts.makeAgain}
        </Button>
      }
    />
  )
}
