import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listBatches, seenRows } from '#contract/batches.ts'
import type { SubmittedFile } from '#contract/batches.ts'
import { placeOrder } from '#contract/orders.ts'
import { toLongList } from '#server/platform/http/long-list.ts'
import type { Refusal } from '#server/platform/http/refusal.ts'
import { openPurchasing } from '#server/purchasing/open.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { backdateOrders } from '#tests/support/backdate.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { expectWaiting } from '#tests/support/lock-waits.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { submitBulkOrder } from './submit.ts'

const PRICE = 6.5
const app = await testApp()
const { init, submit, bought, progress, seller, labelsOf, spent } = bulkOrdersOf(app)
const ctx = openPurchasing(app.ctx, app.carrier.wrap)

const fileOf = (name: string): SubmittedFile => ({
  name,
  sha256: createHash('sha256').update(name).digest('hex'),
  source: 'amazon',
})
/** Three rows of a marketplace's file. */
const amazonRows = (count = 3) =>
  rows(count, n => ({ orderId: `111-000000${n}-1`, orderItemId: `4000000000000${n}` }))

const seen = async (by: TestUser, asked: unknown[], fileHash?: string) => {
  const { status, body } = await app.call(
    seenRows,
    { params: { userId: by.user._id }, body: { rows: asked, fileHash } },
    by.token,
  )
  expect(status, body.message).toBe(200)
  return body
}
const seenNumbers = async (by: TestUser, asked: [orderId: string, orderItemId?: string][]) =>
  (
    await seen(
      by,
      asked.map(([orderId, orderItemId], n) => ({ row: n + 1, orderId, orderItemId })),
    )
  ).rows.map(({ row }) => row)
