import { io } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import type { BatchProgress } from '#contract/batches.ts'
import { testApp } from '#tests/support/app.ts'
import { rows } from '#tests/support/rows.ts'

const app = await testApp()
const address = await app.listen()

function openPage({ token }: { token: string }) {
  const socket = io(address, { transports: ['websocket'], forceNew: true, auth: { token } })
  onTestFinished(() => void socket.disconnect())
  const heard: BatchProgress[] = []
  socket.on('orderProgress', (progress: BatchProgress) => void heard.push(progress))
  return {
    heard,
    join: (orderId: string): Promise<{ ok: boolean; message?: string }> =>
      socket.emitWithAck('joinOrderRoom', `order_${orderId}`),
  }
}

test('the room of a bulk order can be joined before it is submitted, and tells of it from the first row on', async () => {
  const [ana, bob] = [await app.register('Ana'), await app.register('Bob')]
  await app.creditDollars(ana.user._id, 1_000)
  const userId = ana.user._id
  const { orderId } = (await app.call(initBatch, { body: { userId } }, ana.token)).body
  const [page, stranger] = [openPage(ana), openPage(bob)]
  expect(await page.join(orderId)).toEqual({ ok: true })
  expect(await stranger.join(orderId)).toEqual({
    ok: false,
    message: 'There is no such order',
    code: 'batch_unknown',
  })

  // Otherwise all rows may be bought before the first announcement is read.
  const release = app.carrier.hold('purchase')
  const body = { orderId, orderData: rows(30) }
  expect((await app.call(processBatch, { params: { userId }, body }, ana.token)).status).toBe(202)
  await expect.poll(() => page.heard.length).toBeGreaterThan(0)
  release()
  await expect.poll(() => page.heard.some(({ status }) => isTerminal(status))).toBe(true)
  expect(page.heard[0]).toMatchObject({ orderId, status: 'processing', totalCount: 30 })
  expect(page.heard[0]!.processedCount).toBeLessThan(30)
  expect(stranger.heard).toEqual([])
})
