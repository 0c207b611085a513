import { Refusal } from '#server/platform/refusal.ts'

/** Files that are made while they are read, at one time: of one person, and of all in this process. */
export type MostTurns = { each: number; all: number }
const MOST: MostTurns = { each: 2, all: 8 }

/** How soon (s) it makes sense to ask again. */
const RETRY_AFTER = 5

export type Turns = {
  /** Takes a turn; the answer gives it back. Throws Refusal 'too_many', or 'unavailable' when others have all turns. */
  take(userId: number): () => void
}

/** Keeps one person, and all of them together, from filling the machine with files that are being made. */
export function openTurns({ each, all }: MostTurns = MOST): Turns {
  const taken = new Map<number, number>()
  let total = 0
  return {
    take(userId) {
      const his = taken.get(userId) ?? 0
      if (his >= each) {
        throw new Refusal(
          'too_many',
          `${each} files of labels are being made for you already. Please wait until one of them is there.`,
          undefined,
          RETRY_AFTER,
        )
      }
      if (total >= all) {
        throw new Refusal(
          'unavailable',
          'Many files of labels are being made at the moment. Please try again in a moment.',
          undefined,
          RETRY_AFTER,
        )
      }
      taken.set(userId, his + 1)
      total++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        total--
        const left = taken.get(userId)! - 1
        if (left === 0) taken.delete(userId)
        else taken.set(userId, left)
      }
    },
  }
}
