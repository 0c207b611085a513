import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { putLoginRole } from '#server/platform/database/roles.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { findBinaries } from './binaries.ts'
import type { BinaryPath } from './binaries.ts'
import {
  APP_ROLE,
  clusterPath,
  hasCluster,
  createCluster,
  DATABASE_NAME,
  readClusterPassword,
} from './cluster.ts'
import { findClusterLocation } from './location.ts'
import type { ClusterLocation } from './location.ts'
import {
  deletePidFile,
  findFreePort,
  isAlive,
  mayBePostgres,
  readPidFile,
  spawnPostmaster,
  PostgresStartError,
  socketFolderOf,
  stopPostmaster,
} from './postmaster.ts'
import type { PidFile } from './postmaster.ts'
import { postgresSettings } from './server-settings.ts'

export type StartOptions = {
  /** Created when missing. */
  dataDir: string
  log: (line: string) => void
  /** For tests: no fsync, more connections. */
  testMode?: boolean
  /** False: does not lock the data folder, and leaves a running server alone. */
  exclusive?: boolean
  /** For the lock of the data folder: PostgreSQL may take a while to notice that its owner was killed. */
  lockPatienceMs?: number
  /** Called when another process has taken over the database. */
  onLost?: (error: Error) => void
  /** Called when its process is launched, long before it is ready; not when a running server is adopted. */
  onLaunched?: () => void
}

/** `ownerUrl`: the superuser that owns the tables, for migrations and backups. */
export type OwnedPostgres = {
  ownerUrl: string
  /** The server was already running: its process of Evenpost was killed. */
  adopted: boolean
  /** Records the address of this process, for the error message of a second one. */
  announce(address: string): Promise<void>
  stop(): Promise<void>
}

/** `url`: the role of the running program. It has a new password at each start. */
export type Postgres = OwnedPostgres & { url: string }

/**
 * Starts the embedded PostgreSQL of a data folder, creates it at the first start, or adopts a
 * server that a killed Evenpost left running. A server that dies later is started again on the same
 * port. Throws DataDirInUseError when another running Evenpost uses the data folder.
 */
export async function startPostgres(
  options: StartOptions & { exclusive: false },
): Promise<OwnedPostgres>
export async function startPostgres(options: StartOptions): Promise<Postgres>
export async function startPostgres(options: StartOptions): Promise<Postgres> {
  const { log, testMode = false, exclusive = true, lockPatienceMs = LOCK_PATIENCE_MS } = options
  const place = await findClusterLocation(options.dataDir, log)
  const binaries = await findBinaries(place.user, log)
  if (!(await hasCluster(place))) {
    log('Creating a new database')
    await createCluster(place, options.dataDir, binaries, !testMode)
  }
  const server = {
    place,
    binaries,
    testMode,
    socketFolder: socketFolderOf(place),
    password: await readClusterPassword(place),
    log,
  }
  const running = await startOrAdopt(server, undefined, options.onLaunched)
  const watch = exclusive
    ? await lockDataDir(
        server,
        running,
        { path: await realpath(options.dataDir), patienceMs: lockPatienceMs },
        options.onLost
          ?? (error => {
            throw error
          }),
      )
    : undefined
  const ownerUrl = connectionUrl(server, running)
  let url = ownerUrl
  if (watch) {
    // On the connection of the lock: opening another takes longer than these statements.
    await ensureDatabase(watch.client())
    url = await createAppLogin(watch.client(), ownerUrl)
  } else await withClient(connectionUrl(server, running, 'postgres'), ensureDatabase)
  const isOwn = watch !== undefined || !running.adopted
  let stopped: Promise<void> | undefined
  return {
    url,
    ownerUrl,
    adopted: running.adopted,
    announce: async address => watch?.announce(address),
    stop: () =>
      (stopped ??= (async () => {
        await watch?.release()
        if (isOwn) await stopServer(server)
      })()),
  }
}

/**
 * Runs the server of a cluster outside a data folder, such as one that is being restored, until
 * `stop`. Returns after recovery.
 */
