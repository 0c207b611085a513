import { chmod, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { findDevelopmentMigration, readMigrations } from '#server/platform/database/migrate.ts'
import { hasCluster } from '#server/platform/embedded-postgres/cluster.ts'
import { findClusterLocation } from '#server/platform/embedded-postgres/location.ts'
import { DataDirInUseError, startPostgres } from '#server/platform/embedded-postgres/start.ts'
import type { Postgres } from '#server/platform/embedded-postgres/start.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { requireDiskSpace, syncFolder } from './file-copy.ts'
import { totalBytes, readManifest, verifyFiles } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { stageCluster, stageFiles, recoverAndMark } from './staging.ts'
import type { BackupContents } from './staging.ts'

export type RestoreOptions = {
  /** The folder of one backup. */
  folder: string
  dataDir: string
  /** Sets a database that is there aside; without it the restore is refused. */
  replace: boolean
  /** With both databases open, before the old one is set aside: brings over what is not of this house. Answers with a sentence. */
  carryOver?: (old: Database, restored: Database) => Promise<string>
  say: (line: string) => void
}

export type RestoreResult = { madeAt: Date; contents: BackupContents; previousPaths: string[] }

/**
 * Puts a backup into a data folder. All of it is checked, built beside the place, started, marked as restored and stopped before it
 * gets its name, so a restore that is cut short has changed nothing. Throws Trouble: no backup, damaged, made by a newer program,
 * no room, a database is there (without `replace`), or a living copy uses it.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { dataDir, replace, say } = options
  const folder = resolve(options.folder)
  const manifest = await readManifest(folder)
  await requireKnownMigrations(manifest)
  const place = await findClusterLocation(dataDir, say)
  const isThere = await hasCluster(place)
  if (isThere && !replace) {
    throw new OperatorError(
      `${dataDir} has a database already, and nothing was changed. Restore into another folder (DATA_DIR=…), `
        + 'or add --replace: the database that is there is then kept beside it under another name.',
    )
  }
  const old = isThere ? await startOldDatabase(dataDir, say) : undefined
  const drafts: string[] = []
  try {
    await requireDiskSpace(dirname(place.path), totalBytes(manifest.files))
    say('Checking every file of the backup')
    await verifyFiles(folder, manifest)
    const cluster = await stageCluster({ folder, manifest, place, dataDir, say }, draft =>
      drafts.push(draft),
    )
    const files = await stageFiles({ folder, manifest, place, dataDir, say }, draft =>
      drafts.push(draft),
    )
    const holding = await recoverAndMark(
      { path: cluster, user: place.user },
      folder,
      say,
      restored => runCarryOver(options, old, restored),
    )
    await old?.stop()
    const aside = await swapFolders([
      [files, join(dataDir, 'files')],
      [cluster, place.path],
    ])
    return { madeAt: new Date(manifest.madeAt), contents: holding, previousPaths: aside }
  } catch (error) {
    for (const draft of drafts) await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    await old?.stop()
  }
}

/** The new one takes the old one's name, and the old one is kept under another. The database comes last. Returns what was kept. */
async function swapFolders(pairs: [from: string, to: string][]): Promise<string[]> {
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  const aside: string[] = []
  for (const [from, to] of pairs) {
    if (await stat(to).catch(() => undefined)) {
      await rename(to, `${to}.before-${time}`)
      aside.push(`${to}.before-${time}`)
    }
    await rename(from, to)
    await syncFolder(dirname(to))
  }
  return aside
}

async function runCarryOver(
  { carryOver, say }: RestoreOptions,
  old: Postgres | undefined,
  restored: Database,
): Promise<void> {
  if (!old || !carryOver) return
  const database = openDatabase(old.url, { max: 2, name: 'evenpost restore' })
  try {
    say(await carryOver(database, restored))
  } finally {
    await database.close()
  }
}

/** Puts a backup back into a scratch folder below `beside`, looks at its books and takes it away again. Throws Trouble. */
export async function rehearse(
  folder: string,
  beside: string,
  say: (line: string) => void,
): Promise<BackupContents> {
  const scratch = await mkdtemp(join(beside, '.rehearsal-'))
  await chmod(scratch, 0o711) // started as root, the server runs as another user
  const dataDir = join(scratch, 'data')
  say('Putting the backup back on trial')
  try {
    const { contents } = await restoreBackup({ folder, dataDir, replace: false, say: () => {} })
    if (contents.violations.length === 0) return contents
    throw new OperatorError(
      `The backup could be put back, but its books do not balance:\n  - ${contents.violations.slice(0, 5).join('\n  - ')}`,
    )
  } finally {
    // It may have had to live elsewhere.
    const elsewhere = await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => '')
    if (elsewhere.trim()) await rm(elsewhere.trim(), { recursive: true, force: true })
    await rm(scratch, { recursive: true, force: true })
  }
}

async function requireKnownMigrations(manifest: Manifest): Promise<void> {
  const migrations = await readMigrations()
  const development = findDevelopmentMigration(manifest.migrations, migrations)
  if (development) {
    throw new OperatorError(
      `This backup was made by an unreleased development version of Evenpost (its database has migration ${development}), `
        + 'and this version cannot restore it.',
    )
  }
  const unknown = manifest.migrations.filter(name => !migrations.some(known => known.name === name))
  if (unknown.length === 0) return
  throw new OperatorError(
    `This backup was made by a newer program (version ${manifest.version}): its database has ${unknown.join(', ')}. `
      + 'Install that version or a later one, and restore with it.',
  )
}

/** Takes possession of the database that is to be replaced, so that nobody starts it meanwhile. One that cannot start is left as it is. */
async function startOldDatabase(
  dataDir: string,
  say: (line: string) => void,
): Promise<Postgres | undefined> {
  try {
    return await startPostgres({ dataDir, log: say })
  } catch (error) {
    if (error instanceof DataDirInUseError) throw error
    say(
      `The database that is there does not start (${(error as Error).message.split('\n')[0]}); it is kept as it is`,
    )
    return undefined
  }
}
