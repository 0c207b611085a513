/** The button of a task: busy until the page shows what came of it. */
import { useState } from 'react'
import { messageOf } from '#web/client/send.ts'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { useRefreshAll } from './use-dashboard.ts'

/** `busy`: which of the task's buttons is. */
export function useTaskAction<Name extends string>(onDone: () => void) {
  const refresh = useRefreshAll()
  const [busy, setBusy] = useState<Name | null>(null)
  const run = async (name: Name, work: Promise<{ message: string }>, failed: string) => {
    setBusy(name)
    try {
      toastSuccess((await work).message)
      await refresh()
      onDone()
    } catch (reason) {
      toastError(messageOf(reason, failed))
      await refresh()
    } finally {
      setBusy(null)
    }
  }
  return { busy, run }
}
