export type ThrottleOptions<Update> = {
  read(id: number): Promise<Update | null>
  hasListeners(id: number): boolean
  /** `only`: socket ids; default: all listeners. */
  send(id: number, update: Update, only?: string[]): void
  onError(error: unknown): void
}

/** About five updates a second for each id. */
const MIN_INTERVAL_MS = 200
const RETRY_AFTER_ERROR_MS = 1_000

type Channel = {
  changed: boolean
  newSockets: Set<string>
  /** By performance.now(). */
  nextAt: number
  reading: boolean
  timer?: NodeJS.Timeout
}

const newChannel = (): Channel => ({
  changed: false,
  newSockets: new Set(),
  nextAt: 0,
  reading: false,
})

/**
 * Sends an update at once, then at most one each 200 ms, and always one after the last change.
 * Reads of one id never overlap, so no listener sees an older state after a newer one.
 */
export function createUpdateThrottle<Update>({
  read,
  hasListeners,
  send,
  onError,
}: ThrottleOptions<Update>) {
  const channels = new Map<number, Channel>()
  let closed = false

  function channelOf(id: number): Channel {
    const channel = channels.get(id) ?? newChannel()
    channels.set(id, channel)
    return channel
  }

  async function pump(id: number, channel: Channel): Promise<void> {
    if (channel.reading || closed) return
    channel.reading = true
    clearTimeout(channel.timer)
    try {
      for (;;) {
        const toAll = channel.changed && performance.now() >= channel.nextAt
        if (!toAll && channel.newSockets.size === 0) break
        await sendUpdate(id, channel, toAll)
      }
    } catch (error) {
      onError(error)
      // All listeners get the update after the retry, new ones too.
      channel.changed = true
      channel.nextAt = performance.now() + RETRY_AFTER_ERROR_MS
    }
    channel.reading = false
    if (closed) return
    const waitMs = channel.nextAt - performance.now()
    const isIdle = !channel.changed && waitMs <= 0
    if (isIdle || !hasListeners(id)) channels.delete(id)
    else channel.timer = setTimeout(() => void pump(id, channel), Math.max(0, waitMs))
  }

  async function sendUpdate(id: number, channel: Channel, toAll: boolean): Promise<void> {
    const only = [...channel.newSockets]
    channel.newSockets.clear()
    if (toAll) {
      channel.changed = false
      channel.nextAt = performance.now() + MIN_INTERVAL_MS
    }
    const update = await read(id)
    if (update && !closed) send(id, update, toAll ? undefined : only)
  }

  return {
    changed(id: number): void {
      if (!hasListeners(id)) return
      const channel = channelOf(id)
      channel.changed = true
      void pump(id, channel)
    },
    addSocket(id: number, socketId: string): void {
      const channel = channelOf(id)
      channel.newSockets.add(socketId)
      void pump(id, channel)
    },
    close(): void {
      closed = true
      for (const { timer } of channels.values()) clearTimeout(timer)
    },
  }
}
