import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import {
  listAllOrders,
  recheckOrder,
  orderDetails,
  exportOrdersCsv,
} from '#contract/orders-admin.ts'
import type { AdminOrderFilter } from '#contract/orders-admin.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { placeAndWait, retryAndWait, voidAndWait } from '#tests/support/patient-calls.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()

async function seller(dollars = 100): Promise<TestUser> {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, dollars)
  return visitor
}
const place = async (by: TestUser, street2 = '', name = 'June Rivera') =>
  (
    await placeAndWait(
      app,
      singleOrderBody(by.user._id, {
        receiver: { receiver_address2: street2, receiver_name: name },
      }),
      by.token,
    )
  ).body
const find = async (filter: AdminOrderFilter & { page?: number; limit?: number }) => {
  const { status, body } = await app.call(listAllOrders, { query: filter }, admin.token)
  expect(status, body.message).toBe(200)
  return body
}
const newestOf = async (of: TestUser) => (await find({ userId: of.user._id })).orders[0]!
const getDetails = async (orderId: string) =>
  (await app.call(orderDetails, { params: { orderId } }, admin.token)).body
const kinds = async (orderId: string) => (await getDetails(orderId)).timeline.map(step => step.kind)

/**
 * The label of `make`, or with 'batch_id' its bulk order. A call to the carrier that a slow machine did not make or answer in time is
 * a step of its own in the timeline; then it is made again.
 */
async function madeInTime(
  make: () => Promise<string>,
  of: 'id' | 'batch_id' = 'id',
): Promise<string> {
  for (let tries = 1; ; tries++) {
    const id = await make()
    const { rowCount } = await app.database.pool.query(
      `select from carrier_call c join shipment_order o on o.id = c.order_id
        where o.${of} = $1 and (c.outcome is null or c.code in ('ETIMEDOUT', 'NOT_SENT'))`,
      [id],
    )
    if (rowCount === 0 || tries === 3) return id
  }
}

/** A bulk order of one seller, run until it is complete. */
async function bulk(by: TestUser, orderData: ReturnType<typeof rows>): Promise<string> {
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: by.user._id } }, by.token)
  await app.call(
    processBatch,
    { params: { userId: by.user._id }, body: { orderId, orderData } },
    by.token,
  )
  const status = async () =>
    (await app.call(batchStatus, { params: { orderId } }, by.token)).body.status
  await expect.poll(async () => isTerminal(await status())).toBe(true)
  return orderId
}

test('the timeline of a bought label goes from the order to the capture', async () => {
  const ana = await seller()
  let data!: Awaited<ReturnType<typeof place>>['data']
  const orderId = await madeInTime(async () => {
    data = (await place(ana)).data
    return data.orderId
  })
  const { order, timeline } = await getDetails(orderId)
  expect(order).toMatchObject({
    _id: orderId,
    state: 'purchased',
    status: 'completed',
    price: 9.5,
    cost: 6.9,
    tracking_number: data.trackingNumber,
    user: { _id: ana.user._id, name: ana.user.name, email: ana.user.email },
    purchasedAt: expect.any(String),
    voidedAt: null,
  })
  expect(timeline.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['ordered', undefined],
    ['held', 9.5],
    ['sent', undefined],
    ['answered', undefined],
    ['captured', 9.5],
  ])
  expect(timeline[0]!.by).toEqual(order.user)
  expect(timeline.map(step => step.at)).toEqual(timeline.map(step => step.at).toSorted())
})

test('the timeline of a refused label has the reason and the release', async () => {
  const ben = await seller()
  const orderId = await madeInTime(async () => {
    await place(ben, 'SANDBOX REFUSE')
    return (await newestOf(ben))._id
  })
  const { timeline } = await getDetails(orderId)
  expect(timeline.map(step => step.kind)).toEqual([
    'ordered',
    'held',
    'sent',
    'answered',
    'released',
  ])
  expect(timeline[3]).toMatchObject({
    text: 'The carrier refused the label',
    detail: 'ADDRESS_UNDELIVERABLE: Address not deliverable',
  })
  expect(timeline[4]).toMatchObject({ amount: 9.5, detail: 'Address not deliverable' })
})