test('a row of a file is known by its order and item, with its label and tracking number', async () => {
  const ana = await seller()
  await bought(ana, amazonRows(2))
  const [label] = (await labelsOf(ana)).filter(({ row }) => row === 2)
  const asked = [
    { row: 7, orderId: '111-0000002-1', orderItemId: '40000000000002' },
    { row: 8, orderId: '111-0000002-1', orderItemId: 'another item' },
    { row: 9, orderId: '999-0000002-1', orderItemId: '40000000000002' },
  ]
  expect(await seen(ana, asked)).toEqual({
    file: null,
    rows: [
      {
        row: 7,
        orderId: label!._id,
        trackingNumber: label!.tracking_number,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ],
  })
})

test('order ids are compared without # and letter case; without an item id a row stands for its order', async () => {
  const ben = await seller()
  await bought(
    ben,
    rows(3, n => ({
      orderId: ['#Ab-1001', '1002', '1003'][n - 1]!,
      orderItemId: ['', 'item-2', '1003-1'][n - 1]!,
    })),
  )
  const asked: [string, string?][] = [
    ['ab-1001'],
    [' #AB-1001 ', 'any item of it'],
    ['#1002', 'row-9'],
    ['1003', '1003-1'],
    ['1003', '1003-2'],
    ['1003', ''],
    ['100'],
    [''],
  ]
  expect(await seenNumbers(ben, asked)).toEqual([1, 2, 3, 4, 6])
})

test('an order bought without item ids of its shop is known in a file that has them, and the reverse', async () => {
  const [ada, bob] = await Promise.all([seller(), seller()])
  const etsyOrders = rows(2, n => ({ orderId: '1001', orderItemId: `1001-${n}` }))
  const etsyItems = rows(1, () => ({ orderId: '1001', orderItemId: '987654321' }))
  const [first] = etsyOrders
  await bought(ada, [first], { file: fileOf('EtsySoldOrders.csv') })
  const refused = await submit(ada, etsyItems, { file: fileOf('EtsySoldOrderItems.csv') })
  expect([refused.status, refused.body.code, refused.body.rowCount]).toEqual([
    409,
    'already_bought',
    1,
  ])
  expect(await seenNumbers(ada, [['1001', '1001-2']])).toEqual([])
  await bought(bob, etsyItems, { file: fileOf('EtsySoldOrderItems.csv') })
  const asked: [string, string][] = [
    ['1001', '1001-1'],
    ['1001', '1001-2'],
    ['1001', '123456789'],
  ]
  expect(await seenNumbers(bob, asked)).toEqual([1, 2])
})

test('item ids are compared without # and letter case: #1001-1 of Shopify is 1001-1 of a template', async () => {
  const cleo = await seller()
  await bought(
    cleo,
    rows(2, n => ({
      orderId: ['#1001', 'ab-7'][n - 1]!,
      orderItemId: ['#1001-1', 'ab-7-1'][n - 1]!,
    })),
  )
  const asked: [string, string][] = [
    ['1001', '1001-1'],
    ['#1001', '#1001-1'],
    ['1001', '1001-2'],
    ['AB-7', 'AB-7-1'],
  ]
  expect(await seenNumbers(cleo, asked)).toEqual([1, 2, 4])
})

test('every item of a combined row is known, also those of other orders', async () => {
  const cara = await seller()
  const items = [
    { orderItemId: '41', sku: 'TEE', quantity: '1' },
    { orderItemId: '42', sku: 'MUG', quantity: '2' },
    { orderId: '#2002', orderItemId: '43', sku: 'CAP', quantity: '1' },
  ]
  await bought(cara, [{ ...rows(1)[0], orderId: '#2001', orderItemId: '', items }])
  const asked: [string, string?][] = [
    ['2001', '41'],
    ['2001', '42'],
    ['2001', '43'],
    ['2002', '43'],
    ['2002'],
    ['2002', '41'],
  ]
  expect(await seenNumbers(cara, asked)).toEqual([1, 2, 4, 5])
})

test('failed and voided labels, labels of 90 days ago and those of other customers are not seen', async () => {
  const [dora, eve, old] = await Promise.all([seller(), seller(), seller()])
  const orders = amazonRows(3)
  orders[2]!.ToStreet2 = 'SANDBOX REFUSE'
  await bought(dora, orders)
  const asked = orders.map(({ orderId, orderItemId }): [string, string] => [orderId, orderItemId])
  expect(await seenNumbers(dora, asked)).toEqual([1, 2])
  const [first] = (await labelsOf(dora)).filter(({ row }) => row === 1)
  expect(await voidAndWait(app, first!._id, dora.token)).toBe(200)
  expect(await seenNumbers(dora, asked)).toEqual([2])
  expect(await seenNumbers(eve, asked)).toEqual([])
  const foreign = await app.call(
    seenRows,
    { params: { userId: dora.user._id }, body: { rows: [] } },
    eve.token,
  )
  expect(foreign.status).toBe(403)
  await bought(old, amazonRows(1))
  expect(await seenNumbers(old, asked)).toEqual([1])
  await backdateOrders(app.database, old.user._id, sql`now() - interval '91 days'`)
  expect(await seenNumbers(old, asked)).toEqual([])
})

test('a file is known by its bytes, under any name, until all of its labels are voided', async () => {
  const finn = await seller()
  const file = fileOf('orders-1.txt')
  const orderId = await bought(finn, rows(2), { file })
  const known = await seen(finn, [], file.sha256.toUpperCase())
  expect(known).toEqual({
    file: { batchId: orderId, at: expect.any(String), labels: 2 },
    rows: [],
  })
  expect((await seen(finn, [], fileOf('orders-2.txt').sha256)).file).toBeNull()
  const [one, two] = await labelsOf(finn)
  expect(await voidAndWait(app, one!._id, finn.token)).toBe(200)
  expect((await seen(finn, [], file.sha256)).file).toMatchObject({ labels: 1 })
  expect(await voidAndWait(app, two!._id, finn.token)).toBe(200)
  expect((await seen(finn, [], file.sha256)).file).toBeNull()
})

test('a wrong question is refused by the place of each fault', async () => {
  const gus = await app.register()
  const { status, body } = await app.call(
    seenRows,
    {
      params: { userId: gus.user._id },
      body: { rows: [{ row: 1, orderId: '1' }, { row: 0, orderId: ['1'] }, null] },
    },
    gus.token,
  )
  expect([status, body.message]).toEqual([422, 'row must be a whole number of at least 1'])
  expect(Object.keys(body.errors!)).toEqual(['2.row', '2.orderId', '3.row'])
})

test('rows of a file that have a label are refused, and bought again only when repeats are allowed', async () => {
  const hana = await seller()
  const file = fileOf('unshipped.txt')
  await bought(hana, amazonRows(3), { file })
  const remaining = [...amazonRows(3).slice(1), ...rows(1, () => ({ orderId: '111-0000009-1' }))]
  const refused = await submit(hana, remaining, { file: fileOf('unshipped of another day.txt') })
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'already_bought',
    '2 rows already have a label. Leave them out, or allow repeats.',
  ])
  expect(refused.body).toMatchObject({ rowCount: 2, rows: [{ row: 1 }, { row: 2 }], file: null })
  expect(await spent(hana)).toBe(3 * PRICE)
  // The rows that are left of a file in part bought are no repeat.
  expect((await submit(hana, remaining.slice(2), { file })).status).toBe(202)
  expect((await submit(hana, remaining, { file, allowRepeats: true })).status).toBe(202)
  // Programs without a file are not asked.
  expect((await submit(hana, remaining)).status).toBe(202)
})

test('of rows without order ids the file tells that they were bought', async () => {
  const iris = await seller()
  const file = fileOf('template.csv')
  const orderId = await bought(iris, rows(2), { file })
  const refused = await submit(iris, rows(2), { file })
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'already_bought',
    `This file was bought before, in bulk order ${orderId}. Leave them out, or allow repeats.`,
  ])
  expect(refused.body.file).toMatchObject({ batchId: orderId, labels: 2 })
})

test('a file submitted three times at the same moment is one bulk order, charged once', async () => {
  const joan = await seller(3 * PRICE)
  const file = fileOf('three times.txt')
  const answers = await Promise.all([1, 2, 3].map(() => submit(joan, amazonRows(3), { file })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409])
  for (const { body } of answers.filter(({ status }) => status === 409))
    expect(body).toMatchObject({ code: 'already_bought', rowCount: 3 })
  expect(await labelsOf(joan)).toHaveLength(3)
})

