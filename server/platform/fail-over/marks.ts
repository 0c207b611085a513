import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Database, Db } from '#server/platform/database/database.ts'
import { connectToPrimary } from '#server/platform/database/primary-client.ts'
import type { PrimaryClient } from '#server/platform/database/primary-client.ts'
import { retryWhileLate } from '#server/platform/database/server-check.ts'
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

export type MarksOptions = {
  beatMs?: number
  /** Called once, when the first beat takes long. */
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
  /** For the beats alone, so that they wait for nothing else; opened again when it was lost. */
  let client: PrimaryClient | undefined
  let newest: Beat | null = null
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()

  async function beat(isFirst = false): Promise<void> {
    try {
      client ??= await connectToPrimary({
        connectionString: database.url,
        admit: database.gate.admit,
        application_name: 'evenpost marks',
        keepAlive: true,
        connectionTimeoutMillis: ANSWER_MS,
        query_timeout: ANSWER_MS,
      })
      newest = await writeBeat(client, process)
      if (isFirst) await deleteOldMarks(client)
    } catch (error) {
      client?.destroy()
      client = undefined
      throw error
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
      await retryWhileLate(() => beat(true), { pauseMs: RETRY_MS, say })
      beatLater(beatMs)
    },
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await beating
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
