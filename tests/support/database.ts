import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { databaseCode, openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
// Declares what is injected, also where only this file is compiled.
import type {} from './global-setup.ts'

type TestConnections = Database & {
  /** For a second pool or another process. */
  url: string
}

/**
 * In place of the program's own limits: a process of PostgreSQL or of the tests may stand still, and no test is about these
 * limits. Each new connection reads them. Processes that a test starts open the URL and have the program's.
 */
const PATIENT_LIMITS = {
  connectionTimeoutMillis: 600_000,
  idle_in_transaction_session_timeout: 300_000,
  lock_timeout: 300_000,
  statement_timeout: 600_000,
  // Longer than the server's own limit, which gives the better message.
  query_timeout: 660_000,
}

/** A test database by the server's role, and by the owner for what a test sets up or damages. */
export type TestDatabase = TestConnections & { owner: TestConnections }

/**
 * An empty, migrated database of this test file's own, gone when the file is done. Call it at the top of the file:
 * `const database = await testDatabase()`.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { database, drop } = await cloneDatabase()
  afterAll(drop)
  return database
}

/** A database of its own for a test that damages it; the test drops it. */
export async function cloneDatabase(): Promise<{
  database: TestDatabase
  drop: () => Promise<void>
}> {
  const [template, appTemplate] = [new URL(inject('ownerUrl')), new URL(inject('appUrl'))]
  const name = `t_${randomBytes(6).toString('hex')}`
  await runAsSuperuser(template, [
    `create database ${name} template ${template.pathname.slice(1)} strategy file_copy`,
    // A copy does not have the rights of its template.
    `revoke temporary on database ${name} from public`,
  ])
  const connect = (url: string): TestConnections => {
    const opened = openDatabase(url, { max: 10, name: `test ${name}` })
    Object.assign(opened.pool.options, PATIENT_LIMITS)
    return { ...opened, url }
  }
  const owner = connect(urlForDatabase(template, name))
  const database = connect(urlForDatabase(appTemplate, name))
  const drop = async (): Promise<void> => {
    await Promise.all([database.close(), owner.close()])
    // `force`: a process that the test started and killed may still be connected.
    await runAsSuperuser(template, [`drop database ${name} with (force)`])
  }
  return { database: { ...database, owner }, drop }
}

/** Each in a transaction of its own: a database cannot be made in one with others. */
async function runAsSuperuser(template: URL, statements: string[]): Promise<void> {
  const client = new pg.Client(urlForDatabase(template, 'postgres'))
  await client.connect()
  try {
    for (const statement of statements) await runWhenUnused(client, statement)
  } finally {
    await client.end()
  }
}

const IN_USE = '55006'
const IN_USE_PATIENCE_MS = 300_000

/** Repeats a statement that is refused because the database is in use: PostgreSQL waits only five seconds for its connections to end. */
async function runWhenUnused(client: pg.Client, statement: string): Promise<void> {
  for (const end = Date.now() + IN_USE_PATIENCE_MS; ; await wait(1_000)) {
    try {
      await client.query(statement)
      return
    } catch (error) {
      if (databaseCode(error) !== IN_USE || Date.now() > end) throw error
    }
  }
}

function urlForDatabase(template: URL, name: string): string {
  const url = new URL(template)
  url.pathname = `/${name}`
  return url.href
}
