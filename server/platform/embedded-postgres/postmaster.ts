import { execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import type { BinaryPath } from './binaries.ts'
import { clusterPath, logPath, serverEnvironment } from './cluster.ts'
import type { ClusterLocation } from './location.ts'

/**
 * Content of `postmaster.pid`, which the server writes at the start and deletes at a clean
 * shutdown.
 */
export type PidFile = {
  pid: number
  port: number
  /** Of its Unix socket; '' without one. */
  socketFolder: string
  status: string
}

export function readPidFile(cluster: string): PidFile | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const pid = Math.abs(Number(lines[0]))
  const text = (line: number): string => (lines[line] ?? '').trim()
  return pid > 0
    ? { pid, port: Number(text(3)), socketFolder: text(4), status: text(7) }
    : undefined
}

/** Whether the process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  if (process.platform !== 'linux') return true
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

/**
 * False when the process is certainly another program: process ids are reused, especially after a
 * reboot.
 */
export function mayBePostgres(pid: number): boolean {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('postgres')
    if (process.platform === 'win32') return true
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(
      'postgres',
    )
  } catch {
    return true
  }
}

/**
 * Deletes what a killed server has left. The server's own check of shared memory still protects the
 * data.
 */
export function deletePidFile(cluster: string, { socketFolder, port }: PidFile): void {
  const socket = socketFolder === '' ? [] : [socketPath(socketFolder, port)]
  for (const path of [
    ...socket.flatMap(file => [file, `${file}.lock`]),
    join(cluster, 'postmaster.pid'),
  ])
    rmSync(path, { force: true })
}

const socketPath = (folder: string, port: number): string => join(folder, `.s.PGSQL.${port}`)

/** Of the address of a socket in bytes, on macOS; Linux has four more. */
const MAX_SOCKET_PATH = 103

/** The folder for the server's Unix socket; '' where it can have none. */
export const socketFolderOf = ({ path }: ClusterLocation): string =>
  process.platform === 'win32' || Buffer.byteLength(socketPath(path, 65_535)) > MAX_SOCKET_PATH
    ? ''
    : path

const MAX_LOG_BYTES = 20_000_000 // it has warnings and errors only

/**
 * Returns when the server accepts connections. It is detached: Ctrl-C does not reach it, and it
 * survives a killed Evenpost. Throws PostgresStartError when it ends.
 */
export async function spawnPostmaster(
  place: ClusterLocation,
  binaries: BinaryPath,
  port: number,
  settings: string[],
  onLaunched = (): void => {},
): Promise<PidFile> {
  const cluster = clusterPath(place)
  const log = logPath(place)
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_LOG_BYTES) truncateSync(log)
  const from = size > MAX_LOG_BYTES ? 0 : size
  const output = openSync(log, 'a', 0o600)
  const args = ['-D', cluster, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])]
  const child = spawn(binaries('postgres'), args, {
    ...place.user,
    cwd: cluster,
    env: serverEnvironment(),
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  let ended: Error | undefined
  child.on('error', error => {
    ended = error
  })
  child.on('exit', (code, signal) => {
    ended ??= new Error(`it ended with ${signal ?? `code ${code}`}`)
  })
  child.unref()
  onLaunched()
  for (;;) {
    const file = readPidFile(cluster)
    if (file?.pid === child.pid && file?.status === 'ready') return file
    if (ended)
      throw new PostgresStartError(ended.message, readFileSync(log, 'utf8').slice(from).trim())
    await wait(4)
  }
}

export class PostgresStartError extends OperatorError {
  readonly output: string

  constructor(message: string, output: string) {
    super(
      `The database did not start: ${message}\n${output.split('\n').slice(-12).join('\n')}`.trim(),
    )
    this.output = output
  }
}

/**
 * Shuts the server down with a checkpoint; sessions are closed. Returns when the process is gone.
 */
export async function stopPostmaster(
  place: ClusterLocation,
  binaries: BinaryPath,
  pid: number,
): Promise<void> {
  const cluster = clusterPath(place)
  if (process.platform === 'win32') {
    execFileSync(binaries('pg_ctl'), ['stop', '-D', cluster, '-m', 'fast', '-w'], {
      stdio: 'ignore',
    })
    return
  }
  // Fast shutdown; immediate if the checkpoint takes too long: the next start then recovers from
  // the log.
  for (const [signal, timeoutMs] of [
    ['SIGINT', 25_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    for (const end = performance.now() + timeoutMs; performance.now() < end; await wait(5)) {
      if (!isAlive(pid)) return
    }
  }
  throw new Error(`The database process ${pid} could not be stopped.`)
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address() as { port: number }
        server.close(() => resolve(port))
      })
  })
}
