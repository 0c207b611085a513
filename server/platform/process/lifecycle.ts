export type Lifecycle = {
  /** Registers what has to be ended; the last one registered is ended first. */
  onStop(work: () => Promise<unknown>): void
  /** Ends everything and the process, with exit code `code`; says `why`. A second call changes nothing. */
  stop(why?: string, code?: number): Promise<void>
}

export type LifecycleOptions = {
  say: (line: string) => void
  /** Faults while stopping, and faults nobody caught. */
  onError: (error: unknown, what: string) => void
}

// Long enough for the label purchases in flight; then what is open stays for the next start.
const STOP_TIMEOUT_MS = 15_000

// npm hands on the Ctrl-C that the terminal has already sent to us.
const DUPLICATE_SIGNAL_MS = 700

/**
 * Ties the life of the process to Ctrl-C, SIGTERM and faults that nobody caught: everything registered is ended in reverse
 * order, so the database goes last. A second Ctrl-C ends the process at once; the next start copes with what was left.
 */
export function createLifecycle({ say, onError }: LifecycleOptions): Lifecycle {
  const works: (() => Promise<unknown>)[] = []
  let stopping: { since: number; done: Promise<void> } | undefined

  const endAll = async (code: number): Promise<void> => {
    setTimeout(() => {
      onError(new Error(`not everything had ended after ${STOP_TIMEOUT_MS / 1000} s`), 'stopping')
      process.exit(1)
    }, STOP_TIMEOUT_MS).unref()
    for (const work of works.toReversed())
      await work().catch((error: unknown) => onError(error, 'stopping'))
    process.exit(code)
  }
  const stop = (why?: string, code = 0): Promise<void> => {
    if (!stopping) {
      if (why) say(`Stopping: ${why}`)
      stopping = { since: Date.now(), done: endAll(code) }
    }
    return stopping.done
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping) return void stop(signal === 'SIGINT' ? 'Ctrl-C' : signal)
      if (Date.now() - stopping.since < DUPLICATE_SIGNAL_MS) return
      say('Stopping at once; the next start picks up what is left')
      process.exit(130)
    })
  }
  const onFault = (error: unknown): void => {
    onError(error, 'a fault that nobody caught')
    void stop('a fault that nobody caught', 1)
  }
  process.on('uncaughtException', onFault)
  process.on('unhandledRejection', onFault)
  return { onStop: work => void works.push(work), stop }
}
