import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PRODUCT } from '#contract/product.ts'
import { clusterOf, hasCluster, passwordOf } from '#server/platform/postgres/cluster.ts'
import { findPlace } from '#server/platform/postgres/place.ts'
import { startPostgres } from '#server/platform/postgres/start.ts'
import { VERSION } from '#server/platform/system.ts'
import { Trouble } from '#server/platform/trouble.ts'
import { clusterSize, copyCluster } from './cluster-copy.ts'
import type { ClusterCopy } from './cluster-copy.ts'
import {
  copyFile,
  demandRoom,
  each,
  makeFolder,
  megabytes,
  progress,
  sumOf,
  syncFolder,
  walk,
  writeSafely,
} from './copy.ts'
import type { Copied } from './copy.ts'
import type { Holding } from './draft.ts'
import { bytesOf, CLUSTER, FILES, MANIFEST, newManifest, PASSWORD } from './manifest.ts'
import { rehearse } from './restore.ts'

export type BackupOptions = {
  dataDir: string
  /** The folder in which backups stand, each in a dated folder of its own. */
  into: string
  /** What the operator has set, to be read by a person who builds the house up again. */
  settings: Record<string, string>
  /** Puts the backup back into a scratch folder and looks at the books in it. Needs room for a second copy. */
  rehearsed: boolean
  say: (line: string) => void
}

export type Backup = { folder: string; bytes: number; madeAt: Date; holding: Holding | null }

/**
 * Backs up database, label files and settings of a data folder into a new dated folder, whether or not the house is running. The
 * folder gets its name when all of it is on the disk. Throws Trouble when there is no database, no room, or the rehearsal fails.
 */
