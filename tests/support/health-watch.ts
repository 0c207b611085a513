/**
 * How long other callers wait while one attacks, seen by `/api/health` over a connection of its own
 * from a thread of its own: the attack's client code does not delay the measuring.
 *
 * The figure is the longest wait, divided by the time that a fixed computation takes on this
 * machine before or after the attack, whichever is longer: 20 times parsing and writing 5,000 rows,
 * about 0.1 s on an idle machine. A busy or slow machine stretches both alike. A longest wait in
 * calm that is longer still takes its place.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/**
 * A ratio from which on a server counts as frozen. Unhindered it is 0.1 to 3; ten busy neighbors on
 * two cores make single waits of 16; the attacks reached 50 to 1,000, or no answer at all.
 */
export const FROZEN = 25

/** Milliseconds. `failed`: requests without status 200, as from a dead process. */
export type Waits = { count: number; failed: number; p50: number; p95: number; worst: number }
/** `work`: how long the fixed computation took right after. */
export type WatchFigures = Waits & { work: number }

export type HealthWatch = {
  /** Measures for `ms`; `ratio` needs it once, right before the attack. */
  calm(ms?: number): Promise<WatchFigures>
  /** Measures until the attack has ended, and throws what it throws. */
  during(attack: () => Promise<unknown>): Promise<WatchFigures>
  /** The longest wait in units of the fixed computation; see above. Infinite after a failure. */
  ratio(figures: WatchFigures): number
  close(): Promise<void>
}

export type ProberTask = 'measure' | 'stop' | 'work'
export type ProberReply = { waits: number[]; failures: number }

/** `url` without a path. */
export function watchHealth(url: string): HealthWatch {
  const worker = new Worker(new URL('health-prober.ts', import.meta.url), {
    workerData: { url },
    execArgv: [],
  })
  worker.unref()
  let calm: WatchFigures | null = null

  const ask = <T>(task: ProberTask): Promise<T> =>
    new Promise((answered, failed) => {
      worker.once('error', failed)
      worker.once('message', (reply: T) => {
        worker.off('error', failed)
        answered(reply)
      })
      worker.postMessage(task)
    })
  const measure = async (during: () => Promise<unknown>): Promise<WatchFigures> => {
    const measured = ask<ProberReply>('measure')
    try {
      await during()
    } finally {
      worker.postMessage('stop')
    }
    return { ...summarize(await measured), work: await ask<number>('work') }
  }
  return {
    async calm(ms = 500) {
      return (calm = await measure(() => wait(ms)))
    },
    during: measure,
    ratio(figures) {
      if (!calm) throw new Error('calm() comes before the attack')
      if (figures.failed > 0) return Infinity
      return figures.worst / Math.max(calm.work, figures.work, calm.worst)
    },
    close: async () => void (await worker.terminate()),
  }
}

function summarize({ waits, failures }: ProberReply): Waits {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)]!
  return { count: sorted.length, failed: failures, p50: at(0.5), p95: at(0.95), worst: at(1) }
}
