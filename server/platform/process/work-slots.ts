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

export type WorkSlot = {
  /** Gives the slot to others while the work waits for a slow reader. */
  pause(): void
  /** Waits for a slot again. */
  resume(): Promise<void>
  release(): void
  /** Gives the slot to others during `wait`, such as a call of a carrier. */
  pausedFor: <T>(wait: () => Promise<T>) => Promise<T>
}

export type WorkSlots = {
  /**
   * Waits for a slot. Of those who wait, the user with the least work is next. Throws Refusal:
   * 429 if the user has too much work, 503 if others have all slots.
   */
  acquire(userId: number, hungUp?: AbortSignal): Promise<WorkSlot>
  /** Does the work in a slot, for which it waits like `acquire`. */
  run<T>(
    userId: number,
    hungUp: AbortSignal | undefined,
    work: (slot: WorkSlot) => Promise<T>,
  ): Promise<T>
}

const RETRY_AFTER_SECONDS = 5

type Waiting = { userId: number; isResumed: boolean; start(): void }

/** `what` completes 'Too many … are under way'. */
export function openWorkSlots(what: string, limits: WorkLimits): WorkSlots {
  const queue = new SlotQueue(what, limits)
  const acquire: WorkSlots['acquire'] = async (userId, hungUp) => {
    if (hungUp?.aborted) throw queue.refusal(userId)
    if (!queue.tryTake(userId)) await queue.wait(userId, hungUp)
    return createSlot(queue, userId)
  }
  return {
    acquire,
    async run(userId, hungUp, work) {
      const slot = await acquire(userId, hungUp)
      try {
        return await work(slot)
      } finally {
        slot.release()
      }
    },
  }
}

function createSlot(queue: SlotQueue, userId: number): WorkSlot {
  let isHeld = true
  let isReleased = false
  const leave = (): void => {
    if (isHeld) queue.giveBack(userId)
    isHeld = false
  }
  const resume = async (): Promise<void> => {
    if (isHeld || isReleased) return
    if (!queue.tryTake(userId)) await queue.waitToResume(userId)
    isHeld = true
    if (isReleased) leave()
  }
  return {
    pause: leave,
    resume,
    release() {
      isReleased = true
      leave()
    },
    async pausedFor(wait) {
      leave()
      const result = await wait()
      await resume()
      return result
    },
  }
}

class SlotQueue {
  readonly #what: string
  readonly #limits: WorkLimits
  readonly #running = new Map<number, number>()
  readonly #line: Waiting[] = []
  #inUse = 0

  constructor(what: string, limits: WorkLimits) {
    this.#what = what
    this.#limits = limits
  }

  tryTake(userId: number): boolean {
    if (this.#isBusy(userId) || this.#inUse >= this.#limits.total) return false
    this.#take(userId)
    return true
  }

  giveBack(userId: number): void {
    this.#inUse--
    const left = this.#runningOf(userId) - 1
    if (left === 0) this.#running.delete(userId)
    else this.#running.set(userId, left)
    this.#startNext()
  }

  wait(userId: number, hungUp?: AbortSignal): Promise<void> {
    const { waitingPerUser, waitingTotal, patienceMs } = this.#limits
    const ahead = this.#line.filter(one => one.userId === userId && !one.isResumed).length
    if (ahead >= waitingPerUser || this.#line.length >= waitingTotal)
      return Promise.reject(this.refusal(userId))
    return new Promise((started, refused) => {
      const leave = (): void => {
        const at = this.#line.indexOf(waiting)
        if (at < 0) return
        this.#line.splice(at, 1)
        clearTimeout(timer)
        refused(this.refusal(userId))
      }
      const timer = setTimeout(leave, patienceMs)
      hungUp?.addEventListener('abort', leave, { once: true })
      const start = (): void => {
        clearTimeout(timer)
        hungUp?.removeEventListener('abort', leave)
        started()
      }
      const waiting: Waiting = { userId, isResumed: false, start }
      this.#line.push(waiting)
    })
  }

  waitToResume(userId: number): Promise<void> {
    return new Promise(start => {
      this.#line.push({ userId, isResumed: true, start })
    })
  }

  refusal(userId: number): Refusal {
    const again = 'Please try again in a moment.'
    return this.#isBusy(userId)
      ? new Refusal('too_many_at_once', `Too many ${this.#what} of yours are under way. ${again}`, {
          retryAfter: RETRY_AFTER_SECONDS,
        })
      : new Refusal('busy', `Too many ${this.#what} are under way right now. ${again}`, {
          retryAfter: RETRY_AFTER_SECONDS,
        })
  }

  #runningOf(userId: number): number {
    return this.#running.get(userId) ?? 0
  }

  #isBusy(userId: number): boolean {
    return this.#runningOf(userId) >= this.#limits.perUser
  }

  #take(userId: number): void {
    this.#inUse++
    this.#running.set(userId, this.#runningOf(userId) + 1)
  }

  #startNext(): void {
    while (this.#inUse < this.#limits.total) {
      let next: Waiting | undefined
      for (const one of this.#line)
        if (!this.#isBusy(one.userId) && (!next || this.#isBefore(one, next))) next = one
      if (!next) return
      this.#line.splice(this.#line.indexOf(next), 1)
      this.#take(next.userId)
      next.start()
    }
  }

  /** Work that has begun goes on before new work begins. */
  #isBefore(one: Waiting, other: Waiting): boolean {
    return one.isResumed === other.isResumed
      ? this.#runningOf(one.userId) < this.#runningOf(other.userId)
      : one.isResumed
  }
}