test('the timeline of a label with a lost response has the unknown outcome before the look-up', async () => {
  const cara = await seller()
  const orderId = await madeInTime(async () => (await place(cara, 'SANDBOX LOST')).data.orderId)
  expect(await kinds(orderId)).toEqual(['ordered', 'held', 'sent', 'unknown', 'captured'])
})

test('the timeline of a bulk order’s label has its share of each hold, its retry and its files', async () => {
  const dora = await seller()
  const orderData = rows(3, n => (n === 2 ? { ToStreet2: 'SANDBOX REFUSE ONCE' } : {}))
  const batchId = await madeInTime(async () => {
    const id = await bulk(dora, orderData)
    expect((await retryAndWait(app, id, dora.token)).status).toBe(200)
    return id
  }, 'batch_id')
  const { orders } = await find({ batchId })
  expect(orders.map(order => order.row)).toEqual([3, 2, 1])
  const { timeline } = await getDetails(orders[1]!._id)
  expect(timeline.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['ordered', undefined],
    ['held', 6.5],
    ['sent', undefined],
    ['answered', undefined],
    ['released', 6.5],
    ['retried', undefined],
    ['held', 6.5],
    ['sent', undefined],
    ['answered', undefined],
    ['captured', 6.5],
    ['files', undefined],
  ])
  expect(await kinds(orders[2]!._id)).toEqual([
    'ordered',
    'held',
    'sent',
    'answered',
    'captured',
    'files',
  ])
})

test('the timeline of a voided label tells who requested the void and when it was refunded', async () => {
  const eli = await seller()
  const orderId = await madeInTime(async () => {
    const { data } = await place(eli)
    expect(await voidAndWait(app, data.orderId, admin.token)).toBe(200)
    return data.orderId
  })
  const { order, timeline } = await getDetails(orderId)
  expect(order).toMatchObject({
    state: 'voided',
    status: 'cancelled',
    void: 'voided',
    voidedAt: expect.any(String),
  })
  expect(timeline.slice(-4).map(step => step.kind)).toEqual([
    'void-requested',
    'void-sent',
    'void-answered',
    'refunded',
  ])
  expect(timeline.at(-4)!.by?._id).toBe(admin.user._id)
  expect(timeline.at(-1)!.amount).toBe(9.5)
})

test('only labels of unknown outcome and open voids can be looked up', async () => {
  const fay = await seller()
  const { data } = await place(fay)
  const check = async (orderId: string) =>
    (await app.call(recheckOrder, { params: { orderId } }, admin.token)).status
  expect([await check(data.orderId), await check('999999')]).toEqual([409, 404])
})

test('labels are found by tracking number or its end, by id and by order reference', async () => {
  const gil = await seller()
  const batchId = await bulk(
    gil,
    rows(3, n => ({ orderId: `111-482044${n}-100000${n}` })),
  )
  const [last] = (await find({ batchId })).orders
  const search = async (text: string) =>
    (await find({ search: text })).orders.map(order => order._id)
  expect(await search(last!.tracking_number!)).toEqual([last!._id])
  expect(await search(last!.tracking_number!.replace(/(....)/g, '$1 '))).toEqual([last!._id])
  expect(await search(last!.tracking_number!.slice(-6))).toContain(last!._id)
  expect(await search(`#${last!._id}`)).toEqual([last!._id])
  expect(await search('111-4820443')).toEqual([last!._id])
  expect((await find({ search: '111-482044', batchId })).totalCount).toBe(3)
  expect(await search('100%')).toEqual([])
})

test('names are searched for one user only', async () => {
  const hal = await seller()
  const { data } = await place(hal, '', 'Otto Lindqvist')
  expect(
    (await find({ search: 'lindq', userId: hal.user._id })).orders.map(order => order._id),
  ).toEqual([data.orderId])
  expect((await find({ search: 'lindq' })).totalCount).toBe(0)
})