export async function makeBackup(options: BackupOptions): Promise<Backup> {
  const { dataDir, rehearsed, say } = options
  if (!(await stat(dataDir).catch(() => undefined)))
    throw new Trouble(`There is nothing to back up: there is no folder ${dataDir}.`)
  const place = await findPlace(dataDir, say)
  if (!(await hasCluster(place)))
    throw new Trouble(`There is nothing to back up: ${dataDir} has no database yet.`)
  const into = resolve(options.into)
  const labels = await walk(join(dataDir, 'files'))
  await mkdir(into, { recursive: true, mode: 0o700 })
  const clusterBytes = await clusterSize(clusterOf(place))
  await demandRoom(into, clusterBytes * (rehearsed ? 2 : 1) + bytesOf(labels.files))

  const draft = await mkdtemp(join(into, '.unfinished-'))
  try {
    const postgres = await startPostgres({ dataDir, log: say, exclusive: false })
    const cluster = await copyCluster(
      postgres.url,
      clusterOf(place),
      join(draft, CLUSTER),
      say,
    ).finally(() => postgres.stop())
    const password = await passwordOf(place)
    // After the database: what it knows of is there by then.
    const files = await copyLabels(join(dataDir, 'files'), draft, say)
    const parts = { cluster, files, password, settings: options.settings }
    const bytes = await writeRest(draft, parts)
    await syncAll(draft)
    const holding = rehearsed ? await rehearse(draft, into, say) : null
    const folder = await giveName(draft, into, cluster.madeAt)
    await noteBackup(dataDir, { folder, madeAt: cluster.madeAt.toISOString(), bytes, rehearsed })
    return { folder, bytes, madeAt: cluster.madeAt, holding }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function copyLabels(
  from: string,
  draft: string,
  say: (line: string) => void,
): Promise<{ folders: string[]; files: Copied[] }> {
  const { folders, files } = await walk(from, path => !path.endsWith('.part'))
  await makeFolder(join(draft, FILES))
  for (const folder of folders) await makeFolder(join(draft, FILES, folder))
  const tell = progress('Copying the label files', bytesOf(files), say)
  const copied: Copied[] = []
  await each(files, async ({ path }) => {
    const done = await copyFile(join(from, path), join(draft, FILES, path))
    if (done) copied.push({ path, ...done })
    tell(done?.bytes ?? 0)
  })
  return { folders, files: copied }
}

type Parts = {
  cluster: ClusterCopy
  files: { folders: string[]; files: Copied[] }
  password: string
  settings: Record<string, string>
}

/** The password, the settings, a page for whoever finds the folder, and last the manifest. Returns the bytes of the whole. */
async function writeRest(
  draft: string,
  { cluster, files, password, settings }: Parts,
): Promise<number> {
  const own = {
    [PASSWORD]: `${password}\n`,
    'settings.json': `${JSON.stringify(settings, null, 2)}\n`,
    'README.txt': readMe(cluster.madeAt),
  }
  for (const [name, text] of Object.entries(own)) await writeSafely(join(draft, name), text)
  const sums = await Promise.all(Object.keys(own).map(name => sumAt(draft, name)))
  const below = (folder: string, list: string[]): string[] => [
    folder,
    ...list.map(path => `${folder}/${path}`),
  ]
  const all = [
    ...cluster.files.map(file => ({ ...file, path: `${CLUSTER}/${file.path}` })),
    ...files.files.map(file => ({ ...file, path: `${FILES}/${file.path}` })),
    ...sums,
  ]
  const manifest = newManifest({
    version: VERSION,
    madeAt: cluster.madeAt.toISOString(),
    mode: cluster.mode,
    postgres: cluster.postgres,
    migrations: cluster.migrations,
    folders: [...below(CLUSTER, cluster.folders), ...below(FILES, files.folders)],
    files: all.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  })
  await writeSafely(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
  return bytesOf(all)
}

const sumAt = async (folder: string, name: string): Promise<Copied> => ({
  path: name,
  ...(await sumOf(join(folder, name)))!,
})

const readMe = (
  madeAt: Date,
): string => `This is a backup of ${PRODUCT} ${VERSION}, made ${madeAt.toISOString()}.

It holds the database (cluster), the label files (files), the database's password, and which settings were in use
(settings.json; the values of secrets are left out). It holds addresses of customers: keep it private.

To put it back:    npm run restore -- <this folder>
To try it only:    npm run restore -- <this folder> --rehearse

After a restore the carrier is asked what became of every label that was open here, before anything is bought.
`

async function syncAll(folder: string): Promise<void> {
  const { folders } = await walk(folder)
  for (const below of folders.toReversed()) await syncFolder(join(folder, below))
  await syncFolder(folder)
}

/** '2026-11-21T09-30-05Z': a name on every system, sorted by age. A name that is taken is left alone. */
async function giveName(draft: string, into: string, madeAt: Date): Promise<string> {
  const day = `evenpost-${madeAt.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}`
  for (let n = 1; n < 100; n++) {
    const folder = join(into, n === 1 ? day : `${day}-${n}`)
    if (await stat(folder).catch(() => undefined)) continue
    await rename(draft, folder)
    await syncFolder(into)
    return folder
  }
  throw new Trouble(`There are a hundred backups named ${day} in ${into} already.`)
}

const NOTE = 'last-backup.json'
export type BackupNote = { folder: string; madeAt: string; bytes: number; rehearsed: boolean }

/** For the doctor; the backup itself does not depend on it. */
async function noteBackup(dataDir: string, note: BackupNote): Promise<void> {
  const path = join(await realpath(dataDir), NOTE)
  await writeFile(`${path}.new`, `${JSON.stringify(note)}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** What the last backup of this data folder was; null when there was none. */
export async function lastBackup(dataDir: string): Promise<BackupNote | null> {
  const text = await readFile(join(dataDir, NOTE), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as BackupNote)
}

/** What the operator reads when a backup is done. */
export const summary = ({ folder, bytes, holding }: Backup): string =>
  [
    `The backup is in ${folder} (${megabytes(bytes)}).`,
    holding
      ? `It was put back on trial: ${holding.sentence}`
      : `It was not put back on trial: npm run restore -- "${folder}" --rehearse does so.`,
    `It is on the disk of ${dirname(folder)}: copy it to another machine.`,
  ].join('\n')
