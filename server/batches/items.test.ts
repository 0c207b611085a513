import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { listBatches, listFailedRows, retryFailedLabels } from '#contract/batches.ts'
import { listOrders } from '#contract/orders.ts'
import { MAX_ROW_ITEMS } from '#contract/row-items.ts'
import type { BulkRow, RowItem, SubmittedRow } from '#contract/rows.ts'
import type { SourceId } from '#contract/sources.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { row, rows } from '#tests/support/rows.ts'

const PRICE = 6.5
const app = await testApp()

const { init, submit, finished, labelsOf, seller, ...calls } = bulkOrdersOf(app)
let files = 0
const bought = (by: TestUser, orderData: SubmittedRow[], source?: SourceId) => {
  const sha256 = String(++files).padStart(64, '0')
  return calls.bought(by, orderData, source && { file: { name: 'orders', sha256, source } })
}
const download = (by: TestUser, path: string) =>
  app.send({ url: `/api/orders/download/${path}`, headers: { token: by.token } })
const linesOf = async (by: TestUser, path: string) =>
  (await download(by, path)).body.trim().split('\r\n').slice(1)
const tracking = async (by: TestUser) =>
  new Map((await labelsOf(by)).map(order => [order.row!, order.tracking_number!]))
const item = (orderItemId: string, changes: Partial<RowItem> = {}): RowItem => ({
  orderItemId,
  sku: 'TEE-M',
  quantity: '1',
  ...changes,
})
const combined = (n: number, items: RowItem[], changes: Partial<BulkRow> = {}): SubmittedRow => ({
  ...row(n, { orderId: `111-${1_000_000 + n}-1`, ...changes }),
  items,
})

test('589 lines of a file in 500 boxes are 500 prices, and 589 lines of confirmation', async () => {
  const ana = await seller(10_000)
  const orderData = Array.from({ length: 500 }, (_, index) => {
    const lines = index < 89 ? 2 : 1
    const items = Array.from({ length: lines }, (_, line) =>
      item(`4${String(index).padStart(5, '0')}${line}`, { quantity: String(line + 1) }),
    )
    return lines === 1
      ? row(index + 1, {
          orderId: `111-${1_000_001 + index}-1`,
          orderItemId: items[0]!.orderItemId,
        })
      : combined(index + 1, items)
  })
  const orderId = await bought(ana, orderData, 'amazon')
  const { body } = await app.call(verifySession, {}, ana.token)
  expect(body.user.balance).toBe(10_000 - 500 * PRICE)
  const lines = (await linesOf(ana, `auto-csv/${orderId}`)).map(line => line.split('\t'))
  expect(lines).toHaveLength(589)
  expect(new Set(lines.map(cells => cells[1])).size).toBe(589)
  const numbers = await tracking(ana)
  expect(lines.slice(0, 2).map(cells => [cells[0], cells[1], cells[2], cells[6]])).toEqual([
    ['111-1000001-1', '4000000', '1', numbers.get(1)],
    ['111-1000001-1', '4000001', '2', numbers.get(1)],
  ])
})

test('items survive a failure: failed rows and retried labels have them, and the results name them', async () => {
  const ben = await seller(10_000)
  const items = [
    item('41', { quantity: '2', extra: { 'PO#': '108', 'Line#': '1' } }),
    item('42', { orderId: '#2002', sku: 'MUG' }),
  ]
  const orderId = await bought(ben, [
    combined(1, items, { ToStreet2: 'SANDBOX REFUSE ONCE' }),
    row(2, { orderId: '111-1000002-1', orderItemId: '43' }),
  ])
  const failed = await app.call(listFailedRows, { params: { orderId } }, ben.token)
  expect(failed.body.rows).toMatchObject([{ row: 1, items, data: { orderId: '111-1000001-1' } }])
  expect(Object.keys(failed.body.rows[0]!.items![0]!.extra!)).toEqual(['PO#', 'Line#'])
  expect(failed.body.rows[0]!.data).not.toHaveProperty('items')
  expect(await linesOf(ben, `auto-csv/${orderId}`)).toHaveLength(1)
  await app.call(retryFailedLabels, { params: { orderId } }, ben.token)
  await finished(ben, orderId)
  const [first, second, third] = await linesOf(ben, `auto-csv/${orderId}`)
  expect(first).toMatch(/^111-1000001-1\t41\t2\t/)
  // An order id with # was typed by hand or is of another shop: Amazon does not know it.
  expect([second, third]).toEqual([expect.stringMatching(/^111-1000002-1\t43\t1\t/), undefined])
  const [result] = await linesOf(ben, `result-csv/${orderId}`)
  expect(result).toMatch(/^1,"111-1000001-1, #2002","41, 42",completed,/)
  const { body } = await app.call(
    listOrders,
    { params: { userId: ben.user._id }, query: {} },
    ben.token,
  )
  expect(body.orders.find(order => order.row === 1)!.items).toEqual([
    { orderItemId: '41', sku: 'TEE-M', quantity: '2' },
    { orderItemId: '42', orderId: '#2002', sku: 'MUG', quantity: '1' },
  ])
  expect(body.orders.find(order => order.row === 2)).not.toHaveProperty('items')
})

test('items are part of what was submitted: other items under the same id are another bulk order', async () => {
  const cara = await seller(10_000)
  const orderId = await init(cara)
  const send = (items: RowItem[]) => submit(cara, [combined(1, items)], { orderId })
  expect((await send([item('41'), item('42')])).status).toBe(202)
  expect((await send([item('41'), item('42')])).status).toBe(202)
  expect((await send([item('41')])).status).toBe(409)
})

