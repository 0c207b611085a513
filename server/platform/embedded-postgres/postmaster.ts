import { execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import type { BinaryPath } from './binaries.ts'
import { clusterPath, logPath, serverEnvironment } from './cluster.ts'
import type { ClusterLocation } from './location.ts'

/** What `postmaster.pid` says. The server writes it, and takes it away when it ends in order. */
export type PidFile = {
  pid: number
  port: number
  status: string
}

/** Reads the pid file of a cluster; undefined when there is none or it is only half written. */
export function readPidFile(cluster: string): PidFile | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const pid = Math.abs(Number(lines[0]))
  return pid > 0 ? { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() } : undefined
}

/** Whether a process with this id runs. One that has ended and was never fetched by its parent (a zombie) does not. */
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

/** False when the process with this id is certainly something else: ids are used again, after a restart of the machine above all. */
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

/** Takes away a pid file that names no server of ours. The server's own look at its shared memory still guards the data. */
export const deletePidFile = (cluster: string): void =>
  rmSync(join(cluster, 'postmaster.pid'), { force: true })

const MAX_LOG_BYTES = 20_000_000 // bytes; it holds warnings and errors only

/**
 * Starts the server on 127.0.0.1 and returns once it takes connections. It is detached and writes to a file: Ctrl-C goes to us
 * first, and it survives us if we are killed. Throws `StartFailed` when it ends instead.
 */
export async function spawnPostmaster(
  place: ClusterLocation,
  binaries: BinaryPath,
  port: number,
  settings: string[],
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
  for (;;) {
    const file = readPidFile(cluster)
    if (file?.pid === child.pid && file?.status === 'ready') return file
    if (ended)
      throw new PostgresStartError(ended.message, readFileSync(log, 'utf8').slice(from).trim())
    await wait(4)
  }
}

/** The server did not start; `output` is what it said about it. */
export class PostgresStartError extends OperatorError {
  readonly output: string

  constructor(message: string, output: string) {
    super(
      `The database did not start: ${message}\n${output.split('\n').slice(-12).join('\n')}`.trim(),
    )
    this.output = output
  }
}

/** Ends the server in order: sessions are cut, a checkpoint is written. Returns when it is gone. */
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
  // Fast; and if a checkpoint takes that long, at once: the log of changes makes up for it at the next start.
  for (const [signal, patienceMs] of [
    ['SIGINT', 25_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    for (const end = Date.now() + patienceMs; Date.now() < end; await wait(5)) {
      if (!isAlive(pid)) return
    }
  }
  throw new Error(`The database process ${pid} could not be ended.`)
}

/** A port nobody listens on at the moment. */
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
