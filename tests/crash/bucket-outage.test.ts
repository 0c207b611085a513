/**
 * Files in a bucket shared by several machines: no partial file is visible after a crash, and no
 * label is lost or late because a bucket is unavailable.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { listOrders } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import { STORED_FILE_NAMES } from '#server/labels/file-names.ts'
import { storageKeyFor } from '#server/platform/storage/storage-key.ts'
import { testDatabase } from '#tests/support/database.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { openPdf } from '#tests/support/read-pdf.ts'
import { rows } from '#tests/support/rows.ts'
import { runCommand } from '#tests/support/run-command.ts'
import { openS3Stub } from '#tests/support/s3-stub.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { stopProcess, startWorkerProcess } from '#tests/support/worker-process.ts'

const ROWS = 120
const PRICE = 6.5

const database = await testDatabase()
const server = await openS3Stub()
// Two machines: they share the database and the bucket, and no folder.
const [here, there] = await Promise.all([createDataFolder(), createDataFolder()])
afterAll(async () => {
  await server.close()
  await Promise.all([here.forget(), there.forget()])
})
const env = { DATABASE_URL: database.url, ALLOW_UNSAFE_DATABASE: 'yes', ...server.env }
const startWorker = () => startWorkerProcess({ ...env, DATA_DIR: there.path })

const status = async (app: ServerProcess, of: SignedInUser, orderId: string) =>
  (await app.call(batchStatus, { params: { orderId } }, of.token)).body
const hasEnded = async (app: ServerProcess, of: SignedInUser, orderId: string) => {
  await expect
    .poll(async () => isTerminal((await status(app, of, orderId)).status), { interval: 50 })
    .toBe(true)
}
const labelsIn = async (
  app: ServerProcess,
  of: SignedInUser,
  orderId: string,
): Promise<number | string> => {
  const { status: code, bytes } = await app.file(`/api/orders/download/pdf/${orderId}`, of.token)
  return code === 200 ? (await openPdf(bytes)).count : `${code}: ${bytes.toString()}`
}

/** Like `labelsIn`, once the file is no longer being made: until then the answer is 503. */
const settledLabels = async (...asked: Parameters<typeof labelsIn>): Promise<number | string> => {
  let found: number | string = ''
  const answer = async () => String((found = await labelsIn(...asked)))
  await expect.poll(answer).not.toMatch(/^503/)
  return found
}
async function submit(app: ServerProcess, of: SignedInUser, count: number): Promise<string> {
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: of.user._id } }, of.token)
  const sent = await app.call(
    processBatch,
    { params: { userId: of.user._id }, body: { orderId, orderData: rows(count) } },
    of.token,
  )
  expect(sent.status, sent.body.message).toBe(202)
  return orderId
}