test('labels can be filtered by state, status, user, bulk order and time', async () => {
  const ida = await seller()
  const bought = (await place(ida)).data.orderId
  await place(ida, 'SANDBOX REFUSE')
  const userId = ida.user._id
  const of = async (filter: AdminOrderFilter) =>
    (await find({ userId, ...filter })).orders.map(order => order.state)
  expect(await of({})).toEqual(['failed', 'purchased'])
  expect(await of({ state: 'failed' })).toEqual(['failed'])
  expect(await of({ status: 'completed' })).toEqual(['purchased'])
  expect(await of({ status: 'pending' })).toEqual([])
  expect(await of({ status: 'completed', state: 'failed' })).toEqual([])
  const at = (await getDetails(bought)).order.createdAt
  expect(await of({ to: at })).toEqual(['purchased'])
  expect(await of({ from: at, to: at })).toEqual(['purchased'])
  expect(await of({ from: new Date(Date.parse(at) + 3_600_000).toISOString() })).toEqual([])
  expect(await find({ userId, page: 2, limit: 1 })).toMatchObject({
    totalCount: 2,
    more: false,
    orders: [{ _id: bought }],
  })
})

test('a filtered list sums price, cost and margin of its bought labels, the whole list does not', async () => {
  const [finn, gus] = [await seller(), await seller()]
  await place(finn)
  await place(finn)
  await place(finn, 'SANDBOX REFUSE')
  await place(gus)
  const two = { bought: 2, price: 19, cost: 13.8, margin: 5.2, unknownCosts: 0 }
  expect((await find({ userId: finn.user._id, limit: 1 })).sums).toEqual(two)
  expect((await find({ userId: finn.user._id, state: 'failed' })).sums).toMatchObject({
    bought: 0,
    price: 0,
    margin: 0,
  })
  expect((await find({})).sums).toBeNull()
  const { orders } = await find({ userId: finn.user._id, state: 'purchased' })
  await app.database.owner.pool.query(`update shipment_order set cost_cents = null where id = $1`, [
    orders[0]!._id,
  ])
  expect((await find({ userId: finn.user._id })).sums).toEqual({
    bought: 2,
    price: 19,
    cost: 6.9,
    margin: 2.6,
    unknownCosts: 1,
  })
})

test('the export has the same labels as the list and defuses formulas', async () => {
  const jo = await seller()
  await bulk(
    jo,
    rows(3, n => ({ ToRecipientName: `=HYPERLINK(${n})` })),
  )
  await place(jo, 'SANDBOX REFUSE')
  const userId = jo.user._id
  const answer = await app.send({
    ...injectOptionsFor(exportOrdersCsv, { query: { userId } }),
    headers: { token: admin.token },
  })
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="evenpost-labels-\d{4}-\d\d-\d\d\.csv"$/,
  )
  const lines = answer.body.trim().split('\r\n').slice(1)
  expect(lines.map(line => line.split(',')[1])).toEqual(
    (await find({ userId })).orders.map(order => order._id),
  )
  expect(lines[0]).toContain('failed,,9.50,,')
  expect(lines[1]).toContain(`,'=HYPERLINK(3),`)

  const workbook = await app.send({
    ...injectOptionsFor(exportOrdersCsv, { query: { userId, format: 'xlsx' } }),
    headers: { token: admin.token },
  })
  expect(workbook.headers['content-disposition']).toMatch(/labels-\d{4}-\d\d-\d\d\.xlsx"$/)
  const cells = (await readXlsx(workbook.rawPayload)).sheets[0]!.rows.slice(1)
  expect(cells.map(([, label, , , , state, , price]) => [label, state, price])).toEqual(
    (await find({ userId })).orders.map(order => [order._id, order.state, order.price]),
  )
  expect(cells[1]).toContain('=HYPERLINK(3)')
})

test('the download cookie opens the export for administrators only', async () => {
  const open = async (of: TestUser) => {
    const signedIn = await app.send({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: of.user.email, password: of.password },
    })
    const cookie = signedIn.cookies.find(one => one.path === exportOrdersCsv.path)!
    return (await app.send({ url: exportOrdersCsv.path, cookies: { [cookie.name]: cookie.value } }))
      .statusCode
  }
  expect([await open(admin), await open(await app.register())]).toEqual([200, 403])
})
