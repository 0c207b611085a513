import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import { askSeen, seenSummary } from './seen.ts'
import type { SeenBefore } from './seen.ts'

/**
 * `seen`: rows of the table that already have a label, null while there is nothing to decide.
 * `allowRepeats`: the user chose to buy them again; `repeats`: so many at most, or any number after the
 * server refused.
 */
export type SeenState = {
  seen: SeenBefore | null
  allowRepeats: boolean
  repeats: number | undefined
  keep: () => void
  /** After the rows were left out. */
  dismiss: () => void
  /** Asks again, after a submit was refused with `already_bought`. False if no answer came. */
  askAgain: () => Promise<boolean>
}

/**
 * Asks the server once for each table that was read from files, pasted, or opened from failed rows.
 * Without an answer submit asks it, of files.
 */
export function useSeenBefore(userId: string): SeenState {
  const key = useBulk(({ draft }) => `${draft.key}/${draft.files.map(file => file.sha256).join()}`)
  const rows = useBulk(({ draft }) => draft.rows)
  const [answer, setAnswer] = useState<SeenBefore | null>(null)
  const [keeps, setKeeps] = useState(false)
  const asked = useRef('')
  const ask = useCallback(
    async (refused: boolean) => {
      const { draft } = useBulk.getState()
      try {
        const seen = await askSeen(userId, draft)
        if (useBulk.getState().draft.key !== draft.key) return false
        setAnswer(refused ? { ...seen, refused } : seen)
        setKeeps(false)
        return true
      } catch {
        return false
      }
    },
    [userId],
  )
  useEffect(() => {
    if (asked.current === key) return
    asked.current = key
    setAnswer(null)
    setKeeps(false)
    // oxlint-disable-next-line react/set-state-in-effect -- the answer comes later
    if (useBulk.getState().draft.rows.length > 0) void ask(false)
  }, [key, ask])
  const count = useMemo(() => (answer ? seenSummary(answer, rows).count : 0), [answer, rows])
  const isOpen = answer !== null && (answer.refused || count > 0)
  return {
    seen: isOpen && !keeps ? answer : null,
    allowRepeats: keeps,
    repeats: answer?.refused ? undefined : count,
    keep: () => setKeeps(true),
    dismiss: () => setAnswer(null),
    askAgain: () => ask(true),
  }
}
