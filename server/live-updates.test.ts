import { io as connect } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import { afterAll, expect, test } from 'vitest'
import { setUserActivation } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import type { BatchProgress } from '#contract/batches.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { rows } from '#tests/support/rows.ts'

const app = await testApp()
const address = await app.listen()
const opened: Socket[] = []
afterAll(() => {
  for (const socket of opened) socket.disconnect()
})

function page(token: string): Socket {
  const socket = connect(address, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { token },
  })
  opened.push(socket)
  return socket
}

async function submit({ user, token }: TestUser, labels: number): Promise<string> {
  const { orderId } = (await app.call(initBatch, { body: { userId: user._id } }, token)).body
  const answer = await app.call(
    processBatch,
    { params: { userId: user._id }, body: { orderId, orderData: rows(labels) } },
    token,
  )
  expect(answer.status).toBe(202)
  return orderId
}

test('a seller who submits a file sees its labels arrive, to the end and with the names of its files', async () => {
  const ana = await app.register()
  await app.creditDollars(ana.user._id, 1_000)
  const release = app.carrier.hold('purchase')
  const orderId = await submit(ana, 60)
  const socket = page(ana.token)
  const seen: BatchProgress[] = []
  const end = new Promise<BatchProgress>(resolve =>
    socket.on('orderProgress', (event: BatchProgress) => {
      seen.push(event)
      if (isTerminal(event.status)) resolve(event)
    }),
  )
  expect(await socket.emitWithAck('joinOrderRoom', `order_${orderId}`)).toEqual({ ok: true })
  await expect.poll(() => seen.length).toBeGreaterThan(0)
  expect(seen[0]).toMatchObject({ status: 'processing', processedCount: 0 })
  release()
  expect(await end).toMatchObject({
    orderId,
    status: 'completed',
    processedCount: 60,
    failedCount: 0,
    totalCount: 60,
    fileData: { pdfName: expect.any(String) },
  })
  const counts = seen.map(event => event.processedCount)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
})

test("no other user can watch an order, and a blocked customer's socket is closed", async () => {
  const [ana, bob] = [await app.register(), await app.register()]
  await app.creditDollars(ana.user._id, 100)
  const orderId = await submit(ana, 1)
  const socket = page(bob.token)
  expect(await socket.emitWithAck('joinOrderRoom', `order_${orderId}`)).toEqual({
    ok: false,
    message: 'There is no such order',
    code: 'batch_unknown',
  })
  expect(await socket.emitWithAck('joinOrderRoom', 'order_x')).toEqual({
    ok: false,
    message: 'A room is named order_ and the id of a bulk order',
    code: 'malformed',
  })
  const end = new Promise(resolve => socket.on('disconnect', resolve))
  const admin = await app.admin()
  await app.call(
    setUserActivation,
    { params: { userId: bob.user._id }, body: { activation: 'block' } },
    admin.token,
  )
  expect(await end).toBe('io server disconnect')
})
