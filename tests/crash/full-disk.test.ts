/**
 * Nothing can be written: no place for the label files, or a disk that is full under them or under the database. The latter need a
 * disk of their own and therefore root: EVENPOST_ROOT_TESTS=1 runs them; otherwise one line says that they were left out.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { open as openFile, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { testApp } from '#tests/support/app.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { openPdf } from '#tests/support/read-pdf.ts'
import { rows } from '#tests/support/rows.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'

const PRICE = 6.5

const app = await testApp()

test('no folder for files: labels are bought and charged, and the files are written when there is one', async () => {
  const ana = await app.register()
  await app.creditDollars(ana.user._id, 100)
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const folder = join(app.ctx.config.dataDir, 'files')
  writeFileSync(folder, 'in the way')
  await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData: rows(5) } },
    ana.token,
  )
  await expect
    .poll(() => problemOf(app.database, orderId), { interval: 20 })
    .toContain('could not be written')
  expect((await app.call(verifySession, {}, ana.token)).body.user).toMatchObject({
    balance: 100 - 5 * PRICE,
    totalSpent: 5 * PRICE,
  })
  rmSync(folder)
  const ended = async () =>
    (await app.call(batchStatus, { params: { orderId } }, ana.token)).body.status
  await expect.poll(ended, { interval: 50 }).toBe('completed')
  expect(await findDiscrepancies(app.database)).toEqual([])
})

const mayMount = process.env.EVENPOST_ROOT_TESTS === '1'
if (!mayMount)
  console.log(
    'Not run: the tests of a disk that is really full; they need root and EVENPOST_ROOT_TESTS=1',
  )

test.runIf(mayMount)(
  'no space for files: labels are bought and charged, their files written when there is space',
  async () => {
    const { database, drop } = await cloneDatabase()
    await withSmallDisk('16m', async (disk, start) => {
      const app = await start({ DATABASE_URL: database.url, ALLOW_UNSAFE_DATABASE: 'yes' })
      const ana = await app.register('Ana')
      await app.pay(ana, 5_000)
      await disk.fill()
      const orderId = await order(app, ana, 200)
      await expect
        .poll(() => problemOf(database, orderId), { interval: 100 })
        .toContain('no space left')
      expect((await app.call(verifySession, {}, ana.token)).body.user).toMatchObject({
        balance: 5_000 - 200 * PRICE,
        totalSpent: 200 * PRICE,
      })
      disk.free()
      await expect.poll(() => status(app, ana, orderId), { interval: 100 }).toBe('completed')
      const pdf = await app.file(`/api/orders/download/pdf/${orderId}`, ana.token)
      expect((await openPdf(pdf.bytes)).count).toBe(200)
      await app.stop('SIGTERM')
      expect(await findDiscrepancies(database)).toEqual([])
    }).finally(drop)
  },
)

test.runIf(mayMount)(
  'no space for the database: orders are refused in plain words or stored whole, and everything continues when there is space',
  () =>
    withSmallDisk('400m', async (disk, start) => {
      const app = await start({ SANDBOX_CARRIER_LATENCY_MS: '200' })
      const ana = await app.register('Ana')
      await app.pay(ana, 100_000)
      await app.pay(ana, 100_000)
      const first = await order(app, ana, 1_000)
      await disk.fill()
      const sent: SubmitResult[] = []
      // Room that the database has kept for itself takes some orders in.
      while (!sent.some(({ status: code }) => code >= 500) && sent.length < 12)
        sent.push(await attempt(app, ana, 2_000))
      for (let n = 0; n < 3; n++) sent.push(await attempt(app, ana, 2_000))
      const refused = sent.filter(({ status: code }) => code !== 202)
      expect(refused.length).toBeGreaterThan(0)
      for (const { status: code, message } of refused) {
        // No space for the order itself, or so little that the database had to restart.
        const words = /^(This cannot be saved right now|The database cannot be reached just now)\./
        expect({ code, message }).toEqual({ code: 503, message: expect.stringMatching(words) })
      }

      disk.free()
      expect(app.child.exitCode, 'the server runs all the time').toBe(null)
      const accepted = [
        first,
        ...sent.filter(({ status: code }) => code === 202).map(({ orderId }) => orderId!),
      ]
      for (const orderId of accepted) {
        await expect
          .poll(() => status(app, ana, orderId).catch(() => null), {
            timeout: 180_000,
            interval: 500,
          })
          .toBe('completed')
      }
      // A refused order is sent again and exists once.
      const again = refused.find(({ orderId }) => orderId !== null)
      if (again) {
        expect(await send(app, ana, again.orderId!, 2_000)).toMatchObject({ status: 202 })
        accepted.push(again.orderId!)
        await expect
          .poll(() => status(app, ana, again.orderId!), { interval: 500 })
          .toBe('completed')
      }
      const labels = 1_000 + 2_000 * (accepted.length - 1)
      const {
        body: { user },
      } = await app.call(verifySession, {}, ana.token)
      expect(user).toMatchObject({ balance: 200_000 - labels * PRICE, totalSpent: labels * PRICE })
      const postgres = await startPostgres({ dataDir: disk.path, exclusive: false, log: () => {} })
      const database = openDatabase(postgres.ownerUrl, { max: 1 })
      try {
        const { rows: kept } = await database.pool.query(
          'select state, count(*)::int as many from shipment_order group by state',
        )
        expect(kept).toEqual([{ state: 'purchased', many: labels }])
        expect(await findDiscrepancies(database)).toEqual([])
      } finally {
        await database.close()
        await postgres.stop()
      }
      await app.stop('SIGTERM')
    }),
  600_000,
)

/** Why the files of a bulk order could not be made; empty while nothing stood in the way. */
async function problemOf(database: Database, orderId: string): Promise<string> {
  const {
    rows: [batch],
  } = await database.pool.query<{ problem: string | null }>(
    'select files_problem as problem from batch where id = $1',
    [orderId],
  )
  return batch?.problem ?? ''
}

