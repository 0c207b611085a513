/** What a restore builds before anything gets its name: the cluster beside its place, the files beside theirs, and a first start. */
import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { countText } from '#contract/format.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { writeOwnerFile } from '#server/platform/embedded-postgres/location.ts'
import type { ClusterLocation } from '#server/platform/embedded-postgres/location.ts'
import { startStandalone } from '#server/platform/embedded-postgres/start.ts'
import type { SystemUser } from '#server/platform/embedded-postgres/system-user.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import {
  copyFile,
  forEachConcurrent,
  createPrivateFolder,
  progressReporter,
  syncFolder,
  writeDurably,
} from './file-copy.ts'
import { totalBytes, CLUSTER_FOLDER, FILES_FOLDER, PASSWORD_FILE } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { markRestored } from './restore-state.ts'

export type RestoreSource = {
  folder: string
  manifest: Manifest
  place: ClusterLocation
  dataDir: string
  say: (line: string) => void
}

/** What is in a restored database, and what is wrong with its books. */
export type BackupContents = { summary: string; violations: string[] }

/** The backup's cluster beside its place, as the server's user wants it. `begun` is told of the folder as soon as it is there. */
export async function stageCluster(
  source: RestoreSource,
  begun: (draft: string) => void,
): Promise<string> {
  const { place, dataDir } = source
  await mkdir(dirname(place.path), { recursive: true })
  const draft = await mkdtemp(`${place.path}.new-`)
  begun(draft)
  await writeOwnerFile(draft, dataDir)
  if (place.user) await chown(draft, place.user.uid, place.user.gid)
  await createPrivateFolder(join(draft, 'cluster'), place.user)
  await copyPart(source, CLUSTER_FOLDER, join(draft, 'cluster'), place.user)
  return draft
}

/** The label files beside their place. */
export async function stageFiles(
  source: RestoreSource,
  begun: (draft: string) => void,
): Promise<string> {
  const draft = await mkdtemp(join(source.dataDir, 'files.new-'))
  begun(draft)
  await copyPart(source, FILES_FOLDER, draft, undefined)
  return draft
}

async function copyPart(
  { folder, manifest, say }: RestoreSource,
  part: string,
  target: string,
  owner: SystemUser | undefined,
): Promise<void> {
  const isInside = (path: string): boolean => path.startsWith(`${part}/`)
  const to = (path: string): string => join(target, path.slice(part.length + 1))
  const folders = manifest.folders.filter(isInside)
  for (const path of folders) await createPrivateFolder(to(path), owner)
  const files = manifest.files.filter(({ path }) => isInside(path))
  const tell = progressReporter('Copying', totalBytes(files), say)
  await forEachConcurrent(files, async ({ path, sha256 }) => {
    const copied = await copyFile(join(folder, path), to(path), owner)
    if (copied?.sha256 !== sha256)
      throw new OperatorError(
        `The backup changed while it was read (${path}). Nothing was changed; try again.`,
      )
    tell(copied.bytes)
  })
  for (const path of folders.toReversed()) await syncFolder(to(path))
  await syncFolder(target)
}

/**
 * Lets a restored cluster recover, marks it, has `work` done in it, looks at its books and stops it. It gets a new password: a
 * living copy that still believes in the old database stays outside.
 */
export async function recoverAndMark(
  place: ClusterLocation,
  folder: string,
  say: (line: string) => void,
  work: (restored: Database) => Promise<void>,
): Promise<BackupContents> {
  const former = (await readFile(join(folder, PASSWORD_FILE), 'utf8')).trim()
  const postgres = await startStandalone(place, former, say)
  const database = openDatabase(postgres.url, { max: 2, name: 'evenpost restore' })
  try {
    await markRestored(database)
    await work(database)
    const holding = await readContents(postgres.url)
    const password = randomBytes(24).toString('base64url')
    await writeDurably(join(place.path, 'password'), password)
    await database.pool.query(`alter role current_user password '${password}'`)
    return holding
  } finally {
    await database.close()
    await postgres.stop()
    await syncFolder(place.path)
  }
}

/** On a connection without the clock of ours: the books of years may take a minute. */
async function readContents(url: string): Promise<BackupContents> {
  const client = new pg.Client({ connectionString: url, application_name: 'evenpost restore' })
  await client.connect()
  try {
    const {
      rows: [held],
    } = await client.query<{ users: number; labels: number; transfers: number }>(`
      select (select count(*) from app_user) as users, (select count(*) from shipment_order) as labels,
        (select count(*) from transfer) as transfers`)
    const { rows: wrong } = await client.query<{ rule: string; subject: string; detail: string }>(
      'select * from check_invariants()',
    )
    const { users, labels, transfers } = held!
    const books =
      wrong.length === 0
        ? 'the books balance'
        : `${countText(wrong.length, 'rule')} of the books broken`
    return {
      summary: `${countText(users, 'user')}, ${countText(labels, 'order')}, ${countText(transfers, 'transfer')}; ${books}.`,
      violations: wrong.map(({ rule, subject, detail }) => `${rule} ${subject}: ${detail}`),
    }
  } finally {
    await client.end()
  }
}
