import { chmod, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { findDevelopmentMigration, readMigrations } from '#server/platform/database/migrate.ts'
import { hasCluster } from '#server/platform/embedded-postgres/cluster.ts'
import { findClusterLocation } from '#server/platform/embedded-postgres/location.ts'
import { DataDirInUseError, startPostgres } from '#server/platform/embedded-postgres/start.ts'
import type { OwnedPostgres } from '#server/platform/embedded-postgres/start.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { SECRET_KEY_FILE } from '#server/platform/process/secret-key.ts'
import { syncFolder } from '#server/platform/storage/durable-files.ts'
import { requireDiskSpace } from './file-copy.ts'
import { PAGES_FOLDER, totalBytes, readManifest, verifyFiles } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { stageCluster, stageFiles, stagePages, stageSecretKey, recoverAndMark } from './staging.ts'
import type { BackupContents, ReadContents } from './staging.ts'

export type RestoreOptions = {
  folder: string
  dataDir: string
  /** Renames an existing database; else the restore is refused. */
  replace: boolean
  /**
   * Called with both databases open, before the old one is renamed: copies what a backup must not
   * roll back. Returns a sentence.
   */
  carryOver?: (old: Database, restored: Database) => Promise<string>
  readContents: ReadContents
  say: (line: string) => void
  /** Ends the restore before anything is renamed, so that nothing has changed. */
  signal?: AbortSignal | undefined
}

export type RestoreResult = { madeAt: Date; contents: BackupContents; previousPaths: string[] }

/**
 * The restored data is checked, built beside the final folders, started once and marked as restored
 * before it is renamed, so an interrupted restore has changed nothing. Throws OperatorError: no
 * complete backup, damaged, of a newer program, not enough space, or an existing database that is
 * in use or not to be replaced.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { dataDir, replace, say, signal } = options
  const folder = resolve(options.folder)
  const manifest = await readManifest(folder)
  await requireKnownMigrations(manifest)
  const place = await findClusterLocation(dataDir, say)
  const exists = await hasCluster(place)
  if (exists && !replace) {
    throw new OperatorError(
      `${dataDir} has a database already, and nothing was changed. Restore into another folder (DATA_DIR=…), `
        + 'or run npm run restore -- <folder> --replace: the existing database is then renamed and stays beside it.',
    )
  }
  const old = exists ? await startOldDatabase(dataDir, say) : undefined
  const drafts: string[] = []
  try {
    await requireDiskSpace(dirname(place.path), totalBytes(manifest.files))
    say('Checking every file of the backup')
    await verifyFiles(folder, manifest, signal)
    const source = { folder, manifest, place, dataDir, say, signal }
    const onCreated = (draft: string): void => void drafts.push(draft)
    const cluster = await stageCluster(source, onCreated)
    const files = await stageFiles(source, onCreated)
    const pages = await stagePages(source, onCreated)
    const contents = await recoverAndMark(
      {
        place: { path: cluster, user: place.user },
        folder,
        readContents: options.readContents,
        say,
      },
      restored => runCarryOver(options, old, restored),
    )
    const key = await stageSecretKey(source)
    if (key) drafts.push(key)
    await old?.stop()
    // From here on it is completed: some folders of the backup beside others of before are no state to stop in.
    signal?.throwIfAborted()
    const previousPaths = await swapFolders([
      ...(key ? [[key, join(dataDir, SECRET_KEY_FILE)] as [string, string]] : []),
      ...(pages ? [[pages, join(dataDir, PAGES_FOLDER)] as [string, string]] : []),
      [files, join(dataDir, 'files')],
      [cluster, place.path],
    ])
    return { madeAt: new Date(manifest.madeAt), contents, previousPaths }
  } catch (error) {
    for (const draft of drafts) await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    await old?.stop()
  }
}

/**
 * Renames each old folder and gives its name to the new one. The database is last. Returns the new
 * names of the old folders.
 */
async function swapFolders(pairs: [from: string, to: string][]): Promise<string[]> {
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  const previousPaths: string[] = []
  for (const [from, to] of pairs) {
    if (await stat(to).catch(() => undefined)) {
      await rename(to, `${to}.before-${time}`)
      previousPaths.push(`${to}.before-${time}`)
    }
    await rename(from, to)
    await syncFolder(dirname(to))
  }
  return previousPaths
}

async function runCarryOver(
  { carryOver, say }: RestoreOptions,
  old: OwnedPostgres | undefined,
  restored: Database,
): Promise<void> {
  if (!old || !carryOver) return
  const database = openDatabase(old.ownerUrl, { max: 2, name: 'evenpost restore' })
  try {
    say(await carryOver(database, restored))
  } finally {
    await database.close()
  }
}

export type RehearsalOptions = {
  folder: string
  parent: string
  readContents: ReadContents
  say: (line: string) => void
  signal?: AbortSignal | undefined
}

/**
 * Restores a backup into a scratch folder, checks its contents and deletes it. Throws
 * OperatorError.
 */
export async function rehearse({
  folder,
  parent,
  readContents,
  say,
  signal,
}: RehearsalOptions): Promise<BackupContents> {
  const scratch = await mkdtemp(join(parent, '.rehearsal-'))
  await chmod(scratch, 0o711) // started as root, the server runs as another user
  const dataDir = join(scratch, 'data')
  say('Test-restoring the backup')
  try {
    const { contents } = await restoreBackup({
      folder,
      dataDir,
      replace: false,
      readContents,
      say: () => {},
      signal,
    })
    if (contents.violations.length === 0) return contents
    throw new OperatorError(
      `The backup could be restored, but its records are not consistent:\n  - ${contents.violations.slice(0, 5).join('\n  - ')}`,
    )
  } finally {
    // Started as root, the cluster may be outside the data folder.
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

/** Locks the database that will be replaced. Returns undefined when it cannot start. */
async function startOldDatabase(
  dataDir: string,
  say: (line: string) => void,
): Promise<OwnedPostgres | undefined> {
  try {
    return await startPostgres({ dataDir, log: say })
  } catch (error) {
    if (error instanceof DataDirInUseError) throw error
    say(
      `The existing database does not start (${(error as Error).message.split('\n')[0]}); it is left unchanged`,
    )
    return undefined
  }
}
