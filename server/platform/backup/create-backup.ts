import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PRODUCT } from '#contract/product.ts'
import {
  clusterPath,
  hasCluster,
  readClusterPassword,
} from '#server/platform/embedded-postgres/cluster.ts'
import { findClusterLocation } from '#server/platform/embedded-postgres/location.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { VERSION } from '#server/platform/process/version.ts'
import { clusterSize, copyCluster } from './cluster-copy.ts'
import type { ClusterCopy } from './cluster-copy.ts'
import {
  copyFile,
  requireDiskSpace,
  forEachConcurrent,
  createPrivateFolder,
  formatMegabytes,
  progressReporter,
  checksumFile,
  syncFolder,
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
  PASSWORD_FILE,
} from './manifest.ts'
import { rehearse } from './restore.ts'
import type { BackupContents } from './staging.ts'

export type BackupOptions = {
  dataDir: string
  /** The folder in which backups stand, each in a dated folder of its own. */
  backupsFolder: string
  /** What the operator has set, to be read by a person who builds the house up again. */
  settings: Record<string, string>
  /** Puts the backup back into a scratch folder and looks at the books in it. Needs room for a second copy. */
  rehearsed: boolean
  say: (line: string) => void
}

export type Backup = {
  folder: string
  bytes: number
  madeAt: Date
  contents: BackupContents | null
}

/**
 * Backs up database, label files and settings of a data folder into a new dated folder, whether or not the house is running. The
 * folder gets its name when all of it is on the disk. Throws Trouble when there is no database, no room, or the rehearsal fails.
 */