export async function startClusterOutsideDataFolder(
  place: ClusterLocation,
  password: string,
  log: (line: string) => void,
): Promise<Pick<OwnedPostgres, 'ownerUrl' | 'stop'>> {
  const server = {
    place,
    binaries: await findBinaries(place.user, log),
    testMode: false,
    socketFolder: '',
    password,
    log,
  }
  const running = await startOrAdopt(server)
  return { ownerUrl: connectionUrl(server, running), stop: () => stopServer(server) }
}

type ClusterServer = {
  place: ClusterLocation
  binaries: BinaryPath
  testMode: boolean
  /** '' for none. */
  socketFolder: string
  password: string
  log: (line: string) => void
}

type ServerAddress = Pick<PidFile, 'port' | 'socketFolder'>
type RunningServer = ServerAddress & { adopted: boolean }

/** Its `host` parameter, a folder, has precedence over the host before the port. */
const connectionUrl = (
  { password }: ClusterServer,
  { port, socketFolder }: ServerAddress,
  database = DATABASE_NAME,
): string =>
  `postgres://${DATABASE_NAME}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  + (socketFolder === '' ? '' : `?host=${encodeURIComponent(socketFolder)}`)

/**
 * The password is in no file. Errors of this role's statements stay out of postgres.log, because
 * their messages may contain what a customer has typed; the program logs them without it.
 */
async function createAppLogin(client: pg.Client, ownerUrl: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  await putLoginRole(client, APP_ROLE, password)
  await client.query(`alter role ${APP_ROLE} set log_min_messages = 'log'`)
  const url = new URL(ownerUrl)
  url.username = APP_ROLE
  url.password = password
  return url.href
}

async function stopServer(server: ClusterServer): Promise<void> {
  const file = readPidFile(clusterPath(server.place))
  if (file && isAlive(file.pid)) await stopPostmaster(server.place, server.binaries, file.pid)
}

// Recovery after a crash reads all changes since the last checkpoint, which takes long on a slow
// disk.
const START_TIMEOUT_MS = 5 * 60_000

/**
 * Starts the server, or adopts a running one. `address`: required; default: a free port, and without the socket where
 * the folder takes none.
 */
async function startOrAdopt(
  server: ClusterServer,
  address?: ServerAddress,
  onLaunched?: () => void,
): Promise<RunningServer> {
  const cluster = clusterPath(server.place)
  let { socketFolder } = address ?? server
  const deadline = performance.now() + START_TIMEOUT_MS
  let last: unknown
  while (performance.now() < deadline) {
    const file = readPidFile(cluster)
    if (file && isAlive(file.pid)) {
      if (file.status === 'ready' && (await servesCluster(server, file)))
        return { ...file, adopted: true }
      if (!mayBePostgres(file.pid)) deletePidFile(cluster, file)
      last = new Error(`The database process ${file.pid} of ${cluster} runs but does not answer.`)
      await wait(50)
      continue
    }
    try {
      if (file) deletePidFile(cluster, file)
      const started = await spawnPostmaster(
        server.place,
        server.binaries,
        address?.port ?? (await findFreePort()),
        postgresSettings(server.testMode, socketFolder),
        onLaunched,
      )
      return { ...started, adopted: false }
    } catch (error) {
      if (!(error instanceof PostgresStartError)) throw error
      if (!address && socketFolder !== '' && NO_SOCKET_OUTPUT.test(error.output)) {
        server.log(`The database is reached by TCP alone, because ${socketFolder} takes no socket`)
        socketFolder = ''
        continue
      }
      if (!TRANSIENT_START_OUTPUT.test(error.output)) throw error
      last = error
      await wait(100)
    }
  }
  throw last
}

// Not on every file system and mounted folder.
const NO_SOCKET_OUTPUT =
  /could not create any Unix-domain sockets|could not create lock file ".*\.s\.PGSQL/

// Another process took the port or has just started this cluster, or processes of a killed server
// still run.
const TRANSIENT_START_OUTPUT =
  /could not bind|Address already in use|could not create any TCP|lock file|pre-existing shared memory/

async function servesCluster(server: ClusterServer, address: ServerAddress): Promise<boolean> {
  const client = new pg.Client({
    connectionString: connectionUrl(server, address, 'postgres'),
    connectionTimeoutMillis: 3_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const {
      rows: [row],
    } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
    return (
      row !== undefined
      && (await realpath(row.folder)) === (await realpath(clusterPath(server.place)))
    )
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
    DATABASE_NAME,
  ])
  if (rowCount === 0) await client.query(`create database ${DATABASE_NAME}`)
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

const DATA_DIR_LOCK = 7_301_956 // advisory lock of the process that uses this data folder
const LOCK_PATIENCE_MS = 15_000
/** It rarely takes longer. After it, the log says what is waited for. */
const USUAL_LOCK_MS = 1_500

type UsedFolder = { path: string; patienceMs: number }

type DataDirLock = {
  /** The connection that holds the lock now. */
  client(): pg.Client
  announce(address: string): Promise<void>
  release(): Promise<void>
}

/**
 * Holds the lock of the data folder on one connection; PostgreSQL releases it when this process
 * ends in any way. When the connection breaks, the server has died and is started again.
 */
async function lockDataDir(
  server: ClusterServer,
  running: ServerAddress,
  folder: UsedFolder,
  onLost: (error: Error) => void,
): Promise<DataDirLock> {
  let address = ''
  let client: pg.Client
  let released = false

  const open = async (): Promise<void> => {
    client = await acquireDataDirLock(server, running, folder, address)
    client.once('end', () => {
      if (!released) void revive()
    })
  }
  const revive = async (): Promise<void> => {
    server.log('The database has stopped; starting it again')
    for (let pauseMs = 100; !released; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        await startOrAdopt(server, running)
        await open()
        server.log('The database is back')
        return
      } catch (error) {
        if (error instanceof DataDirInUseError) return onLost(error)
        server.log(`The database could not be started again: ${(error as Error).message}`)
        await wait(pauseMs)
      }
    }
  }
  await open()
  return {
    client: () => client,
    announce: async ownAddress => {
      address = ownAddress
      await client.query(`select set_config('application_name', $1, false)`, [
        applicationName(ownAddress),
      ])
    },
    release: async () => {
      released = true
      await client.end().catch(() => {})
    },
  }
}

const applicationName = (address: string): string => `evenpost ${address}`.trim().slice(0, 63)

export class DataDirInUseError extends OperatorError {}

async function acquireDataDirLock(
  server: ClusterServer,
  running: ServerAddress,
  { path, patienceMs }: UsedFolder,
  address: string,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: connectionUrl(server, running, 'postgres'),
    application_name: applicationName(address),
    keepAlive: true,
  })
  client.on('error', () => {})
  await client.connect()
  // The server notices a killed owner within milliseconds; on a slow machine it takes longer.
  const begin = performance.now()
  for (let announced = false; ;) {
    const {
      rows: [row],
    } = await client.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(${DATA_DIR_LOCK}) as locked`,
    )
    if (row?.locked) return client
    const waitedMs = performance.now() - begin
    if (waitedMs > patienceMs) break
    if (!announced && waitedMs > USUAL_LOCK_MS) {
      announced = true
      server.log(
        `Waiting up to ${patienceMs / 1_000} s for another Evenpost on this data folder to end`,
      )
    }
    await wait(50)
  }
  const {
    rows: [owner],
  } = await client.query<{ name: string }>(`
    select application_name as name from pg_stat_activity join pg_locks using (pid)
    where locktype = 'advisory' and objid = ${DATA_DIR_LOCK} and granted`)
  await client.end()
  const at = owner?.name.replace(/^evenpost ?/, '')
  throw new DataDirInUseError(
    `Another Evenpost is running on the data folder ${path}${at ? ` at ${at}` : ''}. `
      + 'Stop it first, or start this one with a DATA_DIR of its own.',
  )
}
