import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Database, Db } from '#server/platform/database/database.ts'
import { connectToPrimary } from '#server/platform/database/primary-client.ts'
import type { PrimaryClient, ServerIdentity } from '#server/platform/database/primary-client.ts'
import { retryWhileLate } from '#server/platform/database/server-check.ts'
import { ServerReplacedError } from '#server/platform/database/server-gate.ts'
import { deleteMark, deleteOldMarks, readBeats, writeBeat } from './marks-store.ts'
import type { Beat } from './marks-store.ts'

/** What this process knows to be committed: its beats, and what witnesses keep for `db`. */
export type Marks = {
  process: string
  db: Db
  /** Null before the first one. */
  newest(): Beat | null
}

const BEAT_MS = 2_000
/** So that a promoted server is found soon. */
const RETRY_MS = 300
const ANSWER_MS = 3_000

/** For the beats alone, so that they wait for nothing else; opened again when it was lost. */
function openBeatConnection(database: Database, process: string) {
  let client: PrimaryClient | undefined
  let replaced: ServerReplacedError | undefined
  const admit = async (server: ServerIdentity): Promise<void> => {
    try {
      await database.gate.admit(server)
    } catch (error) {
      if (error instanceof ServerReplacedError) replaced = error
      throw error
    }
  }
  return {
    current: () => client,
    /** Set once one of the servers was found to have taken the place of the known one. */
    replaced: () => replaced,
    async beat(): Promise<Beat> {
      client ??= await connectToPrimary({
        connectionString: database.url,
        admit,
        application_name: 'evenpost marks',
        keepAlive: true,
        connectionTimeoutMillis: ANSWER_MS,
        query_timeout: ANSWER_MS,
      })
      // Found on the way to the known server, which still answers.
      if (replaced && database.gate.judge === null) throw replaced
      return writeBeat(client, process)
    },
    lose(): void {
      client?.destroy()
      client = undefined
    },
  }
}

export type MarksOptions = {
  beatMs?: number
  /** Told when the first beat takes long. */
  say?: (line: string) => void
}

/**
 * Writes a beat every two seconds on a connection of its own, which finds a promoted server also while nothing
 * else happens. `start` returns after the first beat, for which it waits up to a minute.
 */
export function openMarks(
  database: Database,
  { beatMs = BEAT_MS, say = () => {} }: MarksOptions = {},
): Marks & {
  start(): Promise<void>
  stop(): Promise<void>
} {
  const process = randomUUID()
  const connection = openBeatConnection(database, process)
  let newest: Beat | null = null
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()

  async function beat(isFirst = false): Promise<void> {
    try {
      newest = await connection.beat()
      if (isFirst) await deleteOldMarks(connection.current()!)
    } catch (error) {
      connection.lose()
      throw connection.replaced() ?? error
    }
  }

  function beatLater(ms: number): void {
    if (isStopping) return
    timer = setTimeout(() => {
      beating = beat().then(
        () => beatLater(beatMs),
        () => beatLater(RETRY_MS),
      )
    }, ms)
  }

  return {
    process,
    db: database.db,
    newest: () => newest,
    async start() {
      // A standby, or a former primary that has come back, says nothing about the known server, which may be late. A server
      // that has taken its place is refused until the next start.
      const mayRepeat = (): boolean => !isStopping && connection.replaced() === undefined
      const first = retryWhileLate(() => beat(true), { pauseMs: RETRY_MS, say, mayRepeat })
      beating = first.catch(() => {})
      await first
      beatLater(beatMs)
    },
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await beating
      const client = connection.current()
      if (!client) return
      await deleteMark(client, process).catch(() => {})
      await client.end().catch(() => {})
    },
  }
}

/** Beats that a standby may be behind: about six seconds. */
const FRESH_BEATS = 2

/** Whether a standby has this process's newest commits, but for the last seconds. No clock of another machine is asked. */
export async function isFreshCopy(marks: Marks, standby: pg.Pool): Promise<boolean> {
  const newest = marks.newest()?.beats
  const beats = await readBeats(standby, marks.process)
  return newest !== undefined && beats !== null && beats >= newest - FRESH_BEATS
}