export async function createBackup(options: BackupOptions): Promise<Backup> {
  const { dataDir, rehearsed, say } = options
  if (!(await stat(dataDir).catch(() => undefined)))
    throw new OperatorError(`There is nothing to back up: there is no folder ${dataDir}.`)
  const place = await findClusterLocation(dataDir, say)
  if (!(await hasCluster(place)))
    throw new OperatorError(`There is nothing to back up: ${dataDir} has no database yet.`)
  const into = resolve(options.backupsFolder)
  const labels = await listFileTree(join(dataDir, 'files'))
  await mkdir(into, { recursive: true, mode: 0o700 })
  const clusterBytes = await clusterSize(clusterPath(place))
  await requireDiskSpace(into, clusterBytes * (rehearsed ? 2 : 1) + totalBytes(labels.files))

  const draft = await mkdtemp(join(into, '.unfinished-'))
  try {
    const postgres = await startPostgres({ dataDir, log: say, exclusive: false })
    const cluster = await copyCluster(
      postgres.url,
      clusterPath(place),
      join(draft, CLUSTER_FOLDER),
      say,
    ).finally(() => postgres.stop())
    const password = await readClusterPassword(place)
    // After the database: what it knows of is there by then.
    const files = await copyStoredFiles(join(dataDir, 'files'), draft, say)
    const parts = { cluster, files, password, settings: options.settings }
    const bytes = await writeManifest(draft, parts)
    await syncFolders(draft)
    const holding = rehearsed ? await rehearse(draft, into, say) : null
    const folder = await nameFolder(draft, into, cluster.madeAt)
    await recordBackup(dataDir, { folder, madeAt: cluster.madeAt.toISOString(), bytes, rehearsed })
    return { folder, bytes, madeAt: cluster.madeAt, contents: holding }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function copyStoredFiles(
  from: string,
  draft: string,
  say: (line: string) => void,
): Promise<{ folders: string[]; files: CopiedFile[] }> {
  const { folders, files } = await listFileTree(from, path => !path.endsWith('.part'))
  await createPrivateFolder(join(draft, FILES_FOLDER))
  for (const folder of folders) await createPrivateFolder(join(draft, FILES_FOLDER, folder))
  const tell = progressReporter('Copying the label files', totalBytes(files), say)
  const copied: CopiedFile[] = []
  await forEachConcurrent(files, async ({ path }) => {
    const done = await copyFile(join(from, path), join(draft, FILES_FOLDER, path))
    if (done) copied.push({ path, ...done })
    tell(done?.bytes ?? 0)
  })
  return { folders, files: copied }
}

type BackupParts = {
  cluster: ClusterCopy
  files: { folders: string[]; files: CopiedFile[] }
  password: string
  settings: Record<string, string>
}

/** The password, the settings, a page for whoever finds the folder, and last the manifest. Returns the bytes of the whole. */
async function writeManifest(
  draft: string,
  { cluster, files, password, settings }: BackupParts,
): Promise<number> {
  const own = {
    [PASSWORD_FILE]: `${password}\n`,
    'settings.json': `${JSON.stringify(settings, null, 2)}\n`,
    'README.txt': readmeText(cluster.madeAt),
  }
  for (const [name, text] of Object.entries(own)) await writeDurably(join(draft, name), text)
  const sums = await Promise.all(Object.keys(own).map(name => checksumAt(draft, name)))
  const below = (folder: string, list: string[]): string[] => [
    folder,
    ...list.map(path => `${folder}/${path}`),
  ]
  const all = [
    ...cluster.files.map(file => ({ ...file, path: `${CLUSTER_FOLDER}/${file.path}` })),
    ...files.files.map(file => ({ ...file, path: `${FILES_FOLDER}/${file.path}` })),
    ...sums,
  ]
  const manifest = createManifest({
    version: VERSION,
    madeAt: cluster.madeAt.toISOString(),
    mode: cluster.mode,
    postgres: cluster.postgres,
    migrations: cluster.migrations,
    folders: [...below(CLUSTER_FOLDER, cluster.folders), ...below(FILES_FOLDER, files.folders)],
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
): string => `This is a backup of ${PRODUCT} ${VERSION}, made ${madeAt.toISOString()}.

It holds the database (cluster), the label files (files), the database's password, and which settings were in use
(settings.json; the values of secrets are left out). It holds addresses of customers: keep it private.

To put it back:    npm run restore -- <this folder>
To try it only:    npm run restore -- <this folder> --rehearse

After a restore the carrier is asked what became of every label that was open here, before anything is bought.
`

async function syncFolders(folder: string): Promise<void> {
  const { folders } = await listFileTree(folder)
  for (const below of folders.toReversed()) await syncFolder(join(folder, below))
  await syncFolder(folder)
}

/** '2026-11-21T09-30-05Z': a name on every system, sorted by age. A name that is taken is left alone. */
async function nameFolder(draft: string, into: string, madeAt: Date): Promise<string> {
  const day = `evenpost-${madeAt.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}`
  for (let n = 1; n < 100; n++) {
    const folder = join(into, n === 1 ? day : `${day}-${n}`)
    if (await stat(folder).catch(() => undefined)) continue
    await rename(draft, folder)
    await syncFolder(into)
    return folder
  }
  throw new OperatorError(`There are a hundred backups named ${day} in ${into} already.`)
}

const LAST_BACKUP_FILE = 'last-backup.json'
export type LastBackup = { folder: string; madeAt: string; bytes: number; rehearsed: boolean }

/** For the doctor; the backup itself does not depend on it. */
async function recordBackup(dataDir: string, note: LastBackup): Promise<void> {
  const path = join(await realpath(dataDir), LAST_BACKUP_FILE)
  await writeFile(`${path}.new`, `${JSON.stringify(note)}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** What the last backup of this data folder was; null when there was none. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  const text = await readFile(join(dataDir, LAST_BACKUP_FILE), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as LastBackup)
}

/** What the operator reads when a backup is done. */
export const backupSummary = ({ folder, bytes, contents }: Backup): string =>
  [
    `The backup is in ${folder} (${formatMegabytes(bytes)}).`,
    contents
      ? `It was put back on trial: ${contents.summary}`
      : `It was not put back on trial: npm run restore -- "${folder}" --rehearse does so.`,
    `It is on the disk of ${dirname(folder)}: copy it to another machine.`,
  ].join('\n')
