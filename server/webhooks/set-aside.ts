/** Messages that could not be passed on wait here, so that they hold up no others. */
const MINUTE_MS = 60_000
const MAX_WAIT_MS = 60 * MINUTE_MS
/** Every query lists all of them. */
const MAX_MESSAGES = 10_000
/** A delivery that fails for so long is not tried any more either. */
const GIVE_UP_MS = 4 * 24 * 60 * MINUTE_MS
/** While the database is unavailable nothing is tried, perhaps for days. */
const FAILURES_BEFORE_GIVE_UP = 10

/** `since`: its first failure. `hadWaitEnded`: once, by `endWaits`. */
type Entry = { failures: number; since: number; until: number; hadWaitEnded: boolean }

/**
 * In the memory of one process: others, and its next start, try the messages again. Times are in ms
 * of a monotonic clock. The age of a message does not matter: it may never have been tried.
 */
export class SetAsideMessages {
  readonly #entries = new Map<number, Entry>()

  /** Ids of those that still wait. */
  waiting(now: number): number[] {
    return [...this.#entries].filter(([, { until }]) => until > now).map(([id]) => id)
  }

  /**
   * After a failure. Returns for how many ms it waits: 1 minute, then twice as long, up to an hour.
   * 'give up': it has failed for four days, and several times.
   */
  add(id: number, now: number): number | 'give up' {
    const before = this.#entries.get(id) ?? { failures: 0, since: now, hadWaitEnded: false }
    const failures = before.failures + 1
    const waitMs = Math.min(MINUTE_MS * 2 ** (failures - 1), MAX_WAIT_MS)
    this.#entries.delete(id)
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size >= MAX_MESSAGES) this.#entries.delete(oldest)
    this.#entries.set(id, { ...before, failures, until: now + waitMs })
    const isHopeless = now - before.since >= GIVE_UP_MS && failures >= FAILURES_BEFORE_GIVE_UP
    return isHopeless ? 'give up' : waitMs
  }

  /**
   * The cause of the failures may be gone: waiting messages are tried at once, and wait a minute
   * after the next failure. Each only once: otherwise ten that always fail would be tried before all
   * others after each success. Returns whether there were any.
   */
  endWaits(now: number): boolean {
    const waiting = [...this.#entries.values()].filter(
      ({ until, hadWaitEnded }) => until > now && !hadWaitEnded,
    )
    for (const entry of waiting)
      Object.assign(entry, { failures: 0, until: now, hadWaitEnded: true } satisfies Partial<Entry>)
    return waiting.length > 0
  }

  delete(id: number): void {
    this.#entries.delete(id)
  }
}
