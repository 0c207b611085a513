import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PRODUCT } from '#contract/product.ts'
import {
  clusterPath,
  hasDatabase,
  readClusterPassword,
} from '#server/platform/embedded-postgres/cluster.ts'
import { findClusterLocation } from '#server/platform/embedded-postgres/location.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { readKeyFile, SECRET_KEY_FILE } from '#server/platform/process/secret-key.ts'
import { VERSION } from '#server/platform/process/version.ts'
import { syncFolder } from '#server/platform/storage/durable-files.ts'
import { clusterSize, copyCluster } from './cluster-copy.ts'
import type { ClusterCopy, CopyOptions } from './cluster-copy.ts'
import {
  copyFile,
  DiskSpaceError,
  requireDiskSpace,
  forEachConcurrent,
  createPrivateFolder,
  formatMegabytes,
  progressReporter,
  checksumFile,
  listFileTree,
  writeDurably,
} from './file-copy.ts'
import type { CopiedFile } from './file-copy.ts'
import {
  totalBytes,
  CLUSTER_FOLDER,
  FILES_FOLDER,
  MANIFEST_FILE,
  createManifest,
  PAGES_FOLDER,
  PASSWORD_FILE,
} from './manifest.ts'
import { rehearse } from './restore.ts'
import type { BackupContents, ReadContents } from './staging.ts'

export type BackupOptions = {
  dataDir: string
  /** Each backup is a dated folder below this one. */
  backupsFolder: string
  /** Variables in use, for the person who restores. */
  settings: Record<string, string>
  /** Last paragraph of README.txt. */
  readmeNote: string
  readContents: ReadContents
  /**
   * Test-restores the backup into a scratch folder and checks its contents. Needs space for a
   * second copy.
   */
  rehearsed: boolean
  say: (line: string) => void
  /** Ends the backup before it gets its name; nothing of it is left. */
  signal?: AbortSignal
}

export type Backup = {
  folder: string
  bytes: number
  madeAt: Date
  /** What its test restore found; null without one. */
  contents: BackupContents | null
}

/**
 * Backs up database, stored files, the operator's pages and settings, also while Evenpost runs. The dated folder gets its
 * name when everything is on disk. Throws OperatorError without a database or enough space, or when
 * the test restore fails; where that only lacks space, the backup is kept.
 */
