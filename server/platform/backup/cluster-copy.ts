/**
 * A copy of the embedded database's files while it runs, by the server's own protocol for it (continuous archiving, low-level
 * backup): between start and stop files are copied as they are, torn or not; the changes logged meanwhile make them whole.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { Trouble } from '#server/platform/trouble.ts'
import { copyFile, each, makeFolder, progress, walk, writeSafely } from './copy.ts'
import type { Copied } from './copy.ts'
import { bytesOf } from './manifest.ts'

export type ClusterCopy = {
  folders: string[]
  files: Copied[]
  madeAt: Date
  mode: 'sandbox' | 'live'
  postgres: number
  migrations: string[]
}

/** Folders whose content means nothing to another server; they have to be there, empty. */
const EMPTY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
/** Files that are about the running server. */
const OF_THE_PROCESS =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|current_logfiles)$/
const PASSING = /(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*|[^/]+\.tmp)(\/|$)/
/** Copied last, and never while it is being written. */
const CONTROL = 'global/pg_control'

const isKept = (path: string): boolean => {
  const [top, ...rest] = path.split('/')
  return !(EMPTY.has(top!) && rest.length > 0) && !OF_THE_PROCESS.test(path) && !PASSING.test(path)
}

/** Bytes that a copy will take now, without what is logged meanwhile. */
export const clusterSize = async (cluster: string): Promise<number> =>
  bytesOf((await walk(cluster, isKept)).files)

/** Copies the cluster whose server answers at `url` into the new folder `target`. Paths in the result are from there. */
export async function copyCluster(
  url: string,
  cluster: string,
  target: string,
  say: (line: string) => void,
): Promise<ClusterCopy> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'evenpost backup',
    keepAlive: true,
  })
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  client.on('error', error =>
    lost.reject(new Trouble(`The database was lost during the backup: ${error.message}`)),
  )
  await client.connect()
  try {
    return await Promise.race([copyBetween(client, cluster, target, say), lost.promise])
  } finally {
    await client.end().catch(() => {})
  }
}

async function copyBetween(
  client: pg.Client,
  cluster: string,
  target: string,
  say: (line: string) => void,
): Promise<ClusterCopy> {
  await refuseTablespaces(client)
  const facts = await factsOf(client)
  // The slot keeps the log from being recycled under us; both end with this connection.
  const name = `backup_${randomBytes(6).toString('hex')}`
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [name])
  await client.query('select pg_backup_start($1, true)', [name])

  const { folders, files } = await walk(cluster, isKept)
  await makeFolder(target)
  for (const folder of folders) await mkdir(join(target, folder), { mode: 0o700 })
  const copied: Copied[] = []
  const copy = async (path: string): Promise<number> => {
    const done = await copyFile(join(cluster, path), join(target, path))
    if (done) copied.push({ path, ...done })
    return done?.bytes ?? 0
  }
  const tell = progress('Copying the database', bytesOf(files), say)
  await each(
    files.filter(({ path }) => path !== CONTROL),
    async ({ path }) => tell(await copy(path)),
  )
  copied.push(await copyControl(cluster, target))

  const {
    rows: [stop],
  } = await client.query<{ label: string; first: string; last: string; at: Date }>(`
    select labelfile as label, pg_walfile_name(lsn) as last, substring(labelfile from '\\(file ([0-9A-F]{24})\\)') as first,
        clock_timestamp() as at
      from pg_backup_stop(false)`)
  await writeSafely(join(target, 'backup_label'), stop!.label)
  copied.push(sumOfText('backup_label', stop!.label))
  const logged = (await walk(join(cluster, 'pg_wal'), path => !path.includes('/'))).files
    .map(({ path }) => path)
    .filter(path => /^[0-9A-F]{8}\.history$/.test(path) || isBetween(path, stop!.first, stop!.last))
  await each(logged, async path => void (await copy(`pg_wal/${path}`)))
  const isWhole = [stop!.first, stop!.last].every(segment =>
    copied.some(({ path }) => path === `pg_wal/${segment}`),
  )
  if (!isWhole) throw new Error(`the log from ${stop!.first} to ${stop!.last} is not all there`)
  return { folders, files: copied, madeAt: stop!.at, ...facts }
}

const isBetween = (segment: string, first: string, last: string): boolean =>
  /^[0-9A-F]{24}$/.test(segment) && segment >= first && segment <= last

/** The server writes it in one piece, but it may do so while we read: two readings that agree are one writing. */
async function copyControl(cluster: string, target: string): Promise<Copied> {
  let content = await readFile(join(cluster, CONTROL))
  for (let turn = 0; turn < 100; turn++) {
    const again = await readFile(join(cluster, CONTROL))
    if (again.equals(content)) {
      await writeSafely(join(target, CONTROL), content)
      return sumOfText(CONTROL, content)
    }
    content = again
  }
  throw new Error(`${CONTROL} did not keep still`)
}

const sumOfText = (path: string, content: string | Buffer): Copied => ({
  path,
  bytes: Buffer.byteLength(content),
  sha256: createHash('sha256').update(content).digest('hex'),
})

async function refuseTablespaces(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select 1 from pg_tablespace where spcname not in ('pg_default', 'pg_global')`,
  )
  if (rowCount)
    throw new Trouble(
      'This database has tablespaces of its own, which a backup would not hold. Move its tables back first.',
    )
}

async function factsOf(
  client: pg.Client,
): Promise<Pick<ClusterCopy, 'mode' | 'postgres' | 'migrations'>> {
  const {
    rows: [row],
  } = await client.query<{
    mode: 'sandbox' | 'live' | null
    postgres: number
    migrations: string[] | null
  }>(`
    select (select value from house_setting where key = 'mode') as mode, current_setting('server_version_num')::int / 10000 as postgres,
      (select array_agg(name order by number) from schema_migration) as migrations`)
  return {
    mode: row?.mode ?? 'sandbox',
    postgres: row!.postgres,
    migrations: row?.migrations ?? [],
  }
}
