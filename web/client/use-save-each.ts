/** Saves several rows of a form, each by a call of its own. */
import { useState } from 'react'
import { toastSuccess } from '#web/ui/toasts.ts'
import { ApiError, fieldErrorsOf, messageOf } from './send.ts'

type SaveEachTexts = { saved: string; notSaved: string }

/** `problems`: why a row was not saved, by its id. `onConflict`: another user has changed a row since. */
export function useSaveEach(texts: SaveEachTexts, onConflict: (id: string) => void) {
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  return {
    problems,
    busy,
    forgetProblems: () => setProblems({}),
    /** One row after the other; the others are saved when one fails. `save` throws ApiError. */
    saveEach: async <Row>(
      rows: readonly (readonly [id: string, Row])[],
      save: (row: Row) => Promise<void>,
    ) => {
      if (rows.length === 0) return
      setBusy(true)
      const failed: Record<string, string> = {}
      for (const [id, row] of rows) {
        try {
          await save(row)
        } catch (reason) {
          failed[id] = Object.values(fieldErrorsOf(reason))[0] ?? messageOf(reason, texts.notSaved)
          if (reason instanceof ApiError && reason.status === 409) onConflict(id)
        }
      }
      setProblems(failed)
      setBusy(false)
      if (Object.keys(failed).length === 0) toastSuccess(texts.saved)
    },
  }
}
