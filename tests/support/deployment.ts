/**
 * Evenpost as a growing operator runs it: a process that serves, others that buy, all on one database of their own. Any of them can
 * be killed at any moment and is put back by its supervisor.
 */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import type { FaultPlanInput } from '#server/carriers/sandbox/fault-plan.ts'
import { cloneDatabase } from './database.ts'
import type { TestDatabase } from './database.ts'
import { findDiscrepancies } from './discrepancies.ts'
import { createDataFolder, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'
import { stopProcess, startWorkerProcess } from './worker-process.ts'

export type Deployment = {
  database: TestDatabase
  env: Record<string, string>
  /** The process that serves; another one after each time it was killed. */
  webProcess(): ServerProcess
  /** Kills with SIGKILL so many times, each after 0.4 to 1.1 s, whichever process `draw` (0 to below 1) chooses. All are back then. */
  killRandomly(draw: () => number, times: number): Promise<void>
  /** Ends all processes in order. */
  stop(): Promise<void>
  /** Ends all processes in order and returns what the auditor finds (tests/support/discrepancies.ts). */
  stopAndFindDiscrepancies(): Promise<string[]>
  /** Removes everything, in every state. */
  destroy(): Promise<void>
}

type DeployedProcess = {
  kind: 'web' | 'worker'
  child: ChildProcess | null
  webServer?: ServerProcess
}

/** Starts one process that serves and `workers` that buy, with a sandbox that fails by the plan; null: with the carriers of `settings`. */
export async function startDeployment(
  workers: number,
  faults: FaultPlanInput | null,
  settings: Record<string, string> = {},
): Promise<Deployment> {
  const [{ database, drop }, data] = await Promise.all([cloneDatabase(), createDataFolder()])
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: data.path,
    ALLOW_UNSAFE_DATABASE: 'yes',
    CARRIER_TIMEOUT_MS: '3000',
    ...(faults && { SANDBOX_CARRIER_FAULTS: JSON.stringify(faults) }),
    ...settings,
  }
  const members = Array.from({ length: 1 + workers }, (_, n): DeployedProcess => ({
    kind: n === 0 ? 'web' : 'worker',
    child: null,
  }))
  const start = async (member: DeployedProcess): Promise<void> => {
    if (member.kind === 'worker') member.child = await startWorkerProcess(env)
    else {
      member.webServer = await startServer(data.path, { ...env, ROLE: 'web' })
      member.child = member.webServer.child
    }
  }
  const endAll = (signal: NodeJS.Signals) =>
    Promise.all(members.map(({ child }) => child && stopProcess(child, signal)))
  await Promise.all(members.map(start))
  return {
    database,
    env,
    webProcess: () => members[0]!.webServer!,
    async killRandomly(draw, times) {
      const restarted = new Map<DeployedProcess, Promise<void>>()
      for (let kills = 0; kills < times; kills++) {
        await wait(400 + 700 * draw())
        // The draw alone chooses the process, so that a seed repeats the order of the kills.
        const victim = members[Math.floor(members.length * draw())]!
        await restarted.get(victim)
        restarted.set(
          victim,
          stopProcess(victim.child!, 'SIGKILL').then(() => start(victim)),
        )
      }
      await Promise.all(restarted.values())
    },
    stop: async () => void (await endAll('SIGTERM')),
    async stopAndFindDiscrepancies() {
      await endAll('SIGTERM')
      return findDiscrepancies(database)
    },
    async destroy() {
      await endAll('SIGKILL')
      await drop()
      await data.forget()
    },
  }
}

/** How many labels are in each state. */
export async function countLabelStates(
  database: Pick<TestDatabase, 'pool'>,
): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ state: string; n: number }>(
    'select state, count(*) as n from shipment_order group by state',
  )
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

/** How many labels are neither bought nor given up, and bulk orders that have not ended. */
export async function countOpenWork(database: Pick<TestDatabase, 'pool'>): Promise<number> {
  const {
    rows: [row],
  } = await database.pool.query<{ n: number }>(`
    select (select count(*) from shipment_order where state in ('queued', 'purchasing', 'unknown', 'voiding'))
      + (select count(*) from batch where status in ('processing', 'generating_files', 'retrying_failed')) as n`)
  return row!.n
}

/** Numbers from 0 to below 1 that follow from the seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
