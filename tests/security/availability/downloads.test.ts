/** Readers who stop reading hold no turn: label files are still made for everybody else. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { testDatabase } from '#tests/support/database.ts'
import { FROZEN, watchHealth } from '#tests/support/health-watch.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { waitDuring } from './wait-during.ts'

/** More bytes of ZPL than a connection and the server buffer. */
const LABELS = 3_000
const STALLED = 8

const database = await testDatabase()
const data = await createDataFolder()
const server = await startServer(data.path, {
  DATABASE_URL: database.url,
  ALLOW_UNSAFE_DATABASE: 'yes',
})
const watch = watchHealth(server.url)
const stalled: Socket[] = []
afterAll(async () => {
  for (const socket of stalled) socket.destroy()
  await watch.close()
  await server.stop('SIGTERM')
  await data.forget()
})

async function finishedBatch(of: SignedInUser, labels: number): Promise<string> {
  const { user, token } = of
  await server.pay(of, labels * 6.5)
  const { orderId } = (await server.call(initBatch, { body: { userId: user._id } }, token)).body
  const body = { orderId, orderData: rows(labels) }
  expect(
    (await server.call(processBatch, { params: { userId: user._id }, body }, token)).status,
  ).toBe(202)
  await expect
    .poll(
      async () =>
        isTerminal((await server.call(batchStatus, { params: { orderId } }, token)).body.status),
      { interval: 200 },
    )
    .toBe(true)
  return orderId
}

/** Reads the head of the answer, and never its body. */
function stallAt(path: string, token: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((answered, failed) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\ntoken: ${token}\r\n\r\n`),
    )
    stalled.push(socket)
    socket.on('error', failed)
    socket.once('data', head => {
      socket.pause()
      answered(head.toString('latin1').split('\r\n')[0]!)
    })
  })
}

test('while eight downloads of four readers stand still, a fifth customer gets a ZPL file', async () => {
  const [seller, ...readers] = await Promise.all(
    ['Seller', 'One', 'Two', 'Three', 'Four'].map(name => server.register(name)),
  )
  const large = await finishedBatch(seller!, LABELS)
  // Administrators may download any customer's labels, so one large bulk order is enough.
  await database.owner.pool.query(
    `update app_user set role = 'admin' where id = any($1::bigint[])`,
    [readers.map(({ user }) => user._id)],
  )
  const wait = await waitDuring(watch, async () => {
    for (const socket of stalled.splice(0)) socket.destroy()
    const heads = await Promise.all(
      Array.from({ length: STALLED }, (_, n) =>
        stallAt(`/api/orders/download/pdf/${large}?format=zpl`, readers[n % 4]!.token),
      ),
    )
    expect(heads).toEqual(heads.map(() => 'HTTP/1.1 200 OK'))
    const path = `/api/orders/download/pdf/${large}?format=zpl&rows=1-20`
    const fifth = await server.file(path, seller!.token)
    expect(fifth.status).toBe(200)
    expect(fifth.bytes.toString('latin1').match(/\^XZ/g)).toHaveLength(20)
    const again = await server.file(path, readers[0]!.token)
    expect(again.status).toBe(200)
  })
  expect(wait).toBeLessThan(FROZEN)
})
