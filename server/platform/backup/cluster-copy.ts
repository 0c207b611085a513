/**
 * PostgreSQL's low-level backup: files may change while they are copied; the write-ahead log of
 * that time makes them consistent at recovery.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import {
  copyFile,
  forEachConcurrent,
  createPrivateFolder,
  progressReporter,
  listFileTree,
  writeDurably,
} from './file-copy.ts'
import type { CopiedFile } from './file-copy.ts'
import { totalBytes } from './manifest.ts'

export type ClusterCopy = {
  folders: string[]
  files: CopiedFile[]
  madeAt: Date
  mode: 'sandbox' | 'live'
  postgres: number
  migrations: string[]
}

/** Folders that must exist but stay empty in a copy. */
const EMPTY_FOLDERS = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const PROCESS_FILES =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|current_logfiles)$/
const TEMPORARY_FILES = /(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*|[^/]+\.tmp)(\/|$)/
const CONTROL_FILE = 'global/pg_control'

const isBackedUp = (path: string): boolean => {
  const [top, ...rest] = path.split('/')
  return (
    !(EMPTY_FOLDERS.has(top!) && rest.length > 0)
    && !PROCESS_FILES.test(path)
    && !TEMPORARY_FILES.test(path)
  )
}

/** Bytes of a copy, without the log written meanwhile. */
export const clusterSize = async (cluster: string): Promise<number> =>
  totalBytes((await listFileTree(cluster, isBackedUp)).files)

/** `signal`: ends the copy. */
export type CopyOptions = { say: (line: string) => void; signal: AbortSignal | undefined }

/**
 * Copies the cluster of the server at `url` into the new folder `target`. Paths in the result are
 * relative to it.
 */
export async function copyCluster(
  url: string,
  cluster: string,
  target: string,
  { say, signal }: CopyOptions,
): Promise<ClusterCopy> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'evenpost backup',
    keepAlive: true,
  })
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  client.on('error', error =>
    lost.reject(
      new OperatorError(
        `The connection to the database was lost during the backup: ${error.message}`,
      ),
    ),
  )
  await client.connect()
  try {
    return await Promise.race([
      copyDuringBackup(client, cluster, target, { say, signal }),
      lost.promise,
    ])
  } finally {
    await client.end().catch(() => {})
  }
}

async function copyDuringBackup(
  client: pg.Client,
  cluster: string,
  target: string,
  { say, signal }: CopyOptions,
): Promise<ClusterCopy> {
  await refuseTablespaces(client)
  const facts = await readClusterFacts(client)
  // The slot keeps the log until the copy is done. Slot and backup end with this connection.
  const name = `backup_${randomBytes(6).toString('hex')}`
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [name])
  await client.query('select pg_backup_start($1, true)', [name])

  const { folders, files } = await listFileTree(cluster, isBackedUp)
  await createPrivateFolder(target)
  for (const folder of folders) await mkdir(join(target, folder), { mode: 0o700 })
  const copied: CopiedFile[] = []
  const copy = async (path: string): Promise<number> => {
    const done = await copyFile(join(cluster, path), join(target, path))
    if (done) copied.push({ path, ...done })
    return done?.bytes ?? 0
  }
  const report = progressReporter('Copying the database', totalBytes(files), say)
  await forEachConcurrent(
    files.filter(({ path }) => path !== CONTROL_FILE),
    async ({ path }) => report(await copy(path)),
    signal,
  )
  copied.push(await copyControlFile(cluster, target))

  const {
    rows: [stop],
  } = await client.query<{ label: string; first: string; last: string; at: Date }>(`
    select labelfile as label, pg_walfile_name(lsn) as last, substring(labelfile from '\\(file ([0-9A-F]{24})\\)') as first,
        clock_timestamp() as at
      from pg_backup_stop(false)`)
  await writeDurably(join(target, 'backup_label'), stop!.label)
  copied.push(checksumText('backup_label', stop!.label))
  const logged = (await listFileTree(join(cluster, 'pg_wal'), path => !path.includes('/'))).files
    .map(({ path }) => path)
    .filter(path => /^[0-9A-F]{8}\.history$/.test(path) || isBetween(path, stop!.first, stop!.last))
  await forEachConcurrent(logged, async path => void (await copy(`pg_wal/${path}`)))
  const isComplete = [stop!.first, stop!.last].every(segment =>
    copied.some(({ path }) => path === `pg_wal/${segment}`),
  )
  if (!isComplete) throw new Error(`the log from ${stop!.first} to ${stop!.last} is not complete`)
  return { folders, files: copied, madeAt: stop!.at, ...facts }
}

const isBetween = (segment: string, first: string, last: string): boolean =>
  /^[0-9A-F]{24}$/.test(segment) && segment >= first && segment <= last

/** The server may write the file during a read, so it is read until two reads agree. */
async function copyControlFile(cluster: string, target: string): Promise<CopiedFile> {
  let content = await readFile(join(cluster, CONTROL_FILE))
  for (let turn = 0; turn < 100; turn++) {
    const again = await readFile(join(cluster, CONTROL_FILE))
    if (again.equals(content)) {
      await writeDurably(join(target, CONTROL_FILE), content)
      return checksumText(CONTROL_FILE, content)
    }
    content = again
  }
  throw new Error(`${CONTROL_FILE} changed at every read`)
}

const checksumText = (path: string, content: string | Buffer): CopiedFile => ({
  path,
  bytes: Buffer.byteLength(content),
  sha256: createHash('sha256').update(content).digest('hex'),
})

async function refuseTablespaces(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select 1 from pg_tablespace where spcname not in ('pg_default', 'pg_global')`,
  )
  if (rowCount)
    throw new OperatorError(
      'This database has tablespaces of its own, which a backup does not include. Move their tables to pg_default first.',
    )
}

async function readClusterFacts(
  client: pg.Client,
): Promise<Pick<ClusterCopy, 'mode' | 'postgres' | 'migrations'>> {
  const {
    rows: [row],
  } = await client.query<{
    mode: 'sandbox' | 'live' | null
    postgres: number
    migrations: string[] | null
  }>(`
    select (select value from app_setting where key = 'mode') as mode, current_setting('server_version_num')::int / 10000 as postgres,
      (select array_agg(name order by number) from schema_migration) as migrations`)
  return {
    mode: row?.mode ?? 'sandbox',
    postgres: row!.postgres,
    migrations: row?.migrations ?? [],
  }
}
