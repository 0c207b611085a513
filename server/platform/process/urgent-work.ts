/**
 * Work of this process that a caller waits for, such as placing or settling a single order. Work that no caller waits for, such as
 * the rows of a bulk order, leaves it room meanwhile.
 */
let count = 0
let endedAt = -Infinity
let waiting: (() => void)[] = []

export const isUrgentUnderWay = (): boolean => count > 0

/** Whether there was some within the last `ms`: more of it may come at any moment. */
export const wasUrgentWithin = (ms: number): boolean =>
  count > 0 || performance.now() - endedAt < ms

/** Does work that a caller waits for. */
export async function asUrgent<Result>(work: () => Promise<Result>): Promise<Result> {
  count++
  try {
    return await work()
  } finally {
    count--
    if (count === 0) {
      endedAt = performance.now()
      for (const go of waiting) go()
      waiting = []
    }
  }
}

/** Resolves when no urgent work is under way, or after `mostMs`: much of it delays other work, it does not stop it. */
export function leaveRoomToUrgent(mostMs: number): Promise<void> | undefined {
  if (count === 0) return undefined
  return new Promise(resolve => {
    const go = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting = waiting.filter(one => one !== go)
      resolve()
    }, mostMs)
    waiting.push(go)
  })
}
