/** What a restore builds before anything gets its name: the cluster beside its place, the files beside theirs, and a first start. */
import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { counted } from '#contract/format.ts'
import { openDatabase } from '#server/platform/database.ts'
import type { Database } from '#server/platform/database.ts'
import { signPlace } from '#server/platform/postgres/place.ts'
import type { Place } from '#server/platform/postgres/place.ts'
import { runApart } from '#server/platform/postgres/start.ts'
import type { SystemUser } from '#server/platform/postgres/system-user.ts'
import { markRestored } from '#server/platform/restored.ts'
import { Trouble } from '#server/platform/trouble.ts'
import { copyFile, each, makeFolder, progress, syncFolder, writeSafely } from './copy.ts'
import { bytesOf, CLUSTER, FILES, PASSWORD } from './manifest.ts'
import type { Manifest } from './manifest.ts'

export type Source = {
  folder: string
  manifest: Manifest
  place: Place
  dataDir: string
  say: (line: string) => void
}

/** What is in a restored database, and what is wrong with its books. */
export type Holding = { sentence: string; violations: string[] }

/** The backup's cluster beside its place, as the server's user wants it. `begun` is told of the folder as soon as it is there. */
export async function buildCluster(
  source: Source,
  begun: (draft: string) => void,
): Promise<string> {
  const { place, dataDir } = source
  await mkdir(dirname(place.path), { recursive: true })
  const draft = await mkdtemp(`${place.path}.new-`)
  begun(draft)
  await signPlace(draft, dataDir)
  if (place.user) await chown(draft, place.user.uid, place.user.gid)
  await makeFolder(join(draft, 'cluster'), place.user)
  await copyPart(source, CLUSTER, join(draft, 'cluster'), place.user)
  return draft
}

/** The label files beside their place. */
export async function buildFiles(source: Source, begun: (draft: string) => void): Promise<string> {
  const draft = await mkdtemp(join(source.dataDir, 'files.new-'))
  begun(draft)
  await copyPart(source, FILES, draft, undefined)
  return draft
}

async function copyPart(
  { folder, manifest, say }: Source,
  part: string,
  target: string,
  owner: SystemUser | undefined,
): Promise<void> {
  const isInside = (path: string): boolean => path.startsWith(`${part}/`)
  const to = (path: string): string => join(target, path.slice(part.length + 1))
  const folders = manifest.folders.filter(isInside)
  for (const path of folders) await makeFolder(to(path), owner)
  const files = manifest.files.filter(({ path }) => isInside(path))
  const tell = progress('Copying', bytesOf(files), say)
  await each(files, async ({ path, sha256 }) => {
    const copied = await copyFile(join(folder, path), to(path), owner)
    if (copied?.sha256 !== sha256)
      throw new Trouble(
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
export async function startAndMark(
  place: Place,
  folder: string,
  say: (line: string) => void,
  work: (restored: Database) => Promise<void>,
): Promise<Holding> {
  const former = (await readFile(join(folder, PASSWORD), 'utf8')).trim()
  const postgres = await runApart(place, former, say)
  const database = openDatabase(postgres.url, { max: 2, name: 'evenpost restore' })
  try {
    await markRestored(database)
    await work(database)
    const holding = await lookAt(postgres.url)
    const password = randomBytes(24).toString('base64url')
    await writeSafely(join(place.path, 'password'), password)
    await database.pool.query(`alter role current_user password '${password}'`)
    return holding
  } finally {
    await database.close()
    await postgres.stop()
    await syncFolder(place.path)
  }
}

/** On a connection without the clock of ours: the books of years may take a minute. */
async function lookAt(url: string): Promise<Holding> {
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
        : `${counted(wrong.length, 'rule')} of the books broken`
    return {
      sentence: `${counted(users, 'user')}, ${counted(labels, 'order')}, ${counted(transfers, 'transfer')}; ${books}.`,
      violations: wrong.map(({ rule, subject, detail }) => `${rule} ${subject}: ${detail}`),
    }
  } finally {
    await client.end()
  }
}
