/** A PostgreSQL server and its standby, on this machine. */
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries } from '#server/platform/embedded-postgres/binaries.ts'
import type { BinaryPath } from '#server/platform/embedded-postgres/binaries.ts'
import {
  clusterPath,
  createCluster,
  DATABASE_NAME,
  readClusterPassword,
  serverEnvironment,
} from '#server/platform/embedded-postgres/cluster.ts'
import type { ClusterLocation } from '#server/platform/embedded-postgres/location.ts'
import { serverUser } from '#server/platform/embedded-postgres/system-user.ts'
import { createDataFolder } from './server-process.ts'
import { openTcpProxy } from './tcp-proxy.ts'
import type { TcpProxy } from './tcp-proxy.ts'

export type StandbyPair = {
  /** Names both servers. */
  url: string
  standbyUrl: string
  /** Between the two. */
  line: TcpProxy
  /** As when its machine is gone: all of its processes end at once. */
  killPrimary(): Promise<void>
  promoteStandby(): Promise<void>
  destroy(): Promise<void>
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=64MB',
  'max_connections=200',
  'fsync=off',
  'wal_level=replica',
  'max_wal_senders=5',
  'hot_standby=on',
  'wal_retrieve_retry_interval=200ms',
  // In the cluster's folder, which is deleted: a killed primary that never starts again would leave files in /dev/shm.
  'dynamic_shared_memory_type=mmap',
]

/** `isSynchronous`: a commit waits for the standby. */
export async function startStandbyPair({
  isSynchronous,
}: {
  isSynchronous: boolean
}): Promise<StandbyPair> {
  // If a step fails, what the steps before it have started is ended.
  await using started = new AsyncDisposableStack()
  const data = await createDataFolder()
  started.defer(() => data.forget())
  const place = { path: join(data.path, 'one'), user: await serverUser(join(data.path, 'one')) }
  const binaries = await findBinaries(place.user, () => {})
  await createCluster(place, data.path, binaries, false)
  const password = await readClusterPassword(place)
  const [one, two] = [await takePort(), await takePort()]
  const urlOf = (servers: string, database = DATABASE_NAME): string =>
    `postgres://${DATABASE_NAME}:${password}@${servers}/${database}`

  const start = async (
    at: ClusterLocation,
    port: number,
    settings: string[] = [],
  ): Promise<ChildProcess> => {
    const postmaster = await startPostgresProcess(at, binaries, port, settings)
    started.defer(() => endAtOnce(postmaster))
    return postmaster
  }

  const first = await start(place, one)
  await runQuery(urlOf(`127.0.0.1:${one}`, 'postgres'), `create database ${DATABASE_NAME}`)
  first.kill('SIGINT')
  await once(first, 'exit')
  // Shut down cleanly, so that its copy can follow it.
  const copy = { ...place, path: join(data.path, 'two') }
  await promisify(execFile)('cp', ['-a', place.path, copy.path])

  const primary = await start(place, one)
  const line = await openTcpProxy(one)
  started.defer(() => line.close().catch(() => {}))
  await writeFile(join(clusterPath(copy), 'standby.signal'), '')
  await start(copy, two, [
    `primary_conninfo=host=127.0.0.1 port=${line.port} user=${DATABASE_NAME} password=${password}`,
  ])
  const standbyUrl = urlOf(`127.0.0.1:${two}`)
  await runQuery(standbyUrl, 'select 1')
  if (isSynchronous) {
    const primaryUrl = urlOf(`127.0.0.1:${one}`)
    await runQuery(primaryUrl, "alter system set synchronous_standby_names = '*'")
    await runQuery(primaryUrl, 'select pg_reload_conf()')
  }
  const resources = started.move()
  return {
    url: urlOf(`127.0.0.1:${one},127.0.0.1:${two}`),
    standbyUrl,
    line,
    killPrimary: () => killAll(primary),
    async promoteStandby() {
      await line.close()
      await runQuery(standbyUrl, 'select pg_promote(true, 60)')
    },
    destroy: () => resources.disposeAsync(),
  }
}

async function startPostgresProcess(
  place: ClusterLocation,
  binaries: BinaryPath,
  port: number,
  settings: string[],
): Promise<ChildProcess> {
  const log = await open(join(place.path, 'postgres.log'), 'a')
  const options = [...SETTINGS, `port=${port}`, ...settings].flatMap(one => ['-c', one])
  const child = spawn(binaries('postgres'), ['-D', clusterPath(place), ...options], {
    ...place.user,
    cwd: clusterPath(place),
    env: serverEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
  })
  await log.close()
  return child
}

/** Without a checkpoint. Unlike a killed server it gives its shared memory back. */
async function endAtOnce(postmaster: ChildProcess): Promise<void> {
  if (postmaster.exitCode !== null || postmaster.signalCode !== null) return
  const ended = once(postmaster, 'exit')
  postmaster.kill('SIGQUIT')
  await ended
}

/** The postmaster first, which would start others. */
async function killAll(postmaster: ChildProcess): Promise<void> {
  if (postmaster.exitCode !== null || postmaster.signalCode !== null) return
  const { pid } = postmaster
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const ended = once(postmaster, 'exit')
  postmaster.kill('SIGKILL')
  for (const child of children.split(' ').filter(Boolean)) {
    try {
      process.kill(Number(child), 'SIGKILL')
    } catch {
      // It has ended with the postmaster.
    }
  }
  await ended
}

/** Below the ports that the system gives to connections and to servers on port 0. */
const PORTS = { from: 20_000, to: 32_000 }
const takenPorts = new Set<number>()

/** A port of the test's own: while its server is down, no other program is given it. */
export async function takePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (takenPorts.has(port)) continue
    takenPorts.add(port)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

const START_TIMEOUT_MS = 300_000

/** Waits for a server that starts. */
async function runQuery(url: string, text: string): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(text)
      return
    } catch (error) {
      const { code } = error as { code?: string }
      // The standby gets the database a moment later.
      if (!['ECONNREFUSED', '57P03', '3D000'].includes(code ?? '') || Date.now() > end) throw error
      await wait(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}
