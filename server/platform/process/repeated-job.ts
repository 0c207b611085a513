import type { Context } from '#server/platform/context.ts'
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'

export type RepeatedJob = { start(): Promise<void>; stop(): Promise<void> }

type JobOptions = {
  /** Between the end of a round and the next. */
  pauseMs: number
  round: (isStopped: () => boolean) => Promise<unknown>
  /** Logged with an error; the next round runs all the same. */
  failure: string
}

/** Between the start and the first round where jobs are spread, at random. */
const FIRST_ROUND_MS = [250, 1_000] as const

/**
 * Runs `round` at the start, or a moment later (`spreadsJobs`), and again after each pause; not in processes with ROLE=web. `stop` waits
 * for the round that runs.
 */
export function openRepeatedJob(
  { config, log, spreadsJobs }: Pick<Context, 'config' | 'log' | 'spreadsJobs'>,
  { pauseMs, round, failure }: JobOptions,
): RepeatedJob {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const run = async (): Promise<void> => {
    try {
      await round(() => isStopped)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, failure)
    }
    if (!isStopped) timer = setTimeout(begin, pauseMs)
  }
  const begin = (): void => void (running = run())
  return {
    async start() {
      if (config.role === 'web') return
      if (!spreadsJobs) return begin()
      const [least, most] = FIRST_ROUND_MS
      timer = setTimeout(begin, least + Math.random() * (most - least))
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
