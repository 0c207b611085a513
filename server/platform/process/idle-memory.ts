import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_MS = 20_000
/** Processor time over the time since the last look; on a busy machine it does not grow by waiting for a processor. */
const MAX_BUSY_SHARE = 0.1
/** What an idle process allocates in 20 to 40 s. A collection for less would cost more than it frees. */
const MIN_GROWTH_BYTES = 3_000_000

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void

/**
 * Gives memory that is no longer used back to the system after 20 s with hardly any work. V8 keeps its young generation at
 * the size of the busiest moment, and collects only when a process allocates. Returns what ends it.
 */
export function giveMemoryBack(lookMs = LOOK_MS): () => void {
  let keptBytes = 0
  let before = process.cpuUsage()
  const look = (): void => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    if ((user + system) / 1_000 > lookMs * MAX_BUSY_SHARE) return
    if (getHeapStatistics().total_heap_size < keptBytes + MIN_GROWTH_BYTES) return
    collectAll()
    keptBytes = getHeapStatistics().total_heap_size
  }
  const timer = setInterval(look, lookMs).unref()
  return () => clearInterval(timer)
}

/** As V8 does when memory runs short: 41 ms of processor time for the heap after a start. */
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', flavor: 'last-resort' })
}