test('wrong items are named by row, and nothing is bought', async () => {
  const dora = await seller(10_000)
  const many = Array.from({ length: MAX_ROW_ITEMS + 1 }, (_, n) => item(String(n)))
  const { status: code, body } = await submit(dora, [
    { ...row(1), items: 'none' },
    row(2),
    combined(3, [item('41', { quantity: '0' })], { ToCity: '' }),
    combined(4, many),
  ])
  expect([code, body.message, body.errors]).toEqual([
    422,
    '3 rows have validation errors',
    {
      '1.items': 'Items must be a list of order items',
      '3.ToCity': 'To City is required',
      '3.items': 'Order item 1: Quantity must be a whole number of at least 1',
      '4.items':
        'A row must have at most 500 order items; this has 501. Split it into several rows',
    },
  ])
  expect(await tracking(dora)).toEqual(new Map())
})

test('eBay reads order, item, status, carrier and tracking; without an item id the whole order', async () => {
  const eve = await seller(10_000)
  const orderId = await bought(
    eve,
    [
      combined(1, [item('1001'), item('1002')], { orderId: '12-34567-89012' }),
      row(2, { orderId: '12-34567-89013', orderItemId: '12-34567-89013-1' }),
    ],
    'ebay',
  )
  const { headers, body } = await download(eve, `auto-csv/${orderId}`)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toMatch(/-auto-confirm\.csv"$/)
  const [one, two] = [...(await tracking(eve)).entries()].toSorted().map(([, number]) => number)
  expect(body).toBe(
    'Order ID,Line Item ID,Logistics Status,Shipment Carrier,Shipment Tracking\r\n'
      + `12-34567-89012,1001,SHIPPED,USPS,${one}\r\n`
      + `12-34567-89012,1002,SHIPPED,USPS,${one}\r\n`
      + `12-34567-89013,,SHIPPED,USPS,${two}\r\n`,
  )
  expect((await download(eve, `auto-csv/${orderId}?format=csv`)).body).toBe(body)
  expect((await download(eve, `auto-csv/${orderId}?format=txt`)).json().message).toBe(
    'The confirmation file of this bulk order is available as csv.',
  )
})

test('other shops read order, tracking, carrier and date: an order only when all of it is bought', async () => {
  const finn = await seller(10_000)
  const orderId = await bought(
    finn,
    [
      combined(1, [item('#1001-1'), item('#1001-2')], { orderId: '#1001' }),
      row(2, { orderId: '#1002', orderItemId: '#1002-1' }),
      row(3, { orderId: '#1002', orderItemId: '#1002-2', ToStreet2: 'SANDBOX REFUSE' }),
      row(4, { orderId: '=1003' }),
    ],
    'shopify',
  )
  const numbers = await tracking(finn)
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
  expect((await linesOf(finn, `auto-csv/${orderId}`)).map(line => line.split(','))).toEqual([
    ['#1001', numbers.get(1), 'USPS', day],
    ['#1001', numbers.get(1), 'USPS', day],
    ["'=1003", numbers.get(4), 'USPS', day],
  ])
  const list = await app.call(
    listBatches,
    { params: { userId: finn.user._id }, query: {} },
    finn.token,
  )
  expect(list.body).toMatchObject([{ autoConfirmLeftOut: 1 }])
})

test('Walmart reads its own sheet, with status, quantity, carrier and tracking number filled in', async () => {
  const gina = await seller(10_000)
  const line = (n: number, quantity: string) =>
    item(String(n), {
      quantity,
      extra: {
        'PO#': '108-1',
        'Line#': String(n),
        Qty: quantity,
        'Tracking Number': '',
        'Tracking Url': '',
      },
    })
  const orderId = await bought(
    gina,
    [
      combined(1, [line(1, '2'), line(2, '1')], { orderId: '108-1' }),
      combined(2, [item('1')], { orderId: '108-2' }),
      combined(3, [line(3, '1')], { orderId: '108-1', ToStreet2: 'SANDBOX REFUSE' }),
    ],
    'walmart',
  )
  const { headers, rawPayload } = await download(gina, `auto-csv/${orderId}`)
  expect(headers['content-disposition']).toMatch(/-auto-confirm\.xlsx"$/)
  const numbers = await tracking(gina)
  const [header, ...lines] = (await readXlsx(rawPayload)).sheets[0]!.rows
  expect(header).toEqual(
    'PO#,Line#,Qty,Tracking Number,Tracking Url,Update Status,Update Qty,Carrier'.split(','),
  )
  expect(lines).toEqual([
    ['108-1', '1', '2', numbers.get(1), null, 'Shipped', '2', 'USPS'],
    ['108-1', '2', '1', numbers.get(1), null, 'Shipped', '1', 'USPS'],
    ['108-2', '1', '1', numbers.get(2), null, 'Shipped', '1', 'USPS'],
  ])
})

test('columns matched by the user give the file of the marketplace where they have item ids', async () => {
  const hana = await seller(10_000)
  const orders = rows(1, () => ({ orderId: '1001', orderItemId: '1001-1' }))
  const plain = await bought(hana, orders, 'mapped')
  expect((await download(hana, `auto-csv/${plain}`)).body).toMatch(
    /^order,tracking,carrier,date\r\n/,
  )
  const items = rows(1, () => ({ orderId: '1002', orderItemId: '77' }))
  const amazon = await bought(hana, items, 'mapped')
  expect((await download(hana, `auto-csv/${amazon}`)).body).toMatch(/^order-id\t/)
})
