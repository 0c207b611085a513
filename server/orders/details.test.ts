import { expect, test } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { downloadLabels } from '#contract/downloads.ts'
import { labelDetails } from '#contract/order-details.ts'
import { listOrders } from '#contract/orders.ts'
import type { CustomerOrderFilter } from '#contract/orders.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { placeAndWait, voidAndWait } from '#tests/support/patient-calls.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const ana = await app.register('Ana')
await app.creditDollars(ana.user._id, 200)
const stranger = await app.register('Stranger')
const admin = await app.admin()

const buy = async (name: string, street2 = '', service_name?: string): Promise<string> => {
  const receiver = { receiver_name: name, receiver_address2: street2 }
  const body = singleOrderBody(ana.user._id, { receiver })
  await placeAndWait(app, { ...body, ...(service_name && { service_name }) }, ana.token)
  return (await list({})).orders[0]!._id
}
const list = async (filter: CustomerOrderFilter) =>
  (await app.call(listOrders, { params: { userId: ana.user._id }, query: filter }, ana.token)).body
const details = (orderId: string, { token }: Pick<TestUser, 'token'> = ana) =>
  app.call(labelDetails, { params: { orderId } }, token)
const steps = async (orderId: string) =>
  (await details(orderId)).body.timeline.map(({ kind, amount }) =>
    amount === undefined ? kind : [kind, amount],
  )
const labels = (ids: string, query: { format?: 'letter' | 'zpl' } = {}, { token } = ana) =>
  app.send({
    ...injectOptionsFor(downloadLabels, { query: { ids, ...query } }),
    headers: { token },
  })

test('the owner follows a label from the order to the refund, without cost and carrier calls', async () => {
  const id = await buy('June Rivera')
  expect(await steps(id)).toEqual(['ordered', ['held', 9.5], ['bought', 9.5]])
  expect(await voidAndWait(app, id, admin.token)).toBe(200)
  const voided = (await details(id)).body
  expect(await steps(id)).toEqual([
    'ordered',
    ['held', 9.5],
    ['bought', 9.5],
    'void-requested',
    ['refunded', 9.5],
  ])
  expect(voided.timeline[3]).toMatchObject({ by: 'support' })
  expect(voided).toMatchObject({ voidedAt: expect.any(String), order: { void: 'voided' } })
  expect(JSON.stringify(voided)).not.toMatch(/cost|carrier|email/i)
})

test('a refused label says why, and that its money is back', async () => {
  const id = await buy('Bo Lind', 'SANDBOX REFUSE')
  expect(await steps(id)).toEqual(['ordered', ['held', 9.5], ['released', 9.5]])
  expect((await details(id)).body).toMatchObject({
    serviceUid: 'usps:PRIORITY_MAIL',
    purchasedAt: null,
    order: { status: 'cancelled', reason: 'Address not deliverable', pdfName: null },
  })
})

test('only the owner and administrators see a label; to others it does not exist', async () => {
  const id = await buy('June Rivera')
  expect((await details(id, stranger)).status).toBe(404)
  expect((await details('999999', stranger)).body).toEqual((await details(id, stranger)).body)
  expect((await details(id, admin)).status).toBe(200)
  expect((await labels(id, {}, stranger)).statusCode).toBe(404)
})

test('chosen labels are one file in the chosen order, on Letter sheets and as ZPL too', async () => {
  const [first, second, third] = [await buy('Ann Wu'), await buy('Bo Lind'), await buy('Cy Moss')]
  const pages = await readPdf((await labels(`${third},${first},${third}`)).rawPayload)
  expect(pages.map(({ text }) => /ANN WU|BO LIND|CY MOSS/.exec(text.toUpperCase())?.[0])).toEqual([
    'CY MOSS',
    'ANN WU',
  ])
  const letter = await labels(`${first},${second},${third}`, { format: 'letter' })
  expect(await readPdf(letter.rawPayload)).toHaveLength(2)
  expect(letter.headers['content-disposition']).toContain('SAMPLE-labels-3-letter.pdf')
  const zpl = await labels(`${first},${second}`, { format: 'zpl' })
  expect(zpl.body.match(/\^XA/g)).toHaveLength(2)
})

test('a voided label among the chosen ones stops the file, by its number', async () => {
  const [kept, gone] = [await buy('Ann Wu'), await buy('Bo Lind')]
  expect(await voidAndWait(app, gone, ana.token)).toBe(200)
  const answer = await labels(`${kept},${gone}`)
  expect(answer.statusCode).toBe(409)
  expect(answer.body).toContain(`Label ${gone}: Voided.`)
  expect((await labels('1,x')).statusCode).toBe(400)
  expect((await labels(Array.from({ length: 201 }, (_, i) => i + 1).join())).statusCode).toBe(400)
})

test('the list narrows by service, bulk order and day, and together with a search', async () => {
  const ground = await buy('Gus Ground', '', 'usps:GROUND_ADVANTAGE')
  const params = { userId: ana.user._id }
  const { orderId } = (await app.call(initBatch, { body: params }, ana.token)).body
  await app.call(processBatch, { params, body: { orderId, orderData: rows(2) } }, ana.token)
  const status = async () =>
    (await app.call(batchStatus, { params: { orderId } }, ana.token)).body.status
  await expect.poll(async () => isTerminal(await status())).toBe(true)

  const ids = async (filter: CustomerOrderFilter) =>
    (await list(filter)).orders.map(({ _id }) => _id)
  const inBatch = await list({ batchId: orderId })
  expect(inBatch.orders.map(({ row }) => row)).toEqual([2, 1])
  expect(inBatch.totalCount).toBe(2)
  expect(await ids({ service: 'usps:GROUND_ADVANTAGE', search: 'gus' })).toEqual([ground])
  expect(await ids({ service: 'usps:PRIORITY_MAIL', search: 'gus' })).toEqual([])
  const query = { service: 'usps:\0' }
  expect((await app.call(listOrders, { params, query }, ana.token)).status).toBe(400)
  const { createdAt } = (await details(ground)).body.order
  expect(await ids({ from: createdAt, to: createdAt })).toEqual([ground])
  expect(await ids({ to: createdAt })).toContain(ground)
  const onAClockInNewYork = new Date(Date.parse(createdAt) - 5 * 3_600_000)
    .toISOString()
    .replace('Z', '-05:00')
  expect(await ids({ from: onAClockInNewYork, to: onAClockInNewYork })).toEqual([ground])
  const [first, last] = ['0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00']
  expect(await ids({ from: first, to: last })).toContain(ground)
  expect(await ids({ from: new Date(Date.parse(createdAt) + 1).toISOString() })).not.toContain(
    ground,
  )
})

test('a list names orders by their ids: only the user’s own, newest first, and no other filter', async () => {
  const first = await buy('Nadia Named')
  const second = await buy('Omar Named')
  const named = async (query: { ids: string; search?: string; limit?: number }, who = ana) =>
    app.call(listOrders, { params: { userId: who.user._id }, query }, who.token)
  const ids = `${first},${second},999999`
  const { orders, totalCount, more } = (await named({ ids })).body
  expect(orders.map(order => order._id)).toEqual([second, first])
  expect({ totalCount, more }).toEqual({ totalCount: 2, more: false })
  expect((await named({ ids, limit: 1 })).body).toMatchObject({
    orders: [{ _id: second }],
    totalCount: 2,
  })
  expect((await named({ ids }, stranger)).body.orders).toEqual([])
  expect(await named({ ids, search: 'Nadia' })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('ids') },
  })
  expect((await named({ ids: `${first},x` })).status).toBe(400)
})
