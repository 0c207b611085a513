import { useRef, useState } from 'react'

type DialogState<Subject extends object> = {
  opened: Subject | null
  open: (next: Subject) => void
  /** Closes this one, and returns true; false when it is closed already, or another one is open. */
  close: (one: Subject) => boolean
}

/**
 * What a page's dialog is about; null while none is open. The answer to a save may come after its dialog was closed, and must not close
 * the next one, in which something is typed.
 */
export function useOpened<Subject extends object>(): DialogState<Subject> {
  const [opened, setOpened] = useState<Subject | null>(null)
  /** As `opened`, also for answers that belong to an earlier render. */
  const latest = useRef<Subject | null>(null)
  const show = (next: Subject | null) => {
    latest.current = next
    setOpened(next)
  }
  const close = (one: Subject): boolean => {
    if (latest.current !== one) return false
    show(null)
    return true
  }
  return { opened, open: show, close }
}
