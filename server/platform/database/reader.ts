/** Statements and reports may be read from a standby (DATABASE_READ_URL); what decides about money is read from the primary. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Database, Db } from './database.ts'
import { PreparedStatementClient } from './prepared-statements.ts'
import type { Tables } from './tables.ts'
import { limitConnectionsPerUser } from './user-connections.ts'

const CHECK_MS = 1_000
const ANSWER_MS = 2_000

export type ReaderOptions = {
  url: string
  primary: Database
  max: number
  /** Whether a standby is near enough to the primary. */
  isFresh: (standby: pg.Pool) => Promise<boolean>
  log: (line: string) => void
}

/** Reads from the standby while it answers and is fresh, otherwise from the primary. `start` returns after the first check. */
export function openReader({ url, primary, max, isFresh, log }: ReaderOptions): {
  db: Db
  start(): Promise<void>
  stop(): Promise<void>
} {
  const standby = new pg.Pool({
    connectionString: url,
    Client: PreparedStatementClient,
    max,
    application_name: 'evenpost reader',
    connectionTimeoutMillis: ANSWER_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    // Where the standby was promoted, it would accept writes.
    onConnect: async client => void (await client.query('set default_transaction_read_only = on')),
  })
  standby.on('error', () => {})
  standby.on('connect', client => client.on('error', () => {}))
  const near = limitConnectionsPerUser(standby, max)
  const far = limitConnectionsPerUser(primary.pool, primary.pool.options.max)
  let usesStandby = false
  let timer: NodeJS.Timeout | undefined

  async function check(isFirst = false): Promise<void> {
    const before = usesStandby
    const problem = await problemOf(standby, isFresh)
    usesStandby = problem === null
    if (usesStandby === before && !(isFirst && problem !== null)) return
    const place = problem === null ? 'the standby' : `the primary: DATABASE_READ_URL ${problem}`
    log(`Statements and reports are read from ${place}`)
  }
  let checking: Promise<void> = Promise.resolve()
  const checkLater = (): void => {
    timer = setTimeout(() => {
      checking = check().then(checkLater)
    }, CHECK_MS)
  }

  return {
    db: new Kysely<Tables>({
      dialect: new PostgresDialect({
        pool: {
          options: {},
          connect: () =>
            usesStandby
              ? near.connect().catch((error: Error) => {
                  if (error instanceof Refusal) throw error
                  usesStandby = false
                  return far.connect()
                })
              : far.connect(),
          end: async () => {},
        },
      }),
    }),
    async start() {
      await check(true)
      checkLater()
    },
    async stop() {
      clearTimeout(timer)
      await checking
      clearTimeout(timer)
      await standby.end()
    },
  }
}

/** The end of a sentence; null when the standby may be read. */
const problemOf = (standby: pg.Pool, isFresh: ReaderOptions['isFresh']): Promise<string | null> =>
  isFresh(standby).then(
    fresh => (fresh ? null : 'names a server that is behind or has another database'),
    (error: Error & { code?: string }) => `cannot be used (${error.message || error.code})`,
  )

/** The context for handlers that only show. */
export const readingContext = <C extends { database: Database }>(ctx: C): C => ({
  ...ctx,
  database: { ...ctx.database, db: ctx.database.reader },
})
