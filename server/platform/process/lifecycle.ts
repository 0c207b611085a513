import { SIGNALS_TWICE_FLAG } from './supervised.ts'

export type Lifecycle = {
  /** Registers work for the shutdown; the last one registered runs first. */
  onStop(work: () => Promise<unknown>): void
  /** Runs the shutdown and exits with `code`; prints `why`. A second call has no effect. */
  stop(why?: string, code?: number): Promise<void>
}

export type LifecycleOptions = {
  say: (line: string) => void
  onError: (error: unknown, what: string) => void
}

// Enough for calls in progress; the next start continues what is unfinished.
const STOP_TIMEOUT_MS = 15_000

/** What a shutdown says about its signal. */
export const signalName = (signal: NodeJS.Signals): string =>
  signal === 'SIGINT' ? 'Ctrl-C' : signal

/**
 * Runs the shutdown on Ctrl-C, SIGTERM, SIGHUP and uncaught errors, in reverse order of registration, so the database is last.
 * A second Ctrl-C exits at once. The terminal sends it once to each process; npm forwards its copy only to `npm start`.
 */
export function createLifecycle({ say, onError }: LifecycleOptions): Lifecycle {
  const works: (() => Promise<unknown>)[] = []
  let stopping: Promise<void> | undefined
  let interrupts = 0

  const endAll = async (code: number): Promise<void> => {
    setTimeout(() => {
      onError(new Error(`the shutdown took longer than ${STOP_TIMEOUT_MS / 1000} s`), 'stopping')
      process.exit(1)
    }, STOP_TIMEOUT_MS).unref()
    for (const work of works.toReversed())
      await work().catch((error: unknown) => onError(error, 'stopping'))
    process.exit(code)
  }
  const stop = (why?: string, code = 0): Promise<void> => {
    if (!stopping) {
      if (why) say(`Stopping: ${why}`)
      stopping = endAll(code)
    }
    return stopping
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || ++interrupts === 1 || process.argv.includes(SIGNALS_TWICE_FLAG))
        return void stop(signalName(signal))
      say('Stopping at once; the next start continues the unfinished work')
      process.exit(130)
    })
  }
  const onFault = (error: unknown): void => {
    onError(error, 'an uncaught error')
    void stop('an uncaught error', 1)
  }
  process.on('uncaughtException', onFault)
  process.on('unhandledRejection', onFault)
  return { onStop: work => void works.push(work), stop }
}
