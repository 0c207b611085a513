import type { Context } from '#server/platform/context.ts'
import { PrimaryClient } from './primary-client.ts'

export type NotificationOptions = {
  ctx: Context
  /** Handlers by channel; they must not throw. */
  channels: Record<string, (payload: string) => void>
  /** Called after each reconnect: notifications in between were lost. */
  onReconnect: () => void
}

const MIN_RECONNECT_MS = 250
const MAX_RECONNECT_MS = 5_000
// A dead connection may report nothing; a query detects it.
const HEARTBEAT_MS = 15_000

/**
 * Listens on a connection of its own, which is reopened when it is lost. `start` returns when it
 * listens or the first attempt has failed; further attempts follow.
 */
export function listenToNotifications({ ctx, channels, onReconnect }: NotificationOptions): {
  start(): Promise<void>
  stop(): Promise<void>
} {
  let stopped = false
  let pauseMs = MIN_RECONNECT_MS
  let timer: NodeJS.Timeout | undefined
  let current: PrimaryClient | undefined
  let heartbeat: NodeJS.Timeout | undefined

  async function connect(isReconnect: boolean): Promise<void> {
    const client = new PrimaryClient({
      connectionString: ctx.database.url,
      application_name: 'evenpost listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    })
    current = client
    const reconnect = (error?: Error): void => {
      if (stopped || current !== client) return
      current = undefined
      clearInterval(heartbeat)
      ctx.log.warn(
        { err: error },
        'the listening connection to the database was lost; it is reopened',
      )
      client.end().catch(() => {})
      timer = setTimeout(() => void connect(true), pauseMs)
      pauseMs = Math.min(pauseMs * 2, MAX_RECONNECT_MS)
    }
    client.on('error', reconnect)
    client.on('end', () => reconnect())
    client.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''))
    try {
      await client.connect()
      for (const channel of Object.keys(channels))
        await client.query(`listen ${client.escapeIdentifier(channel)}`)
    } catch (error) {
      return reconnect(error as Error)
    }
    if (stopped) return
    pauseMs = MIN_RECONNECT_MS
    heartbeat = setInterval(() => client.query('select 1').catch(reconnect), HEARTBEAT_MS)
    if (isReconnect) onReconnect()
  }

  return {
    start: () => connect(false),
    async stop() {
      stopped = true
      clearTimeout(timer)
      clearInterval(heartbeat)
      await current?.end().catch(() => {})
    },
  }
}
