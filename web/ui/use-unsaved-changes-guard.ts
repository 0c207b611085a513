import { useEffect, useState } from 'react'

type LeaveRequest = { leave: () => void; stay: () => void }
type Guard = (request: LeaveRequest) => void

/** Forms with unsaved changes, the topmost last. */
const guards: Guard[] = []

export const hasUnsavedChanges = (): boolean => guards.length > 0

/**
 * Runs `leave` at once when nothing is unsaved. Otherwise the topmost form asks first: `leave` runs when the user discards the
 * changes of every form, `stay` when they keep editing.
 */
export function leaveOrAsk(leave: () => void, stay: () => void = () => {}): void {
  const topmost = guards.at(-1)
  if (topmost) topmost({ leave: () => leaveOrAsk(leave, stay), stay })
  else leave()
}

/**
 * While `changed`, this form is asked before its changes are lost: by `leaveOrAsk`, and so by Back, links and navigate()
 * (web/routes.tsx). Closing or reloading the window shows the browser's own question. Render a confirmation while `asking`;
 * `discard` and `keep` are its answers. `onDiscard` drops the draft.
 */
export function useUnsavedChangesGuard(changed: boolean, onDiscard: () => void = () => {}) {
  const [request, setRequest] = useState<LeaveRequest | null>(null)
  useEffect(() => {
    if (!changed) return
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    guards.push(setRequest)
    window.addEventListener('beforeunload', preventUnload)
    return () => {
      removeGuard(setRequest)
      window.removeEventListener('beforeunload', preventUnload)
    }
  }, [changed])
  return {
    asking: request !== null,
    discard: () => {
      setRequest(null)
      removeGuard(setRequest)
      onDiscard()
      request?.leave()
    },
    keep: () => {
      setRequest(null)
      request?.stay()
    },
    /** Runs `leave` at once, or after the question when this form has changes. Other forms are not asked. */
    leaveOrAsk: (leave: () => void) => (changed ? setRequest({ leave, stay: () => {} }) : leave()),
  }
}

export type UnsavedChangesGuard = ReturnType<typeof useUnsavedChangesGuard>

function removeGuard(guard: Guard): void {
  const at = guards.indexOf(guard)
  if (at >= 0) guards.splice(at, 1)
}
