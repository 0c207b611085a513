import { Refusal } from '#server/platform/http/refusal.ts'

/** Concurrent renderings, of one user and of this process. */
export type SlotLimits = { perUser: number; total: number }
const DEFAULT_LIMITS: SlotLimits = { perUser: 2, total: 8 }

const RETRY_AFTER_SECONDS = 5

export type DownloadSlots = {
  /**
   * Returns the release. Throws Refusal: 'too_many', or 'unavailable' if other users have all
   * slots.
   */
  acquire(userId: number): () => void
}

export function openDownloadSlots({ perUser, total }: SlotLimits = DEFAULT_LIMITS): DownloadSlots {
  const slots = new Map<number, number>()
  let inUse = 0
  return {
    acquire(userId) {
      const used = slots.get(userId) ?? 0
      if (used >= perUser) {
        throw new Refusal(
          'too_many',
          `${perUser} label files are already being created for you. Please wait until one of them is ready.`,
          undefined,
          RETRY_AFTER_SECONDS,
        )
      }
      if (inUse >= total) {
        throw new Refusal(
          'unavailable',
          'Many label files are being created right now. Please try again in a moment.',
          undefined,
          RETRY_AFTER_SECONDS,
        )
      }
      slots.set(userId, used + 1)
      inUse++
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        inUse--
        const left = slots.get(userId)! - 1
        if (left === 0) slots.delete(userId)
        else slots.set(userId, left)
      }
    },
  }
}
