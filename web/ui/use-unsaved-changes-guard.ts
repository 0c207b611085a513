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
  if (topmost) topmost({ leave, stay })
  else leave()
}

/**
 * While `changed`, the form must be asked before its changes are lost: by `leaveOrAsk`, and by the router (web/routes.tsx).
 * Closing or reloading the window shows the browser's own question. Render a confirmation while `asking`. `onDiscard` drops the
 * draft.
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
      // A form below may have unsaved changes too.
      if (request) leaveOrAsk(request.leave, request.stay)
    },
    keep: () => {
      setRequest(null)
      request?.stay()
    },
  }
}

function removeGuard(guard: Guard): void {
  const at = guards.indexOf(guard)
  if (at >= 0) guards.splice(at, 1)
}
