import { chmod, glob, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { EVIDENCE_TABLES } from '#server/evidence.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { keepMonths } from '#server/platform/database/months.ts'
import { APP_ROLE, logPath } from '#server/platform/embedded-postgres/cluster.ts'
import { findClusterLocation } from '#server/platform/embedded-postgres/location.ts'
import { isAlive } from '#server/platform/embedded-postgres/postmaster.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface ProvidedContext {
    /** The template of every test database, by its owner. No connection is ever open to it. */
    ownerUrl: string
    /** The same by the server's role. */
    appUrl: string
    /** postgres.log of all test databases. */
    databaseLog: string
    /** Deleted when the run ends, with what is written after a test file is done. */
    runFolder: string
  }
}

const PREFIX = 'evenpost-tests-'

/**
 * Runs once for a whole test run: one PostgreSQL on a folder that is thrown away, and in it one database, migrated, that
 * `testDatabase()` clones.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers()
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
  await chmod(folder, 0o711) // started as root, the server runs as another user
  const dataDir = join(folder, 'data')
  const said: string[] = []
  try {
    const postgres = await startPostgres({ dataDir, testMode: true, log: line => said.push(line) })
    const owner = openDatabase(postgres.ownerUrl, { max: 1 })
    await prepareTemplate(owner.pool).finally(() => owner.close())
    project.provide('ownerUrl', postgres.ownerUrl)
    project.provide('appUrl', postgres.url)
    project.provide('runFolder', folder)
    project.provide('databaseLog', logPath(await findClusterLocation(dataDir, () => {})))
    return async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    }
  } catch (error) {
    console.error(said.join('\n'))
    throw error
  }
}

async function prepareTemplate(pool: pg.Pool): Promise<void> {
  await migrate(pool, { role: APP_ROLE })
  await keepMonths(pool, EVIDENCE_TABLES, { say() {}, isStopped: () => false })
}

/** Puts to rest what a run that was killed has left: its server outlives it by design. */
async function removeLeftovers(): Promise<void> {
  for await (const name of glob(`${PREFIX}*-*`, { cwd: tmpdir() })) {
    const runner = Number(name.slice(PREFIX.length).split('-')[0])
    if (!(runner > 0) || isAlive(runner)) continue
    const folder = join(tmpdir(), name)
    // Like every start: it takes over an unused server and refuses one in use.
    const left = await startPostgres({
      dataDir: join(folder, 'data'),
      testMode: true,
      log: () => {},
    }).catch(() => undefined)
    await left?.stop()
    if (left) await rm(folder, { recursive: true, force: true })
  }
}
