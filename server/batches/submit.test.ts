/** Rows of a bulk order are inserted while later ones are read, so a refusal may come when some are. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { seenRows } from '#contract/batches.ts'
import type { SubmittedFile } from '#contract/batches.ts'
import { openPurchasing } from '#server/purchasing/open.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { easypostClient, SHIPMENT } from '#tests/support/easypost-client.ts'
import { rows } from '#tests/support/rows.ts'
import { submitBulkOrder } from './submit.ts'

const PRICE = 6.5
/** Four pages of a submitted list. */
const MANY = 1_500
const app = await testApp()
const { init, submit, seller, labelsOf, finished } = bulkOrdersOf(app)

const balance = async (of: TestUser) =>
  (await app.call(verifySession, {}, of.token)).body.user.balance
/** How many order ids were given meanwhile, also to rows that were rolled back. */
async function idsGivenBy(of: TestUser, work: () => Promise<unknown>): Promise<number> {
  const nextId = async () => {
    const orderId = await init(of)
    expect((await submit(of, rows(1), { orderId })).status).toBe(202)
    await finished(of, orderId)
    return Math.max(...(await labelsOf(of)).map(({ _id }) => Number(_id)))
  }
  const before = await nextId()
  await work()
  return (await nextId()) - before - 1
}
const fileOf = (name: string): SubmittedFile => ({
  name,
  sha256: createHash('sha256').update(name).digest('hex'),
  source: 'amazon',
})

test('a wrong row far behind correct ones refuses them all and names every wrong row; corrected, they are accepted', async () => {
  const ana = await seller(MANY * PRICE)
  const orderId = await init(ana)
  const wrong = rows(MANY, n => (n === 1_000 || n === MANY ? { ToRecipientName: '' } : {}))
  const { status, body } = await submit(ana, wrong, { orderId })
  expect([status, Object.keys(body.errors!)]).toEqual([
    422,
    ['1000.ToRecipientName', `${MANY}.ToRecipientName`],
  ])
  expect([await balance(ana), await labelsOf(ana)]).toEqual([MANY * PRICE, []])
  expect((await submit(ana, rows(MANY), { orderId })).status).toBe(202)
  expect(await balance(ana)).toBe(0)
  await finished(ana, orderId)
})

test('money for a part of the rows buys none of them; after a deposit the same rows are accepted', async () => {
  const ben = await seller(1_000 * PRICE)
  const orderId = await init(ben)
  const { status, body } = await submit(ben, rows(MANY), { orderId })
  expect([status, body.message]).toEqual([
    402,
    'Insufficient balance: this order costs $9,750.00; your balance is $6,500.00.',
  ])
  expect([await balance(ben), await labelsOf(ben)]).toEqual([1_000 * PRICE, []])
  await app.creditDollars(ben.user._id, 500 * PRICE)
  expect((await submit(ben, rows(MANY), { orderId })).status).toBe(202)
  await finished(ben, orderId)
})

test('rows above the cost that a program allows buy none of them', async () => {
  const lea = await seller(MANY * PRICE)
  const { status, body } = await submit(lea, rows(MANY), { maxCost: 1_000 * PRICE })
  expect([status, body.code, await balance(lea), await labelsOf(lea)]).toEqual([
    422,
    'price_changed',
    MANY * PRICE,
    [],
  ])
})

test('each row keeps its own sender and service beside rows that share them', async () => {
  const max = await seller(1_000)
  const given = rows(12, n => ({
    FromSenderName: `Sender ${n % 3}`,
    ServiceName: n % 2 ? 'USPS Ground Advantage' : 'USPS Priority Mail',
  }))
  const { status, body } = await submit(max, given)
  expect(status).toBe(202)
  await finished(max, body.orderId)
  const stored = await app.database.db
    .selectFrom('shipment_order')
    .select(['sender', 'receiver', 'service_name'])
    .where('batch_id', '=', Number(body.orderId))
    .orderBy('row_no')
    .execute()
  expect(stored.map(one => [one.sender.name, one.receiver.name, one.service_name])).toEqual(
    given.map(row => [row.FromSenderName, row.ToRecipientName, row.ServiceName]),
  )
})

