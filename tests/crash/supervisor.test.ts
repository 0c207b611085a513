/** `npm start` as its operator knows it: the server comes back by itself, and ends when it is told to. */
import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, test } from 'vitest'
import type { ExpectStatic } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { invariants } from '#contract/ledger.ts'
import { readUnexpectedEnds } from '#server/platform/process/unexpected-ends.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { repeatSpoiled } from '#tests/support/rounds.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'

const METRICS_TOKEN = 'only for the figures of this test'

const folders: Awaited<ReturnType<typeof createDataFolder>>[] = []
afterAll(() => Promise.all(folders.map(folder => folder.forget())))
async function dataFolder(): Promise<string> {
  const folder = await createDataFolder()
  folders.push(folder)
  return folder.path
}
const startSupervised = (dataDir: string, env: Record<string, string> = {}) =>
  startServer(dataDir, env, { supervised: true })

/** The process id of the server itself; undefined between two of them. */
async function serverId({ child }: ServerProcess): Promise<number | undefined> {
  const { stdout } = await promisify(execFile)('pgrep', [
    '-f',
    '-P',
    String(child.pid),
    String.raw`main\.(cjs|ts)`,
  ]).catch(() => ({ stdout: '' }))
  return stdout.trim() === '' ? undefined : Number(stdout.trim().split('\n')[0])
}
const isHealthy = ({ url }: ServerProcess) =>
  fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )
const timesSaid = (app: ServerProcess, text: string) => app.readOutput().split(text).length - 1

test.concurrent('a killed server comes back at the same address by itself, finishes the bulk order, and Ctrl-C ends both at once', async ({
  expect,
}) => {
  const dataDir = await dataFolder()
  const app = await startSupervised(dataDir, { SANDBOX_CARRIER_LATENCY_MS: '300' })
  const ana = await app.register('Ana')
  await app.pay(ana, 10_000)
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const sent = await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData: rows(800) } },
    ana.token,
  )
  expect(sent.status, sent.body.message).toBe(202)
  process.kill((await serverId(app))!, 'SIGKILL')
  const status = () =>
    app.call(batchStatus, { params: { orderId } }, ana.token).then(
      ({ body }) => body,
      () => undefined,
    )
  await expect.poll(async () => isTerminal((await status())?.status ?? 'processing')).toBe(true)
  expect(await status()).toMatchObject({ status: 'completed', processedCount: 800, failedCount: 0 })
  const admin = await app.admin()
  expect((await app.call(invariants, {}, admin.token)).body.ok).toBe(true)
  expect(timesSaid(app, `Evenpost is ready at ${app.url}`)).toBe(2)
  expect(app.readOutput()).toContain(
    'The server ended unexpectedly (SIGKILL); it starts again in 1 s',
  )
  expect(await readUnexpectedEnds(dataDir)).toMatchObject([{ code: null, signal: 'SIGKILL' }])

  const ended = new Promise(done => app.child.once('exit', done))
  process.kill(-app.child.pid!, 'SIGINT')
  expect(await ended).toBe(0)
  expect(timesSaid(app, 'Stopping')).toBe(1)
  expect(await isHealthy(app)).toBe(false)
})

test.concurrent('a Ctrl-C that npm forwards does not count as a second one', async ({ expect }) => {
  // Where a process stands still, the shutdown may be over before the second signal, or take too long.
  const stopped = await repeatSpoiled(
    () => stopTwice(expect),
    ({ exitCode, wasStopping }) => exitCode === 1 || !wasStopping,
  )
  expect(stopped).toEqual({ exitCode: 0, wasStopping: true, stops: 1 })
})

/** As by one Ctrl-C: the terminal sends it to both processes, and npm to `npm start` once more. The shutdown waits for the carrier. */
async function stopTwice(expect: ExpectStatic) {
  const app = await startSupervised(await dataFolder(), {
    SANDBOX_CARRIER_LATENCY_MS: '6000',
    METRICS_TOKEN,
  })
  const ana = await app.register('Ana')
  await app.pay(ana, 100)
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const body = { orderId, orderData: rows(3) }
  await app.call(processBatch, { params: { userId: ana.user._id }, body }, ana.token)
  await expect.poll(() => hasClaimed(app)).toBe(true)
  const ended = new Promise<number | null>(done => app.child.once('exit', done))
  process.kill(-app.child.pid!, 'SIGINT')
  await expect.poll(() => timesSaid(app, 'Stopping: Ctrl-C')).toBe(1)
  const wasStopping = app.child.kill('SIGINT')
  return { exitCode: await ended, wasStopping, stops: timesSaid(app, 'Stopping') }
}