/** What became of an order that was sent; `orderId` null where there was not even a number for it. Status 0: no answer at all. */
type SubmitResult = { status: number; message: string; orderId: string | null }

async function attempt(app: ServerProcess, by: SignedInUser, count: number): Promise<SubmitResult> {
  try {
    const begun = await app.call(initBatch, { body: { userId: by.user._id } }, by.token)
    if (begun.status !== 200)
      return { status: begun.status, message: begun.body.message ?? '', orderId: null }
    return await send(app, by, begun.body.orderId, count)
  } catch (error) {
    return { status: 0, message: String(error), orderId: null }
  }
}

async function send(
  app: ServerProcess,
  by: SignedInUser,
  orderId: string,
  count: number,
): Promise<SubmitResult> {
  const sent = await app.call(
    processBatch,
    { params: { userId: by.user._id }, body: { orderId, orderData: rows(count) } },
    by.token,
  )
  return { status: sent.status, message: sent.body.message ?? '', orderId }
}

async function order(app: ServerProcess, by: SignedInUser, count: number): Promise<string> {
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: by.user._id } }, by.token)
  const sent = await app.call(
    processBatch,
    { params: { userId: by.user._id }, body: { orderId, orderData: rows(count) } },
    by.token,
  )
  expect(sent.status, sent.body.message).toBe(202)
  return orderId
}

const status = async (app: ServerProcess, by: SignedInUser, orderId: string) =>
  (await app.call(batchStatus, { params: { orderId } }, by.token)).body.status

type SmallDisk = { path: string; fill(): Promise<void>; free(): void }

/**
 * Gives `work` a small disk in memory, and servers that keep their data on it; both are removed at the end. `fill` leaves no byte
 * of it free, `free` takes away what filled it.
 */
async function withSmallDisk(
  size: string,
  work: (
    disk: SmallDisk,
    start: (env?: Record<string, string>) => Promise<ServerProcess>,
  ) => Promise<void>,
): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'evenpost-disk-'))
  const apps: ServerProcess[] = []
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=711`, 'tmpfs', path])
  try {
    await work(
      { path, fill: () => fill(path), free: () => rmSync(join(path, 'filler')) },
      async env => {
        const app = await startServer(path, env)
        apps.push(app)
        return app
      },
    )
  } finally {
    for (const app of apps) await app.stop('SIGKILL')
    execFileSync('umount', ['--lazy', path])
    rmdirSync(path)
  }
}

async function fill(path: string): Promise<void> {
  const file = await openFile(join(path, 'filler'), 'w')
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(path)
      if (bavail === 0) return
      await file.write(Buffer.alloc(Math.min(bavail * bsize, 1 << 20)))
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
}
