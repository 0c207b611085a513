/**
 * A restore is built beside the data it will replace: the cluster, the files, and a first start of
 * the server.
 */
import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { APP_ROLE } from '#server/platform/embedded-postgres/cluster.ts'
import { writeOwnerFile } from '#server/platform/embedded-postgres/location.ts'
import type { ClusterLocation } from '#server/platform/embedded-postgres/location.ts'
import { startClusterOutsideDataFolder } from '#server/platform/embedded-postgres/start.ts'
import type { SystemUser } from '#server/platform/embedded-postgres/system-user.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { SECRET_KEY_FILE } from '#server/platform/process/secret-key.ts'
import { syncFolder } from '#server/platform/storage/durable-files.ts'
import {
  copyFile,
  forEachConcurrent,
  createPrivateFolder,
  progressReporter,
  writeDurably,
} from './file-copy.ts'
import {
  totalBytes,
  CLUSTER_FOLDER,
  FILES_FOLDER,
  PAGES_FOLDER,
  PASSWORD_FILE,
} from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { markRestored } from './restore-state.ts'

export type RestoreSource = {
  folder: string
  manifest: Manifest
  place: ClusterLocation
  dataDir: string
  say: (line: string) => void
  signal: AbortSignal | undefined
}

/** The content of a restored database in a sentence, and the rules that its records break. */
export type BackupContents = { summary: string; violations: string[] }
export type ReadContents = (client: pg.Client) => Promise<BackupContents>

/**
 * Copies the cluster beside its location, owned by the server's user. Calls `onCreated` as soon as
 * the folder exists.
 */
export async function stageCluster(
  source: RestoreSource,
  onCreated: (draft: string) => void,
): Promise<string> {
  const { place, dataDir } = source
  await mkdir(dirname(place.path), { recursive: true })
  const draft = await mkdtemp(`${place.path}.new-`)
  onCreated(draft)
  await writeOwnerFile(draft, dataDir)
  if (place.user) await chown(draft, place.user.uid, place.user.gid)
  await createPrivateFolder(join(draft, 'cluster'), place.user)
  await copyPart(source, CLUSTER_FOLDER, join(draft, 'cluster'), place.user)
  return draft
}

export async function stageFiles(
  source: RestoreSource,
  onCreated: (draft: string) => void,
): Promise<string> {
  const draft = await mkdtemp(join(source.dataDir, 'files.new-'))
  onCreated(draft)
  await copyPart(source, FILES_FOLDER, draft, undefined)
  return draft
}

/** The backup's pages beside the present ones; null for a backup without them. */
export async function stagePages(
  source: RestoreSource,
  onCreated: (draft: string) => void,
): Promise<string | null> {
  if (!source.manifest.folders.includes(PAGES_FOLDER)) return null
  const draft = await mkdtemp(join(source.dataDir, 'pages.new-'))
  onCreated(draft)
  await copyPart(source, PAGES_FOLDER, draft, undefined)
  return draft
}

/** The backup's secret key beside the present one; null for a backup without one. */
export async function stageSecretKey({
  folder,
  manifest,
  dataDir,
}: RestoreSource): Promise<string | null> {
  if (!manifest.files.some(({ path }) => path === SECRET_KEY_FILE)) return null
  const draft = join(dataDir, `${SECRET_KEY_FILE}.new-${randomBytes(6).toString('hex')}`)
  await writeDurably(draft, await readFile(join(folder, SECRET_KEY_FILE), 'utf8'))
  return draft
}

async function copyPart(
  { folder, manifest, say, signal }: RestoreSource,
  part: string,
  target: string,
  owner: SystemUser | undefined,
): Promise<void> {
  const isInside = (path: string): boolean => path.startsWith(`${part}/`)
  const to = (path: string): string => join(target, path.slice(part.length + 1))
  const folders = manifest.folders.filter(isInside)
  for (const path of folders) await createPrivateFolder(to(path), owner)
  const files = manifest.files.filter(({ path }) => isInside(path))
  const report = progressReporter('Copying', totalBytes(files), say)
  const copy = async ({ path, sha256 }: Manifest['files'][number]): Promise<void> => {
    const copied = await copyFile(join(folder, path), to(path), owner)
    if (copied?.sha256 !== sha256)
      throw new OperatorError(
        `The backup changed while it was read (${path}). Nothing was changed; try again.`,
      )
    report(copied.bytes)
  }
  await forEachConcurrent(files, copy, signal)
  for (const path of folders.toReversed()) await syncFolder(to(path))
  await syncFolder(target)
}

export type RecoveryOptions = {
  place: ClusterLocation
  folder: string
  readContents: ReadContents
  say: (line: string) => void
}

/**
 * Recovers a restored cluster, marks it, runs `work` and reads the contents. Sets a new password,
 * so that a process of before the restore cannot connect.
 */
export async function recoverAndMark(
  { place, folder, readContents, say }: RecoveryOptions,
  work: (restored: Database) => Promise<void>,
): Promise<BackupContents> {
  const oldPassword = (await readFile(join(folder, PASSWORD_FILE), 'utf8')).trim()
  const postgres = await startClusterOutsideDataFolder(place, oldPassword, say)
  const database = openDatabase(postgres.ownerUrl, { max: 2, name: 'evenpost restore' })
  try {
    await markRestored(database)
    await work(database)
    const contents = await withoutTimeout(postgres.ownerUrl, readContents)
    const password = randomBytes(24).toString('base64url')
    await writeDurably(join(place.path, 'password'), password)
    await database.pool.query(`alter role current_user password '${password}'`)
    await database.pool.query(FORBID_APP_LOGIN)
    return contents
  } finally {
    await database.close()
    await postgres.stop()
    await syncFolder(place.path)
  }
}

/** Older backups do not have the role. */
const FORBID_APP_LOGIN = `do $$ begin
  if exists (select 1 from pg_roles where rolname = '${APP_ROLE}') then alter role ${APP_ROLE} password null; end if;
end $$`

/**
 * On a connection without the pool's time limits: checking the records of years may take a minute.
 */
async function withoutTimeout<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'evenpost restore' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