export async function createBackup(options: BackupOptions): Promise<Backup> {
  const { dataDir, rehearsed, say, signal } = options
  if (!(await stat(dataDir).catch(() => undefined)))
    throw new OperatorError(`There is nothing to back up: there is no folder ${dataDir}.`)
  if (!(await hasDatabase(dataDir)))
    throw new OperatorError(`There is nothing to back up: ${dataDir} has no database yet.`)
  const place = await findClusterLocation(dataDir, say)
  const into = resolve(options.backupsFolder)
  const stored = await listFileTree(join(dataDir, 'files'))
  const refuse = refuseFolder(into)
  await mkdir(into, { recursive: true, mode: 0o700 }).catch(refuse)
  const clusterBytes = await clusterSize(clusterPath(place))
  await requireDiskSpace(into, neededBytes(clusterBytes, totalBytes(stored.files), rehearsed))

  const draft = await mkdtemp(join(into, '.unfinished-')).catch(refuse)
  try {
    const postgres = await startPostgres({ dataDir, log: say, exclusive: false })
    const cluster = await copyCluster(
      postgres.ownerUrl,
      clusterPath(place),
      join(draft, CLUSTER_FOLDER),
      { say, signal },
    ).finally(() => postgres.stop())
    const password = await readClusterPassword(place)
    // After the database: every file that it names exists by then.
    const copied = [await copyFolder(dataDir, FILES_FOLDER, draft, { say, signal })]
    if (await stat(join(dataDir, PAGES_FOLDER)).catch(() => undefined))
      copied.push(await copyFolder(dataDir, PAGES_FOLDER, draft, { say, signal }))
    const { settings, readmeNote, readContents } = options
    const secretKey = await readKeyFile(dataDir)
    const parts = { cluster, copied, password, secretKey, settings, readmeNote }
    const bytes = await writeManifest(draft, parts)
    await syncFolders(draft)
    const contents = rehearsed
      ? await rehearse({ folder: draft, parent: into, readContents, say, signal }).catch(
          keepWithoutSpace,
        )
      : null
    const lacksSpace = contents instanceof DiskSpaceError
    // A backup that lacks only space for its test restore is kept.
    if (!lacksSpace) signal?.throwIfAborted()
    const folder = await nameFolder(draft, into, cluster.madeAt)
    const madeAt = cluster.madeAt.toISOString()
    await recordBackup(dataDir, { folder, madeAt, bytes, rehearsed: rehearsed && !lacksSpace })
    if (lacksSpace)
      throw new OperatorError(
        `The backup is complete and is kept in ${folder}, but it could not be test-restored. ${contents.message} `
          + `npm run restore -- "${folder}" --rehearse then does so.`,
      )
    return { folder, bytes, madeAt: cluster.madeAt, contents }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

const refuseFolder =
  (folder: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw new OperatorError(
      `Backups cannot be written to ${folder} (${error.code}). Name a folder that this user may write to.`,
      { cause: error },
    )
  }

/** A test restore copies database and files once more. */
export const neededBytes = (cluster: number, files: number, rehearsed: boolean): number =>
  (cluster + files) * (rehearsed ? 2 : 1)

/** The disk may have become fuller meanwhile: no reason to lose the backup. */
function keepWithoutSpace(error: unknown): DiskSpaceError {
  if (error instanceof DiskSpaceError) return error
  throw error
}

type FolderCopy = { folders: string[]; files: CopiedFile[] }

/** Paths of the result begin with `name`. */
async function copyFolder(
  dataDir: string,
  name: string,
  draft: string,
  { say, signal }: CopyOptions,
): Promise<FolderCopy> {
  const { folders, files } = await listFileTree(
    join(dataDir, name),
    path => !path.endsWith('.part'),
  )
  await createPrivateFolder(join(draft, name))
  for (const folder of folders) await createPrivateFolder(join(draft, name, folder))
  const report = progressReporter(`Copying the ${name}`, totalBytes(files), say)
  const copied: CopiedFile[] = []
  const copy = async ({ path }: { path: string }): Promise<void> => {
    const done = await copyFile(join(dataDir, name, path), join(draft, name, path))
    if (done) copied.push({ path: `${name}/${path}`, ...done })
    report(done?.bytes ?? 0)
  }
  await forEachConcurrent(files, copy, signal)
  return { folders: [name, ...folders.map(folder => `${name}/${folder}`)], files: copied }
}

type BackupParts = {
  cluster: ClusterCopy
  /** The stored files, and the operator's pages where there are some. */
  copied: FolderCopy[]
  password: string
  /** Null when SECRET_KEY is used instead. */
  secretKey: string | null
  settings: Record<string, string>
  readmeNote: string
}

/**
 * Writes the password, the settings, README.txt and, last, the manifest. Returns the bytes of the
 * backup.
 */
async function writeManifest(
  draft: string,
  { cluster, copied, password, secretKey, settings, readmeNote }: BackupParts,
): Promise<number> {
  const own = {
    [PASSWORD_FILE]: `${password}\n`,
    ...(secretKey !== null && { [SECRET_KEY_FILE]: `${secretKey}\n` }),
    'settings.json': `${JSON.stringify(settings, null, 2)}\n`,
    'README.txt': readmeText(cluster.madeAt, readmeNote),
  }
  for (const [name, text] of Object.entries(own)) await writeDurably(join(draft, name), text)
  const checksums = await Promise.all(Object.keys(own).map(name => checksumAt(draft, name)))
  const all = [
    ...cluster.files.map(file => ({ ...file, path: `${CLUSTER_FOLDER}/${file.path}` })),
    ...copied.flatMap(({ files }) => files),
    ...checksums,
  ]
  const manifest = createManifest({
    version: VERSION,
    madeAt: cluster.madeAt.toISOString(),
    mode: cluster.mode,
    postgres: cluster.postgres,
    migrations: cluster.migrations,
    folders: [
      CLUSTER_FOLDER,
      ...cluster.folders.map(path => `${CLUSTER_FOLDER}/${path}`),
      ...copied.flatMap(({ folders }) => folders),
    ],
    files: all.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  })
  await writeDurably(join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`)
  return totalBytes(all)
}

const checksumAt = async (folder: string, name: string): Promise<CopiedFile> => ({
  path: name,
  ...(await checksumFile(join(folder, name)))!,
})

const readmeText = (
  madeAt: Date,
  note: string,
): string => `This is a backup of ${PRODUCT} ${VERSION}, made ${madeAt.toISOString()}.

It contains the database (cluster), the stored files (files), the pages of this site (pages), the database's password, the secret key, and
which settings were in use (settings.json; the values of secrets are left out). It contains personal data: keep it private.

To restore it:     npm run restore -- <this folder>
To test it only:   npm run restore -- <this folder> --rehearse

${note}
`

async function syncFolders(folder: string): Promise<void> {
  const { folders } = await listFileTree(folder)
  for (const below of folders.toReversed()) await syncFolder(join(folder, below))
  await syncFolder(folder)
}

/**
 * 'evenpost-2026-11-21T09-30-05Z': valid on every system and sorted by age; a number is added when
 * the name exists.
 */
async function nameFolder(draft: string, into: string, madeAt: Date): Promise<string> {
  const name = `evenpost-${madeAt.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}`
  for (let n = 1; n < 100; n++) {
    const folder = join(into, n === 1 ? name : `${name}-${n}`)
    if (await stat(folder).catch(() => undefined)) continue
    await rename(draft, folder)
    await syncFolder(into)
    return folder
  }
  throw new OperatorError(`There are already a hundred backups named ${name} in ${into}.`)
}

const LAST_BACKUP_FILE = 'last-backup.json'
export type LastBackup = { folder: string; madeAt: string; bytes: number; rehearsed: boolean }

async function recordBackup(dataDir: string, note: LastBackup): Promise<void> {
  const path = join(await realpath(dataDir), LAST_BACKUP_FILE)
  await writeFile(`${path}.new`, `${JSON.stringify(note)}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** The last backup of this data folder; null when there was none. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  const text = await readFile(join(dataDir, LAST_BACKUP_FILE), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as LastBackup)
}

export const backupSummary = ({ folder, bytes, contents }: Backup): string =>
  [
    `The backup is in ${folder} (${formatMegabytes(bytes)}).`,
    contents
      ? `A test restore succeeded: ${contents.summary}`
      : `It was not test-restored: npm run restore -- "${folder}" --rehearse does so.`,
    `It is on the disk of ${dirname(folder)}: copy it to another machine.`,
  ].join('\n')
