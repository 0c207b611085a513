import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
// Declares what is injected, also where only this file is compiled.
import type {} from './global-setup.ts'

type TestConnections = Database & {
  /** For a second pool or another process. */
  url: string
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
  const connect = (url: string): TestConnections => ({
    ...openDatabase(url, { max: 10, name: `test ${name}` }),
    url,
  })
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
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

function urlForDatabase(template: URL, name: string): string {
  const url = new URL(template)
  url.pathname = `/${name}`
  return url.href
}
