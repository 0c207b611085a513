export type Turns = {
  /**
   * Runs `work`, unless other work runs; `replaces`: instead of that work, and of what waits for its
   * end. Rejects as `work` does.
   */
  run: (work: (signal: AbortSignal) => Promise<void>, replaces: boolean) => Promise<void>
  /** Cancels the work that runs. */
  abort: () => void
}

/** Work of which only one runs at a time. */
export function oneAtATime(): Turns {
  let current: AbortController | null = null
  let ended = Promise.resolve()
  let newest = 0
  const abort = () => current?.abort()
  return {
    abort,
    run: async (work, replaces) => {
      if (current && !replaces) return
      const own = ++newest
      while (current) {
        abort()
        await ended
        if (own !== newest) return
      }
      const controller = new AbortController()
      const { promise, resolve } = Promise.withResolvers<void>()
      current = controller
      ended = promise
      try {
        await work(controller.signal)
      } finally {
        current = null
        resolve()
      }
    },
  }
}
