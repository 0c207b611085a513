import { Refusal } from '#server/platform/http/refusal.ts'

/**
 * Concurrent pieces of costly work of one user, and of all users in this process. `waitingPerUser`
 * and `waitingTotal` more wait in line, for at most `patienceMs`.
 */
export type WorkLimits = {
  perUser: number
  total: number
  waitingPerUser: number
  waitingTotal: number
  patienceMs: number
}

/** `pause` gives the slot to others while the work waits for a slow reader; `resume` waits for one again. */
export type WorkSlot = { pause(): void; resume(): Promise<void>; release(): void }

export type WorkSlots = {
  /**
   * Waits for a slot. Of those who wait, the user with the least work is next. Throws Refusal:
   * 'too_many' if the user has too much work, 'unavailable' if others have all slots.
   */
  acquire(userId: number, hungUp?: AbortSignal): Promise<WorkSlot>
}

const RETRY_AFTER_SECONDS = 5

type Waiting = { userId: number; isResumed: boolean; start(): void }

/** `what` completes 'Too many … of yours are under way'. */
export function openWorkSlots(what: string, limits: WorkLimits): WorkSlots {
  const { perUser, total, waitingPerUser, waitingTotal, patienceMs } = limits
  const running = new Map<number, number>()
  let inUse = 0
  const line: Waiting[] = []

  const runningOf = (userId: number): number => running.get(userId) ?? 0
  const isBusy = (userId: number): boolean => runningOf(userId) >= perUser

  function refusal(userId: number): Refusal {
    return isBusy(userId)
      ? new Refusal(
          'too_many',
          `Too many ${what} of yours are under way. Please try again when one of them has ended.`,
          undefined,
          RETRY_AFTER_SECONDS,
        )
      : new Refusal(
          'unavailable',
          `Too many ${what} are under way right now. Please try again in a moment.`,
          undefined,
          RETRY_AFTER_SECONDS,
        )
  }

  function take(userId: number): void {
    inUse++
    running.set(userId, runningOf(userId) + 1)
  }

  function giveBack(userId: number): void {
    inUse--
    const left = runningOf(userId) - 1
    if (left === 0) running.delete(userId)
    else running.set(userId, left)
    startNext()
  }

  /** Work that has begun goes on before new work begins. */
  function startNext(): void {
    while (inUse < total) {
      let next: Waiting | undefined
      for (const one of line) {
        if (isBusy(one.userId)) continue
        if (!next || isBefore(one, next)) next = one
      }
      if (!next) return
      line.splice(line.indexOf(next), 1)
      take(next.userId)
      next.start()
    }
  }
  const isBefore = (one: Waiting, other: Waiting): boolean =>
    one.isResumed === other.isResumed
      ? runningOf(one.userId) < runningOf(other.userId)
      : one.isResumed

  function enterLine(userId: number, hungUp?: AbortSignal): Promise<void> {
    const ahead = line.filter(one => one.userId === userId && !one.isResumed).length
    if (ahead >= waitingPerUser || line.length >= waitingTotal)
      return Promise.reject(refusal(userId))
    return new Promise((started, refused) => {
      const leave = (): void => {
        const at = line.indexOf(waiting)
        if (at < 0) return
        line.splice(at, 1)
        clearTimeout(timer)
        refused(refusal(userId))
      }
      const timer = setTimeout(leave, patienceMs)
      hungUp?.addEventListener('abort', leave, { once: true })
      const waiting: Waiting = {
        userId,
        isResumed: false,
        start: () => {
          clearTimeout(timer)
          hungUp?.removeEventListener('abort', leave)
          started()
        },
      }
      line.push(waiting)
    })
  }

  return {
    async acquire(userId, hungUp) {
      if (hungUp?.aborted) throw refusal(userId)
      if (!isBusy(userId) && inUse < total) take(userId)
      else await enterLine(userId, hungUp)
      return createSlot(userId)
    },
  }

  function createSlot(userId: number): WorkSlot {
    let isHeld = true
    let isReleased = false
    const leave = (): void => {
      if (isHeld) giveBack(userId)
      isHeld = false
    }
    return {
      pause: leave,
      async resume() {
        if (isHeld || isReleased) return
        if (!isBusy(userId) && inUse < total) take(userId)
        else
          await new Promise<void>(start => {
            line.push({ userId, isResumed: true, start })
          })
        isHeld = true
        if (isReleased) leave()
      },
      release() {
        isReleased = true
        leave()
      },
    }
  }
}