test('rows of an order on several pages of a file are no repeats of each other; the file again is', async () => {
  const cleo = await seller(2 * MANY * PRICE)
  const file = fileOf('one order.txt')
  const parcels = rows(MANY, n => ({
    orderId: n <= MANY / 2 ? '111-0000001-1' : '111-0000002-1',
    orderItemId: `item ${n}`,
  }))
  const { status, body } = await submit(cleo, parcels, { file })
  expect(status).toBe(202)
  const again = await submit(cleo, parcels, { file })
  expect([again.status, again.body.code]).toEqual([409, 'already_bought'])
  const other = await submit(cleo, parcels, { file: fileOf('the same rows.txt') })
  expect([other.status, other.body.rowCount, await balance(cleo)]).toEqual([
    409,
    MANY,
    MANY * PRICE,
  ])
  await finished(cleo, body.orderId)
})

test('rows that were refused are accepted when the reason is gone before the refusal is written', async () => {
  const dan = await seller(2 * PRICE)
  const lists = [rows(2, () => ({ ToRecipientName: '' })), rows(2)]
  const submission = {
    batchId: Number(await init(dan)),
    orderData: { length: 2, pages: () => [lists.length > 1 ? lists.shift()! : lists[0]!] },
    replaces: [],
  }
  const ctx = openPurchasing(app.ctx, app.carrier.wrap)
  const { batch } = await submitBulkOrder(ctx, Number(dan.user._id), submission)
  expect([batch.total, await balance(dan)]).toEqual([2, 0])
  await finished(dan, String(batch.id))
})

test('the same rows submitted twice at once under one id are one bulk order, with one charge', async () => {
  const eve = await seller(2 * MANY * PRICE)
  const orderId = await init(eve)
  const answers = await Promise.all([1, 2, 3].map(() => submit(eve, rows(MANY), { orderId })))
  expect(answers.map(({ status, body }) => [status, body.totalCount])).toEqual(
    [1, 2, 3].map(() => [202, MANY]),
  )
  expect(await balance(eve)).toBe(MANY * PRICE)
  await finished(eve, orderId)
})

test('after a refusal behind inserted rows, the rows of further refusals are not inserted', async () => {
  const [fay, gil] = [await seller(2 * MANY * PRICE), await seller(100)]
  const wrong = rows(MANY, n => (n === MANY ? { ToZipPostal: 'nowhere' } : {}))
  const refuse = async (by: TestUser) => expect((await submit(by, wrong)).status).toBe(422)
  expect(await idsGivenBy(gil, () => refuse(fay))).toBeGreaterThan(300)
  expect(await idsGivenBy(gil, () => refuse(fay))).toBe(0)
  const { status, body } = await submit(fay, rows(MANY))
  expect([status, body.totalCount, await balance(fay)]).toEqual([202, MANY, MANY * PRICE])
  await finished(fay, body.orderId)
})

test('rows for labels that may not be replaced are refused before one is inserted', async () => {
  const [hal, ida] = [await seller(MANY * PRICE), await seller(100)]
  const work = async () => {
    const { status, body } = await submit(hal, rows(MANY), { replaces: ['1'] })
    expect([status, body.code]).toEqual([409, 'changed_meanwhile'])
  }
  expect(await idsGivenBy(ida, work)).toBe(0)
  expect(await balance(hal)).toBe(MANY * PRICE)
})

test('a label that was bought singly is seen by its order id, and refuses a row of a file', async () => {
  const jon = await seller(100)
  const client = await easypostClient(app, jon)
  const shipment = await client.Shipment.create({ ...SHIPMENT, reference: '111-7' })
  const { tracking_code: trackingNumber } = await client.Shipment.buy(
    shipment.id,
    shipment.rates[0],
  )
  const asked = { params: { userId: jon.user._id }, body: { rows: [{ row: 1, orderId: '111-7' }] } }
  const { body: seen } = await app.call(seenRows, asked, jon.token)
  expect(seen.rows).toMatchObject([{ row: 1, trackingNumber }])
  const order = rows(1, () => ({ orderId: '111-7' }))
  const { status, body } = await submit(jon, order, { file: fileOf('sevens.txt') })
  expect([status, body.code]).toEqual([409, 'already_bought'])
})
