/** A worker as an operator adds one: a process of its own that buys labels and serves no pages. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { SERVER_ENTRY } from '#scripts/server-entry.ts'
import { startEnv } from '#server/platform/process/start-env.ts'
import { STARTED_AT_ONCE } from '#server/platform/process/supervised.ts'
import { START_FLAGS } from './server-process.ts'

const READY = 'Evenpost is ready and buys labels'
const READY_TIMEOUT_MS = 300_000

/**
 * Starts the server with ROLE=worker and waits until it works; `entry` is another version's file. Throws with its output when
 * it ends early.
 */
export async function startWorkerProcess(
  env: Record<string, string>,
  entry = SERVER_ENTRY,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...START_FLAGS, entry], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...startEnv(),
      LOG_LEVEL: 'warn',
      ...env,
      ROLE: 'worker',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  await new Promise<void>((ready, failed) => {
    const timer = setTimeout(
      () => failed(new Error(`the worker was not ready in time:\n${output}`)),
      READY_TIMEOUT_MS,
    )
    const collect = (chunk: Buffer): void => {
      const all = output + chunk.toString()
      output = all.slice(-20_000)
      if (!all.includes(READY)) return
      clearTimeout(timer)
      ready()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('exit', code => {
      clearTimeout(timer)
      failed(new Error(`the worker ended with ${code}:\n${output}`))
    })
  })
  return child
}

/** Sends a signal and waits for the end of the process. */
export const stopProcess = (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> =>
  new Promise(done => {
    if (child.exitCode !== null || child.signalCode !== null) return done(child.exitCode)
    child.once('exit', code => done(code))
    child.kill(signal)
  })

/** A worker that is started again when it asks for it, as a container would be. */
export async function startRestartedWorker(
  env: Record<string, string>,
): Promise<{ stop(signal: NodeJS.Signals): Promise<void> }> {
  let child = await startWorkerProcess(env)
  let starting: Promise<void> | undefined
  let isStopped = false
  const watch = (): void =>
    void child.once('exit', code => {
      if (isStopped || code !== STARTED_AT_ONCE) return
      const next = startWorkerProcess(env).then(started => {
        child = started
        watch()
      })
      // `stop` tells why it did not start.
      next.catch(() => {})
      starting = next
    })
  watch()
  return {
    async stop(signal) {
      isStopped = true
      const last = starting
      // Once: after a failure the same worker is stopped again.
      starting = undefined
      await last
      await stopProcess(child, signal)
    },
  }
}
