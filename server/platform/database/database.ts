import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { Transaction } from 'kysely'
import pg from 'pg'
import { isOutdatedStatement } from './prepared-statements.ts'
import { PrimaryClient } from './primary-client.ts'
import type { AdmitServer } from './primary-client.ts'
import { openServerGate } from './server-gate.ts'
import type { ServerGate } from './server-gate.ts'
import type { Tables } from './tables.ts'
import { limitConnectionsPerUser } from './user-connections.ts'

declare const transactionBrand: unique symbol

export type Db = Kysely<Tables>

/**
 * An open transaction. Store functions that write require one, so a write outside a transaction
 * does not compile.
 */
export type Tx = Transaction<Tables> & { readonly [transactionBrand]: true }

export type Database = {
  /** It may name several servers. */
  url: string
  /** Before the first statement, of a database that was opened before its server was known. */
  useServer(url: string): void
  pool: pg.Pool
  /** For statements and reports: `db`, unless DATABASE_READ_URL names a standby. */
  reader: Db
  /** Which server the connections may be of. */
  gate: ServerGate
  db: Db
  /**
   * Runs `work` in one transaction (READ COMMITTED). After a deadlock, a serialization failure, a
   * TransactionConflict or a migration of a table that it reads it is repeated, up to five attempts,
   * so `work` must have no effect outside the database.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type DatabaseOptions = {
  max?: number
  /** Shown in pg_stat_activity. */
  name?: string
  /** Called when an idle connection is lost; the pool replaces it. */
  log?: (line: string) => void
}

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082

/**
 * bigint columns hold counts, ids and cents, all far below 2^53. Throws RangeError for a larger
 * value instead of rounding it.
 */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`bigint ${text} is too large for an exact number`)
  return value
}

pg.types.setTypeParser(INT8, parseInt8)
pg.types.setTypeParser(INT8_ARRAY as number, (text: string) =>
  text.slice(1, -1).split(',').filter(Boolean).map(parseInt8),
)
// A calendar date has no time zone; as a Date it would be a day earlier west of Greenwich.
pg.types.setTypeParser(DATE, text => text)

/** Connects at the first query. `url`: '' before its server is known. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const log = options.log ?? (() => {})
  const gate = openServerGate()
  const poolOptions: pg.PoolConfig & { admit: AdmitServer } = {
    connectionString: url,
    admit: gate.admit,
    Client: PrimaryClient as unknown as new () => pg.ClientBase,
    max: options.max ?? 20,
    application_name: options.name ?? 'evenpost',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 30_000,
    lock_timeout: 15_000,
    // A frozen process must not hold its locks; no transaction of the program pauses this long.
    idle_in_transaction_session_timeout: 10_000,
    // For a server that no longer responds; longer than its own limit, which gives the better
    // message.
    query_timeout: 35_000,
  }
  const pool = new pg.Pool(poolOptions)
  let closed: Promise<void> | undefined
  // Without a listener a lost idle connection would end the process.
  pool.on('error', error => {
    // A pool ends before its connections do, which the embedded server then cuts.
    if (closed === undefined) log(`A database connection was lost: ${error.message}`)
  })
  pool.on('connect', client => {
    client.on('error', () => {})
    gate.watch(client as unknown as PrimaryClient)
  })

  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: limitConnectionsPerUser(pool, pool.options.max) }),
  })
  const runOnce = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const followUps: FollowUps = new Map()
    const result = await beginOf(db).execute(tx => {
      followUpsOf.set(tx as Tx, followUps)
      return work(tx as Tx)
    })
    for (const followUp of followUps.values()) followUp(db)
    return result
  }
  const database: Database = {
    url,
    useServer(known) {
      database.url = known
      ;(pool.options as pg.PoolConfig).connectionString = known
    },
    pool,
    gate,
    db,
    reader: db,
    tx: work => withRetries(() => runOnce(work)),
    close: () => (closed ??= pool.end()),
  }
  return database
}

/** After a wait for a lock the next statement must see what its holder committed, also where the server has another level by default. */
const beginOf = (db: Kysely<Tables>) => db.transaction().setIsolationLevel('read committed')

type FollowUps = Map<string, (db: Db) => void>
const followUpsOf = new WeakMap<Tx, FollowUps>()

/**
 * Has `work` run when the transaction of `Database.tx` has committed, once for each `key`; never
 * after a rollback or a crash. It must not throw.
 */
export const afterCommit = (tx: Tx, key: string, work: (db: Db) => void): void =>
  void followUpsOf.get(tx)?.set(key, work)

const RETRYABLE_CODES = new Set(['40P01', '40001']) // deadlock, serialization failure: nothing was committed
const MAX_ATTEMPTS = 5

/** Runs `attempt`, a whole transaction, again (five times at most) after a deadlock, a serialization failure or a TransactionConflict. */
export async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      const isRetryable =
        error instanceof TransactionConflict
        || RETRYABLE_CODES.has(databaseCode(error) ?? '')
        || isOutdatedStatement(error)
      if (n === MAX_ATTEMPTS || !isRetryable) throw error
      await wait(Math.random() * 10 * 2 ** n)
    }
  }
}

/** The SQLSTATE of a PostgreSQL error, such as '23505'; else undefined. */
export function databaseCode(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Another transaction was faster: `Database.tx` repeats the whole transaction. */
export class TransactionConflict extends Error {
  constructor() {
    super('another transaction has changed what this one was about to use')
  }
}

/** `constraint`: its name in the database. */
export const violatesConstraint = (error: unknown, constraint: string): boolean =>
  databaseCode(error) !== undefined && (error as { constraint?: string }).constraint === constraint

export const lacksPermission = (error: unknown): boolean => databaseCode(error) === '42501'

/** Another row has the same unique key. */
export const isUniqueViolation = (error: unknown): boolean => databaseCode(error) === '23505'

/** Beyond the server's limit, which gives the better message. */
const QUERY_GRACE_MS = 5_000

/**
 * Runs one read-only query with its own time limit instead of that of the pool: for queries over
 * all records.
 */
export async function queryWithTimeout<Row extends object>(
  { pool }: Database,
  text: string,
  timeoutMs: number,
): Promise<Row[]> {
  const client = await pool.connect()
  try {
    await client.query('begin read only')
    await client.query(`set local statement_timeout = ${timeoutMs}`)
    const query = { text, query_timeout: timeoutMs + QUERY_GRACE_MS }
    const { rows } = await client.query<Row>(query)
    await client.query('commit')
    client.release()
    return rows
  } catch (error) {
    // The connection may still run the query, so it leaves the pool.
    client.release(true)
    throw error
  }
}
