import { Refusal } from '#server/platform/http/refusal.ts'

/** Files that are made while they are read, at one time: of one person, and of all in this process. */
export type SlotLimits = { perUser: number; total: number }
const DEFAULT_LIMITS: SlotLimits = { perUser: 2, total: 8 }

/** How soon (s) it makes sense to ask again. */
const RETRY_AFTER_SECONDS = 5

export type DownloadSlots = {
  /** Takes a turn; the answer gives it back. Throws Refusal 'too_many', or 'unavailable' when others have all turns. */
  acquire(userId: number): () => void
}

/** Keeps one person, and all of them together, from filling the machine with files that are being made. */
export function openDownloadSlots({ perUser, total }: SlotLimits = DEFAULT_LIMITS): DownloadSlots {
  const taken = new Map<number, number>()
  let inUse = 0
  return {
    acquire(userId) {
      const his = taken.get(userId) ?? 0
      if (his >= perUser) {
        throw new Refusal(
          'too_many',
          `${perUser} files of labels are being made for you already. Please wait until one of them is there.`,
          undefined,
          RETRY_AFTER_SECONDS,
        )
      }
      if (inUse >= total) {
        throw new Refusal(
          'unavailable',
          'Many files of labels are being made at the moment. Please try again in a moment.',
          undefined,
          RETRY_AFTER_SECONDS,
        )
      }
      taken.set(userId, his + 1)
      inUse++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        inUse--
        const left = taken.get(userId)! - 1
        if (left === 0) taken.delete(userId)
        else taken.set(userId, left)
      }
    },
  }
}
