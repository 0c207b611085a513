import type { BatchProgress } from '#contract/batches.ts'

export type ThrottleOptions = {
  read(batchId: number): Promise<BatchProgress | null>
  /** Whether anybody here watches. */
  hasListeners(batchId: number): boolean
  /** To all who watch, or to some sockets only. */
  send(batchId: number, progress: BatchProgress, only?: string[]): void
  onError(error: unknown): void
}

/** At most about five events a second for each bulk order (architecture, 5). */
const MIN_INTERVAL_MS = 200
const RETRY_AFTER_ERROR_MS = 1_000

type ThrottledBatch = {
  /** Something moved since the last event to all. */
  changed: boolean
  /** Sockets that have just come and have seen nothing yet. */
  newSockets: Set<string>
  nextAt: number
  reading: boolean
  timer?: NodeJS.Timeout
}

/**
 * Thins out the news of each bulk order. However often it moves, its watchers get an event at once, then at most one each 200 ms,
 * and always one after the last movement. Reads of one order never overlap, so no watcher is sent back in time.
 */
export function createProgressThrottle({ read, hasListeners, send, onError }: ThrottleOptions) {
  const channels = new Map<number, ThrottledBatch>()
  let closed = false

  function channelOf(batchId: number): ThrottledBatch {
    let channel = channels.get(batchId)
    if (!channel)
      channels.set(
        batchId,
        (channel = { changed: false, newSockets: new Set(), nextAt: 0, reading: false }),
      )
    return channel
  }

  async function pump(batchId: number, channel: ThrottledBatch): Promise<void> {
    if (channel.reading || closed) return
    channel.reading = true
    clearTimeout(channel.timer)
    try {
      for (;;) {
        const toAll = channel.changed && Date.now() >= channel.nextAt
        if (!toAll && channel.newSockets.size === 0) break
        await tell(batchId, channel, toAll)
      }
    } catch (error) {
      onError(error)
      // Whoever was to be told is told when it works again.
      channel.changed = true
      channel.nextAt = Date.now() + RETRY_AFTER_ERROR_MS
    }
    channel.reading = false
    if (closed) return
    const quiet = !channel.changed && Date.now() >= channel.nextAt
    if (quiet || !hasListeners(batchId)) channels.delete(batchId)
    else channel.timer = setTimeout(() => void pump(batchId, channel), channel.nextAt - Date.now())
  }

  async function tell(batchId: number, channel: ThrottledBatch, toAll: boolean): Promise<void> {
    const only = [...channel.newSockets]
    channel.newSockets.clear()
    if (toAll) {
      channel.changed = false
      channel.nextAt = Date.now() + MIN_INTERVAL_MS
    }
    const progress = await read(batchId)
    if (progress && !closed) send(batchId, progress, toAll ? undefined : only)
  }

  return {
    /** The database said that a bulk order moved. */
    moved(batchId: number): void {
      if (!hasListeners(batchId)) return
      const channel = channelOf(batchId)
      channel.changed = true
      void pump(batchId, channel)
    },
    /** A socket has begun to watch and is sent the state of now, without waiting its turn. */
    welcome(batchId: number, socketId: string): void {
      const channel = channelOf(batchId)
      channel.newSockets.add(socketId)
      void pump(batchId, channel)
    },
    close(): void {
      closed = true
      for (const { timer } of channels.values()) clearTimeout(timer)
    },
  }
}
