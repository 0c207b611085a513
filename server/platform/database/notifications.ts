import pg from 'pg'
import type { Context } from '#server/platform/context.ts'

/** Channel: a bulk order has moved. The payload is its id. */
export const BATCH_PROGRESS_CHANNEL = 'batch_progress'
/** Channel: sign-ins have ended. The payload is JSON, `{userId}` for all of a user or `{sessionId}` for one. */
export const SESSION_ENDED_CHANNEL = 'session_ended'

export type NotificationOptions = {
  ctx: Context
  /** Channel to what is done with each message; it must not throw. */
  channels: Record<string, (payload: string) => void>
  /** Called each time the connection is there again after it was lost: messages in between were missed. */
  onReconnect: () => void
}

const MIN_RECONNECT_MS = 250
const MAX_RECONNECT_MS = 5_000
// A connection can be gone without a word; a question finds out.
const HEARTBEAT_MS = 15_000

/**
 * Listens to the database's notifications on a connection of its own, which is opened again whenever it is lost. `start` answers
 * when it listens or the first try has failed; it goes on trying.
 */
export function listenToNotifications({ ctx, channels, onReconnect }: NotificationOptions): {
  start(): Promise<void>
  stop(): Promise<void>
} {
  let stopped = false
  let pauseMs = MIN_RECONNECT_MS
  let timer: NodeJS.Timeout | undefined
  let current: pg.Client | undefined
  let beat: NodeJS.Timeout | undefined

  async function connect(again: boolean): Promise<void> {
    const client = new pg.Client({
      connectionString: ctx.database.pool.options.connectionString,
      application_name: 'evenpost listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    })
    current = client
    const lost = (error?: Error): void => {
      if (stopped || current !== client) return
      current = undefined
      clearInterval(beat)
      ctx.log.warn(
        { err: error },
        'the listening connection to the database is lost and will be opened again',
      )
      client.end().catch(() => {})
      timer = setTimeout(() => void connect(true), pauseMs)
      pauseMs = Math.min(pauseMs * 2, MAX_RECONNECT_MS)
    }
    client.on('error', lost)
    client.on('end', () => lost())
    client.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''))
    try {
      await client.connect()
      for (const channel of Object.keys(channels))
        await client.query(`listen ${client.escapeIdentifier(channel)}`)
    } catch (error) {
      return lost(error as Error)
    }
    if (stopped) return
    pauseMs = MIN_RECONNECT_MS
    beat = setInterval(() => client.query('select 1').catch(lost), HEARTBEAT_MS)
    if (again) onReconnect()
  }

  return {
    start: () => connect(false),
    async stop() {
      stopped = true
      clearTimeout(timer)
      clearInterval(beat)
      await current?.end().catch(() => {})
    },
  }
}
