import type { OrderProgress } from '#contract/batches.ts'

export type ProgressOptions = {
  read(batchId: number): Promise<OrderProgress | null>
  /** Whether anybody here watches. */
  listeners(batchId: number): boolean
  /** To all who watch, or to some sockets only. */
  send(batchId: number, progress: OrderProgress, only?: string[]): void
  failed(error: unknown): void
}

/** At most about five events a second for each bulk order (architecture, 5). */
const GAP_MS = 200
const AFTER_FAULT_MS = 1_000

type Channel = {
  /** Something moved since the last event to all. */
  moved: boolean
  /** Sockets that have just come and have seen nothing yet. */
  newcomers: Set<string>
  nextAt: number
  reading: boolean
  timer?: NodeJS.Timeout
}

/**
 * Thins out the news of each bulk order. However often it moves, its watchers get an event at once, then at most one each 200 ms,
 * and always one after the last movement. Reads of one order never overlap, so no watcher is sent back in time.
 */
export function openProgress({ read, listeners, send, failed }: ProgressOptions) {
  const channels = new Map<number, Channel>()
  let closed = false

  function channelOf(batchId: number): Channel {
    let channel = channels.get(batchId)
    if (!channel)
      channels.set(
        batchId,
        (channel = { moved: false, newcomers: new Set(), nextAt: 0, reading: false }),
      )
    return channel
  }

  async function pump(batchId: number, channel: Channel): Promise<void> {
    if (channel.reading || closed) return
    channel.reading = true
    clearTimeout(channel.timer)
    try {
      for (;;) {
        const toAll = channel.moved && Date.now() >= channel.nextAt
        if (!toAll && channel.newcomers.size === 0) break
        await tell(batchId, channel, toAll)
      }
    } catch (error) {
      failed(error)
      // Whoever was to be told is told when it works again.
      channel.moved = true
      channel.nextAt = Date.now() + AFTER_FAULT_MS
    }
    channel.reading = false
    if (closed) return
    const quiet = !channel.moved && Date.now() >= channel.nextAt
    if (quiet || !listeners(batchId)) channels.delete(batchId)
    else channel.timer = setTimeout(() => void pump(batchId, channel), channel.nextAt - Date.now())
  }

  async function tell(batchId: number, channel: Channel, toAll: boolean): Promise<void> {
    const only = [...channel.newcomers]
    channel.newcomers.clear()
    if (toAll) {
      channel.moved = false
      channel.nextAt = Date.now() + GAP_MS
    }
    const progress = await read(batchId)
    if (progress && !closed) send(batchId, progress, toAll ? undefined : only)
  }

  return {
    /** The database said that a bulk order moved. */
    moved(batchId: number): void {
      if (!listeners(batchId)) return
      const channel = channelOf(batchId)
      channel.moved = true
      void pump(batchId, channel)
    },
    /** A socket has begun to watch and is sent the state of now, without waiting its turn. */
    welcome(batchId: number, socketId: string): void {
      const channel = channelOf(batchId)
      channel.newcomers.add(socketId)
      void pump(batchId, channel)
    },
    close(): void {
      closed = true
      for (const { timer } of channels.values()) clearTimeout(timer)
    },
  }
}
