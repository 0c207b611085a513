/** Later starts, and what a process that does nothing takes of the memory: with an embedded database, and for each ROLE. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from '#scripts/command.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { startWorkerProcess } from '#tests/support/worker-process.ts'
import { median } from './figures.ts'

const STARTS = 5
const IDLE_MS = 60_000

export type IdleFigures = {
  /** From the start of the server process, and from `npm start`, until it is ready. */
  serverMs: number
  npmStartMs: number
  /** Resident memory a minute after the start. */
  memoryMb: { all: number; web: number; worker: number }
}

/** `databaseUrl`: of a migrated database, for the processes with a role. */
export async function measureIdle(folder: string, databaseUrl: string): Promise<IdleFigures> {
  const dataDir = join(folder, 'idle')
  const first = await startServer(dataDir)
  await first.stop('SIGTERM')
  const serverMs: number[] = []
  for (let n = 0; n < STARTS; n++) {
    const began = performance.now()
    const server = await startServer(dataDir)
    serverMs.push(performance.now() - began)
    await server.stop('SIGTERM')
  }
  const npmStartMs: number[] = []
  for (let n = 0; n < STARTS; n++) npmStartMs.push(await timeNpmStart(dataDir))
  return {
    serverMs: median(serverMs),
    npmStartMs: median(npmStartMs),
    memoryMb: await measureMemory(dataDir, folder, databaseUrl),
  }
}

async function timeNpmStart(dataDir: string): Promise<number> {
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    detached: true,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise(done => child.once('exit', done))
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (said.includes('Evenpost is ready')) break
  }
  const ms = performance.now() - began
  process.kill(-child.pid!, 'SIGINT')
  await ended
  return ms
}

async function measureMemory(
  dataDir: string,
  folder: string,
  databaseUrl: string,
): Promise<IdleFigures['memoryMb']> {
  const shared = { DATABASE_URL: databaseUrl }
  const all = await startServer(dataDir)
  const web = await startServer(join(folder, 'idle-web'), { ...shared, ROLE: 'web' })
  const worker = await startWorkerProcess({ ...shared, DATA_DIR: join(folder, 'idle-worker') })
  await wait(IDLE_MS)
  const memoryMb = {
    all: residentMb(all.child),
    web: residentMb(web.child),
    worker: residentMb(worker),
  }
  worker.kill('SIGTERM')
  await Promise.all([all, web].map(server => server.stop('SIGTERM')))
  return memoryMb
}

/** Resident memory of a process. From /proc, so on Linux only. */
export function residentMb({ pid }: ServerProcess['child']): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024
}
