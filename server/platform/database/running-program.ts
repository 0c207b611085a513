import type { OperatorError } from '#server/platform/process/operator-error.ts'
import { PrimaryClient } from './primary-client.ts'
import { announceProgram, oldestAllowedProgram, tooOldError } from './program-version.ts'
import { retryWhileLate } from './server-check.ts'

export type RunningProgramOptions = {
  url: string
  /** Number of the newest migration that this program knows. */
  version: number
  /** A newer version has ended the support of this one while the connection was lost: the process must end. */
  onTooOld: (error: OperatorError) => void
  /** Called once, when the first connection takes long. */
  say?: (line: string) => void
}

const RECONNECT_MS = 500
const HEARTBEAT_MS = 15_000

/**
 * Announces this process's version on a connection of its own, which is reopened when it is lost. Throws OperatorError when
 * this version may no longer work on the database.
 */
export async function announceRunningProgram({
  url,
  version,
  onTooOld,
  say = () => {},
}: RunningProgramOptions): Promise<{ stop(): Promise<void> }> {
  let stopped = false
  let current: PrimaryClient | undefined
  let timer: NodeJS.Timeout | undefined

  /** Throws when there is no connection; OperatorError when this version may no longer work. */
  async function connect(): Promise<OperatorError | null> {
    const client = new PrimaryClient({
      connectionString: url,
      application_name: 'evenpost program',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      await announceProgram(client, version)
      const oldest = await oldestAllowedProgram(client)
      if (oldest.version > version) {
        await client.end()
        return tooOldError(oldest.migration)
      }
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    current = client
    const lose = (): void => {
      if (current !== client) return
      current = undefined
      clearTimeout(timer)
      client.end().catch(() => {})
      if (!stopped) reconnectLater()
    }
    client.on('end', lose)
    const beat = (): void => {
      timer = setTimeout(() => client.query('select 1').then(beat, lose), HEARTBEAT_MS)
    }
    beat()
    return null
  }

  function reconnectLater(): void {
    timer = setTimeout(() => {
      connect().then(
        tooOld => tooOld && onTooOld(tooOld),
        () => !stopped && reconnectLater(),
      )
    }, RECONNECT_MS)
  }

  const tooOld = await retryWhileLate(connect, { pauseMs: RECONNECT_MS, say })
  if (tooOld) throw tooOld
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await current?.end().catch(() => {})
    },
  }
}