test('the same when three processes receive them, with and without order ids', async () => {
  for (const orderData of [amazonRows(20), rows(20)]) {
    const kim = await seller()
    const userId = Number(kim.user._id)
    const ids = await Promise.all([1, 2, 3].map(() => init(kim)))
    const file = fileOf('three processes.txt')
    const answers = await Promise.allSettled(
      ids.map(id =>
        submitBulkOrder(ctx, userId, {
          batchId: Number(id),
          orderData: toLongList(orderData),
          replaces: [],
          file,
        }),
      ),
    )
    const refusals = answers.flatMap(answer =>
      answer.status === 'rejected' ? [answer.reason as Refusal] : [],
    )
    expect(refusals.map(({ code, status }) => [code, status])).toEqual([
      ['already_bought', 409],
      ['already_bought', 409],
    ])
    expect(await labelsOf(kim)).toHaveLength(20)
  }
})

test('rows that another process is buying without a file are not bought again from their file', async () => {
  const lars = await seller()
  const { pool } = app.database
  const [first, second] = [await init(lars), await init(lars)]
  const orders = amazonRows(2)
  const submitFrom = (id: string, file?: SubmittedFile) =>
    submitBulkOrder(ctx, Number(lars.user._id), {
      batchId: Number(id),
      orderData: toLongList(orders),
      replaces: [],
      ...(file && { file }),
    }).then(
      () => 'accepted',
      (refusal: Refusal) => refusal.code,
    )
  const purse = await pool.connect()
  try {
    await purse.query('begin')
    const { rows: held } = await purse.query<{ pid: number }>(
      `select pg_backend_pid() as pid from balance b join account a on a.id = b.account_id
      where a.owner_id = $1 and a.kind = 'available' for update of b`,
      [lars.user._id],
    )
    const plain = submitFrom(first)
    await expectWaiting(app.database, held[0]!.pid, 1)
    const withFile = submitFrom(second, fileOf('the same orders.txt'))
    await expectWaiting(app.database, held[0]!.pid, 2)
    await purse.query('commit')
    expect([await plain, await withFile]).toEqual(['accepted', 'already_bought'])
  } finally {
    purse.release()
  }
  expect(await labelsOf(lars)).toHaveLength(2)
})

test('a repeated request is the same bulk order: it is not taken for a second one of its file', async () => {
  const lea = await seller()
  const orderId = await init(lea)
  const send = () => submit(lea, amazonRows(2), { file: fileOf('lost answer.txt'), orderId })
  const answers = await Promise.all([send(), send(), send()])
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(await labelsOf(lea)).toHaveLength(2)
})

test('a bulk order has the name and source of its file, voided labels and what it cost in the end', async () => {
  const mona = await seller()
  const orders = rows(4, n => (n === 4 ? { ToStreet2: 'SANDBOX REFUSE' } : {}))
  const orderId = await bought(mona, orders, {
    file: { ...fileOf('October.xlsx'), source: 'walmart' },
  })
  const [label] = (await labelsOf(mona)).filter(({ row }) => row === 1)
  expect(await voidAndWait(app, label!._id, mona.token)).toBe(200)
  const outcome = {
    fileName: 'October.xlsx',
    source: 'walmart',
    voidedCount: 1,
    finalCost: 2 * PRICE,
  }
  expect(await progress(mona, orderId)).toMatchObject(outcome)
  const list = await app.call(
    listBatches,
    { params: { userId: mona.user._id }, query: {} },
    mona.token,
  )
  expect(list.body).toMatchObject([{ ...outcome, bulkOrderData: { cost: 4 * PRICE } }])
  const plain = await bought(mona, rows(1))
  expect(await progress(mona, plain)).toMatchObject({
    fileName: null,
    source: null,
    voidedCount: 0,
    finalCost: PRICE,
  })
})

test('what may be wrong in an accepted row is named with its row, and stops nothing', async () => {
  const nils = await seller()
  const orders = rows(3, n => (n === 2 ? { ToStateProvince: 'ME', ToZipPostal: '10001' } : {}))
  const { status, body } = await submit(nils, [...orders, orders[0]])
  expect([status, body.warningCount]).toEqual([202, 3])
  expect(body.warnings!.map(({ row, field, code }) => [row, field, code])).toEqual([
    [1, 'ToRecipientName', 'receiver_twice'],
    [2, 'ToZipPostal', 'zip_not_in_state'],
    [4, 'ToRecipientName', 'receiver_twice'],
  ])
  const single = singleOrderBody(nils.user._id, { receiver: { receiver_state_province: 'ME' } })
  const placed = await app.call(placeOrder, { body: single }, nils.token)
  expect([placed.status, placed.body.warnings]).toEqual([
    200,
    [
      {
        field: 'receiver_zip_postal',
        code: 'zip_not_in_state',
        message: expect.stringContaining('belongs to Fresno, CA, not to ME'),
      },
    ],
  ])
})