/** Whether labels were sent to the carrier. */
async function hasClaimed({ url }: ServerProcess): Promise<boolean> {
  const answer = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  return /^evenpost_claim_seconds_count [1-9]/m.test(await answer.text())
}

test.concurrent('a server that ends five times within a minute is given up with a sentence', async ({
  expect,
}) => {
  const dataDir = await dataFolder()
  const app = await startSupervised(dataDir)
  let isOver = false
  const ended = new Promise(done => app.child.once('exit', done)).finally(() => {
    isOver = true
  })
  // Five are enough, unless a process stands still meanwhile.
  let kills = 0
  for (let last: number | undefined; !isOver && kills < 50; await wait(20)) {
    const id = await serverId(app)
    if (id === undefined || id === last) continue
    process.kill(id, 'SIGKILL')
    kills++
    last = id
  }
  expect(kills).toBeLessThan(50)
  expect(await ended).toBe(1)
  expect(app.readOutput()).toContain(
    'The server ended unexpectedly 5 times within a minute (now with SIGKILL) and is not started again.',
  )
  expect((await readUnexpectedEnds(dataDir)).length).toBeGreaterThanOrEqual(5)
  const after = await startServer(dataDir) // takes over the database of a killed one, and puts it to rest
  await after.stop('SIGTERM')
})

test.concurrent('a wrong configuration is said once and not tried again', async ({ expect }) => {
  const dataDir = await dataFolder()
  const failed = await startSupervised(dataDir, { PORT: 'eighty' }).catch((error: Error) => error)
  expect(failed).toBeInstanceOf(Error)
  const said = (failed as Error).message
  expect(said).toContain('the server ended with 1')
  expect(said.split(`PORT is 'eighty'; it must be a number.`)).toHaveLength(2)
  expect(said).not.toContain('starts again')
})

test.concurrent('a server that cannot start again because its database refuses it is tried until it can', async ({
  expect,
}) => {
  const { database, drop } = await cloneDatabase()
  const app = await startSupervised(await dataFolder(), {
    DATABASE_URL: database.url,
    ALLOW_UNSAFE_DATABASE: 'yes',
  })
  const name = new URL(database.url).pathname.slice(1)
  await database.owner.pool.query(`revoke connect on database ${name} from public`)
  process.kill((await serverId(app))!, 'SIGKILL')
  await expect
    .poll(() => app.readOutput())
    .toContain('cannot start now, for the reason above; it tries again in 30 s')
  expect(app.readOutput()).toContain('The database named by DATABASE_URL cannot be used')
  await database.owner.pool.query(`grant connect on database ${name} to public`)
  await expect.poll(() => timesSaid(app, `Evenpost is ready at ${app.url}`)).toBe(2)
  const ended = new Promise(done => app.child.once('exit', done))
  app.child.kill('SIGTERM')
  expect(await ended).toBe(0)
  await drop()
})

test.concurrent('when npm start itself is killed, the server ends cleanly instead of going on unseen', async ({
  expect,
}) => {
  const app = await startSupervised(await dataFolder())
  const id = (await serverId(app))!
  await expect.poll(() => isHealthy(app)).toBe(true)
  app.child.kill('SIGKILL')
  await expect.poll(() => isHealthy(app)).toBe(false)
  await expect.poll(() => isAlive(id)).toBe(false)
  await expect.poll(() => app.readOutput()).toContain('Stopping: npm start has ended')
})

test.concurrent('a stop that reaches only npm ends the server, too', async ({ expect }) => {
  const app = await startServer(
    await dataFolder(),
    { npm_lifecycle_event: 'start' },
    { supervised: true, inShell: true },
  )
  app.child.kill('SIGTERM')
  await expect.poll(() => app.readOutput()).toContain('Stopping: SIGTERM')
  await expect.poll(() => isHealthy(app)).toBe(false)
})

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch {
    return false
  }
}