test('a worker dies during an upload and the bucket is unavailable: files are whole or missing, and arrive later', async () => {
  const [app, first] = await Promise.all([
    startServer(here.path, { ...env, ROLE: 'web' }),
    startWorker(),
  ])
  let worker = first
  const ana = await app.register('Ana')
  await app.pay(ana, 5_000)

  // Killed while the bucket has the bytes and has not answered. The worker's retries before the kill get no answer either.
  const before = server.operations.length
  server.failNext('PUT file', 'stall', 50)
  const orderId = await submit(app, ana, ROWS)
  await expect.poll(() => server.operations.slice(before), { interval: 20 }).toContain('PUT file')
  expect((await status(app, ana, orderId)).status).toBe('generating_files')
  await stopProcess(worker, 'SIGKILL')
  server.forgetFaults()
  await expect.poll(() => labelsIn(app, ana, orderId)).toMatch(/^404/)
  expect(server.files.size).toBe(0)
  worker = await startWorker()
  await hasEnded(app, ana, orderId)
  expect(await settledLabels(app, ana, orderId)).toBe(ROWS) // made by the worker, read by the other machine

  // A void makes them again, without that label.
  const {
    body: { orders },
  } = await app.call(listOrders, { params: { userId: ana.user._id }, query: {} }, ana.token)
  const asked = await app.call(voidOrder, { params: { orderId: orders[0]!._id } }, ana.token)
  // 202 where the carrier confirms after the five seconds that the request waits.
  expect([200, 202], asked.body.message).toContain(asked.status)
  // A busy machine may answer meanwhile that the file is being made.
  await expect.poll(() => labelsIn(app, ana, orderId)).toBe(ROWS - 1)

  // The bucket is emptied: files are written again by the process that serves a request for them.
  server.files.clear()
  await expect.poll(() => labelsIn(app, ana, orderId)).toBe(ROWS - 1)

  // The bucket becomes unavailable: labels are bought and charged, and downloads answer with a time
  // to retry.
  server.refuseAll('SlowDown')
  const next = await submit(app, ana, 20)
  const problem = async () =>
    (
      await database.pool.query<{ problem: string | null }>(
        'select files_problem as problem from batch where id = $1',
        [next],
      )
    ).rows[0]!.problem
  await expect.poll(problem, { interval: 50 }).toBe('The bucket for files is overloaded')
  expect((await app.call(verifySession, {}, ana.token)).body.user.totalSpent).toBe(
    (ROWS - 1 + 20) * PRICE,
  )
  await expect
    .poll(() => labelsIn(app, ana, orderId))
    .toMatch(/^503: .*Files cannot be reached at the moment/)
  server.refuseAll(null)
  await hasEnded(app, ana, next)
  expect(await settledLabels(app, ana, next)).toBe(20)
  expect(await settledLabels(app, ana, orderId)).toBe(ROWS - 1)

  await Promise.all([stopProcess(worker, 'SIGTERM'), app.stop('SIGTERM')])
  expect(server.uploads.size).toBe(0)
  expect(await findDiscrepancies(database)).toEqual([])
})

test('killed in the middle of a large upload: no part of it is visible, and the next one is whole', async () => {
  const name = 'killed.pdf'
  const upload = () =>
    spawn(
      process.execPath,
      [join(import.meta.dirname, '..', 'support', 'upload-process.ts'), name],
      {
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          DATA_DIR: there.path,
          ...server.env,
        },
        stdio: 'ignore',
      },
    )
  const asked = server.operations.length
  server.failNext('POST upload', 'stall')
  const killed = upload()
  // All parts are up; only the last word is missing.
  await expect.poll(() => server.operations.slice(asked), { interval: 10 }).toContain('POST upload')
  await stopProcess(killed, 'SIGKILL')
  expect([server.files.has(storageKeyFor(name, STORED_FILE_NAMES)), server.uploads.size]).toEqual([
    false,
    1,
  ])
  expect(await once(upload(), 'exit')).toEqual([0, null])
  expect(server.files.get(storageKeyFor(name, STORED_FILE_NAMES))!.bytes.length).toBe(30 * 2 ** 20)
})

test('a start with an unusable bucket is refused with the remedy', async () => {
  await expect(startServer(here.path, { ...env, S3_BUCKET: 'nowhere' })).rejects.toThrow(
    'There is no bucket nowhere at http://',
  )
})

test('the doctor checks the bucket, and the backup says that files are not in it', async () => {
  const doctor = (more: Record<string, string> = {}) =>
    runCommand('doctor', [], { ...env, DATA_DIR: here.path, ...more })
  expect((await doctor()).output).toMatch(
    / {2}ok {5}Files: in the bucket labels at http\S+ a file can be written, read and deleted\n/,
  )
  expect((await doctor({ S3_ACCESS_KEY_ID: 'AKIAOTHER' })).output).toMatch(
    / {2}WRONG {2}Files: S3_ACCESS_KEY_ID is not known at http/,
  )
  expect((await runCommand('backup', [], { ...env, DATA_DIR: here.path })).output).toContain(
    'turn on versioning of the bucket labels',
  )
})
