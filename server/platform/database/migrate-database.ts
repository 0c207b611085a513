import type { Config } from '#server/platform/config.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { lacksPermission, openDatabase } from './database.ts'
import type { Database } from './database.ts'
import { putLabelArchive } from './label-archive.ts'
import { migrate, pendingMigrations, readMigrations } from './migrate.ts'
import type { MigrationResult } from './migrate.ts'
import { putRetention } from './months.ts'
import { startAtNewestServer } from './primary-client.ts'
import { accessByUrls } from './roles.ts'
import type { DatabaseAccess } from './roles.ts'
import { requireDatabaseServer, waitForDatabase } from './server-check.ts'

export type MigratedDatabase = {
  /** Of PostgreSQL. */
  version: string
  /** Number of the newest migration that this program has. */
  program: number
  applied: string[]
  /** Migrations of a newer version that this one works beside. */
  newer: string[]
}

/**
 * Waits for the server that DATABASE_URL names and finds out how to use it. Throws OperatorError
 * when it cannot be used.
 */
export async function accessOfServer(
  { databaseUrl, databaseOwnerUrl }: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl'>,
  say: (line: string) => void,
): Promise<DatabaseAccess> {
  const variable = databaseOwnerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_OWNER_URL'
  await startAtNewestServer(databaseUrl!)
  const first = openDatabase(databaseOwnerUrl ?? databaseUrl!, { max: 1 })
  await waitForDatabase(first.pool, say, variable).finally(() => first.close())
  return accessByUrls(databaseUrl!, databaseOwnerUrl)
}

/**
 * Applies migrations as the owner, then checks that `database`, the connections of the running program, can work. Without the
 * owner, migrations must have been applied by another process. Throws OperatorError.
 */
export async function migrateDatabase(
  database: Database,
  access: DatabaseAccess,
  config: Config,
  say: (line: string) => void,
): Promise<MigratedDatabase> {
  const migrated =
    access.ownerUrl === null ? null : await migrateAsOwner(access.ownerUrl, access.role, config)
  await waitForDatabase(database.pool, say, 'DATABASE_URL')
  const version = await requireDatabaseServer(database.pool, config)
  if (migrated === null) await requireMigrated(database, access.role)
  const program = migrated?.version ?? (await readMigrations()).length
  return { version, program, applied: migrated?.applied ?? [], newer: migrated?.newer ?? [] }
}

async function migrateAsOwner(
  ownerUrl: string,
  role: string | null,
  config: Config,
): Promise<MigrationResult> {
  const owner = openDatabase(ownerUrl, { max: 1 })
  try {
    await requireDatabaseServer(owner.pool, config)
    const result = await migrate(owner.pool, { role }).catch((error: unknown) => {
      throw lacksPermission(error) ? lacksTables(error as Error, config) : error
    })
    await putRetention(owner.pool, config.evidenceRetentionMonths)
    await putLabelArchive(owner.pool, config.labelArchiveMonths)
    return result
  } finally {
    await owner.close()
  }
}

const lacksTables = (cause: Error, { databaseOwnerUrl }: Config): OperatorError =>
  new OperatorError(
    `The user of ${databaseOwnerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_OWNER_URL'} may not create the tables `
      + `(${cause.message}). Set DATABASE_OWNER_URL to the owner of the database (docs/operations.md, Database users).`,
    { cause },
  )

async function requireMigrated({ pool }: Database, role: string | null): Promise<void> {
  const pending = await pendingMigrations(pool, { role }).catch((error: unknown) => {
    if (lacksPermission(error)) return ['grants.sql']
    throw error
  })
  if (pending.length === 0) return
  throw new OperatorError(
    `The database is not ready for this program (${pending.join(', ')}), and the user ${role} of DATABASE_URL does not own `
      + 'the tables. Start one process with DATABASE_OWNER_URL, which names the owner, or wait until it has started.',
  )
}
