/** What to do on a server that was promoted in the place of the one before. */

/** Of a process that ran on the server before, as the promoted one has it. */
export type ComparedMark = {
  /** Its last beat was confirmed by a standby. */
  isSynchronous: boolean
  /** The process found there all that it knows to be committed; null: it has not compared yet. */
  isComplete: boolean | null
  /** Null: it has not compared yet. */
  lostMs: number | null
  /** It had stopped counting before the others did: theirs are proof for all that it had committed. */
  isStale: boolean
}

export type Decision = 'continue' | 'restore' | 'wait'

/**
 * To continue as after a crash takes two proofs: commits were confirmed by a standby, and each process that ran
 * found all of its own. `isPatienceOver`: processes that have not compared yet are taken for lost.
 */
export function decideOn(marks: readonly ComparedMark[], isPatienceOver: boolean): Decision {
  const running = marks.filter(({ isStale }) => !isStale)
  const compared = running.filter(({ isComplete }) => isComplete !== null)
  if (running.length === 0 || compared.some(({ isComplete }) => isComplete === false))
    return 'restore'
  // A process that compares tells how much may be missing.
  if (running.some(({ isSynchronous }) => !isSynchronous))
    return compared.length > 0 || isPatienceOver ? 'restore' : 'wait'
  if (compared.length === running.length) return 'continue'
  return isPatienceOver ? 'restore' : 'wait'
}

/** For how long commits may be missing at most; null: unknown. */
export function longestLoss(marks: readonly ComparedMark[]): number | null {
  const known = marks.flatMap(({ lostMs }) => lostMs ?? [])
  return known.length === 0 ? null : Math.max(...known)
}

/** `system/timeline/database/table`, as restore-state.ts writes it: only the timeline is another, and later. */
export function isPromotion(before: string, now: string): boolean {
  const [a, b] = [before.split('/'), now.split('/')]
  return a.length === b.length && a.every((part, at) => (at === 1 ? part < b[at]! : part === b[at]))
}
