import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { Transaction } from 'kysely'
import pg from 'pg'
import { PreparedStatementClient } from './prepared-statements.ts'
import type { Tables } from './tables.ts'

declare const transactionBrand: unique symbol

/** Reads need no more than this; a `Tx` is one too. */
export type Db = Kysely<Tables>

/** An open transaction. Store functions that write take one, so that a write outside a transaction does not compile. */
export type Tx = Transaction<Tables> & { readonly [transactionBrand]: true }

export type Database = {
  pool: pg.Pool
  db: Db
  /**
   * Runs `work` in one transaction (READ COMMITTED). After a deadlock or a serialisation failure all of it is run again, up to
   * five times, so `work` does nothing outside the database.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** Most connections held at a time. */
  max?: number
  /** Shown in pg_stat_activity. */
  name?: string
  /** Told of connections lost while idle; they are replaced by themselves. */
  log?: (line: string) => void
}

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082

/** bigint columns hold counts, ids and cents: all far below 2^53. One that is not is a fault, never a rounded number. */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`bigint ${text} is outside the numbers that can be told apart`)
  return value
}

pg.types.setTypeParser(INT8, parseInt8)
pg.types.setTypeParser(INT8_ARRAY as number, (text: string) =>
  text.slice(1, -1).split(',').filter(Boolean).map(parseInt8),
)
// A calendar date has no time zone; as a Date it would move by a day west of Greenwich.
pg.types.setTypeParser(DATE, text => text)

/** Opens a pool on `url` (postgres://…). Nothing is connected before the first query. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const log = options.log ?? (() => {})
  const pool = new pg.Pool({
    connectionString: url,
    Client: PreparedStatementClient,
    max: options.max ?? 20,
    application_name: options.name ?? 'evenpost',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 30_000,
    lock_timeout: 15_000,
    // A process that was frozen inside a transaction keeps a customer's wallet locked no longer than this; ours never think so long.
    idle_in_transaction_session_timeout: 10_000,
    // Our own clock for a server that has gone silent; longer than the server's, which gives the better message.
    query_timeout: 35_000,
  })
  // Without a listener a connection lost while idle ends the process.
  pool.on('error', error => log(`A database connection was lost: ${error.message}`))
  pool.on('connect', client => client.on('error', () => {}))

  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  let closed: Promise<void> | undefined
  return {
    pool,
    db,
    tx: work => withRetries(() => db.transaction().execute(tx => work(tx as Tx))),
    close: () => (closed ??= pool.end()),
  }
}

const RETRYABLE_CODES = new Set(['40P01', '40001']) // deadlock, serialisation failure: nothing was committed
const MAX_ATTEMPTS = 5

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (n === MAX_ATTEMPTS || !RETRYABLE_CODES.has(databaseCode(error) ?? '')) throw error
      // Spread out, so that two that met do not meet again.
      await wait(Math.random() * 10 * 2 ** n)
    }
  }
}

/** The five-letter code of an error that came from PostgreSQL ('23505' = unique violation), else undefined. */
export function databaseCode(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
