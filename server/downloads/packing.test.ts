import { assert, beforeAll, expect, test, vi } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import {
  downloadPackingSlips,
  downloadPickList,
  downloadSelectedPackingSlips,
  downloadSelectedPickList,
} from '#contract/downloads.ts'
import type { Order } from '#contract/orders.ts'
import type { RowItem } from '#contract/rows.ts'
import { addSkus } from '#contract/skus.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { row } from '#tests/support/rows.ts'
import {
  compareKeys,
  firstKeyOf,
  packingItems,
  packingKey,
  PickListBuilder,
} from './packing-rules.ts'

const app = await testApp()
const { seller, submit, progress, labelsOf, init } = bulkOrdersOf(app)
const ana = await seller()

const item = (sku: string, quantity: string, orderId?: string): RowItem => ({
  orderItemId: `item-${sku}`,
  sku,
  quantity,
  ...(orderId !== undefined && { orderId }),
})
const goods = (skuNumber: string, quantity: string, PackageDescription: string) => ({
  skuNumber,
  PackageReference2: skuNumber,
  quantity,
  PackageReference1: quantity,
  PackageDescription,
})

const measures = { maxQty: 9, weight: 1, length: 9, width: 6, height: 3 }
await app.call(
  addSkus,
  {
    params: { userId: ana.user._id },
    body: { parsedData: [{ sku: 'TEE-10', ...measures, description: 'T-shirt, ten' }] },
  },
  ana.token,
)
const FILE = 'orders of the week before Thanksgiving, all warehouses and shops, checked.txt'
const { orderId } = (
  await submit(
    ana,
    [
      row(1, { orderId: '111-1', ...goods('MUG-12', '3', 'Stoneware mug') }),
      {
        ...row(2, { orderId: '111-2' }),
        items: [item('TEE-10', '2'), item('MUG-12', '1', '111-9')],
      },
      row(3, { orderId: '111-3', ...goods('TEE-9', '1', 'T-shirt, nine') }),
      row(4, { orderId: '111-4', ...goods('', '', 'A card') }),
    ],
    { file: { name: FILE, sha256: '0'.repeat(64), source: 'amazon' } },
  )
).body
const labels = new Map<number, Order>()
beforeAll(async () => {
  const isOver = async () => isTerminal((await progress(ana, orderId)).status)
  await vi.waitFor(async () => assert(await isOver()), { timeout: 300_000 })
  for (const order of await labelsOf(ana)) labels.set(order.row!, order)
})

const get = (url: string, { token }: TestUser = ana) => app.send({ url, headers: { token } })
const urlOf = (...given: Parameters<typeof injectOptionsFor>) =>
  injectOptionsFor(...given).url as string
const pagesOf = async (url: string, by?: TestUser): Promise<string[]> => {
  const answer = await get(url, by)
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200)
  return (await readPdf(answer.rawPayload)).map(({ text }) => text)
}

test('the slips of a bulk order are sorted by SKU, with the number of their label', async () => {
  const answer = await get(urlOf(downloadPackingSlips, { params: { orderId } }))
  expect(answer.headers['content-disposition']).toBe(
    `inline; filename="packing-slips-${orderId}-letter.pdf"`,
  )
  const pages = await pagesOf(urlOf(downloadPackingSlips, { params: { orderId } }))
  expect(pages.map(text => /label \d of \d/.exec(text)![0])).toEqual([
    'label 1 of 4',
    'label 2 of 4',
    'label 3 of 4',
    'label 4 of 4',
  ])
  expect(pages[0]).toContain('MUG-12 Stoneware mug 3')
  expect(pages[1]).toContain('111-2, 111-9')
  expect(pages[1]).toContain('MUG-12 1\nTEE-10 T-shirt, ten 2\nTotal 3')
  for (const label of labels.values())
    expect(pages.join('\n')).not.toContain(label.tracking_number!.slice(-8))
})

test('the pick list counts what all rows need, combined ones too', async () => {
  const [page, ...others] = await pagesOf(
    urlOf(downloadPickList, { params: { orderId }, query: { format: 'pdf' } }),
  )
  expect(others).toEqual([])
  expect(page!.split('\n').slice(-6)).toEqual([
    'SKU Description Orders Qty',
    'MUG-12 Stoneware mug 2 4',
    'TEE-9 T-shirt, nine 1 1',
    'TEE-10 T-shirt, ten 1 2',
    'A card 1 1',
    'Total 8',
  ])
  expect(page).toContain(`#${orderId}, orders of the week`)
})

test('a selection has its slips and its pick list', async () => {
  const ids = [3, 1].map(n => labels.get(n)!._id).join(',')
  const slips = await pagesOf(urlOf(downloadSelectedPackingSlips, { query: { ids } }))
  expect(slips.map(text => /111-\d/.exec(text)![0])).toEqual(['111-1', '111-3'])
  const [list] = await pagesOf(urlOf(downloadSelectedPickList, { query: { ids } }))
  expect(list).toContain('MUG-12 Stoneware mug 1 3')
  expect(list).toContain('Total 4')
})

test('a label that is voided, and one of another user, have no slip', async () => {
  const { _id } = labels.get(4)!
  expect(await voidAndWait(app, _id, ana.token)).toBe(200)
  const ids = `${labels.get(1)!._id},${_id}`
  const refused = await get(urlOf(downloadSelectedPackingSlips, { query: { ids } }))
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    `Some of these orders have no valid label: #${_id}. Leave them out and try again.`,
  ])
  await expect
    .poll(async () => (await pagesOf(urlOf(downloadPackingSlips, { params: { orderId } }))).length)
    .toBe(3)
  const stranger = await seller()
  for (const url of [
    urlOf(downloadSelectedPickList, { query: { ids: labels.get(1)!._id } }),
    urlOf(downloadPackingSlips, { params: { orderId } }),
    urlOf(downloadPickList, { params: { orderId } }),
  ])
    expect((await get(url, stranger)).statusCode).toBe(404)
})

test('a bulk order that was not submitted has nothing to pack', async () => {
  const empty = await init(ana)
  const answer = await get(urlOf(downloadPickList, { params: { orderId: empty } }))
  expect(answer.statusCode).toBe(404)
})

test('SKUs are in the order of their numbers, and rows without one come last', () => {
  const skus = ['TEE-10', '', 'mug-2', 'TEE-9', 'MUG-1'].map(sku => ({
    sku,
    key: packingKey({ sku, description: 'A card' }),
  }))
  expect(skus.toSorted(compareKeys).map(({ sku }) => sku)).toEqual([
    'MUG-1',
    'mug-2',
    'TEE-9',
    'TEE-10',
    '',
  ])
})

test('a label stands where the first of its items does', () => {
  const one = { orderRef: '111-1', sku: '', quantity: '', description: 'Tees' }
  const items = ['', 'TEE-10', 'TEE-9', 'TEE-11'].map(sku => item(sku, '1'))
  expect(firstKeyOf({ ...one, items })).toBe(packingKey({ sku: 'TEE-9', description: '' }))
  expect(firstKeyOf({ ...one, items: null })).toBe(packingKey({ sku: '', description: 'Tees' }))
})

test('items without SKUs are packed by the description of their row', async () => {
  const description = '2x Poster, 1x Card'
  const order = { orderRef: '7', sku: '', quantity: '3', description }
  const items = [item('', '2'), item('', '1', '8')]
  expect(packingItems({ ...order, items }, new Map())).toEqual([
    { sku: '', description, quantity: 3 },
  ])
  const list = new PickListBuilder()
  list.add({ ...order, items }, 1, new Map())
  expect(await list.lines()).toEqual([{ sku: '', description, quantity: 3, orders: 2 }])
})

test('the slip of a box of items with and without SKUs names them all, each once', async () => {
  const order = { orderRef: '7', sku: '', quantity: '4' }
  const packed = (description: string, ...items: RowItem[]) =>
    packingItems({ ...order, description, items }, new Map([['MUG', 'Stoneware mug']]))
  const mug = { sku: 'MUG', description: 'Stoneware mug', quantity: 2 }
  const mugs = [item('MUG', '1'), item('MUG', '1')]
  const both = '2x MUG, 2x Poster, A2, 1x Card'
  expect(packed(both, ...mugs, item('', '2'), item('', '1'))).toEqual([
    mug,
    { sku: '', description: '2x Poster, A2, 1x Card', quantity: 3 },
  ])
  for (const listed of ['2x MUG, 2x Poster', '1x MUG, 1x MUG, 2x Poster', 'Poster'])
    expect(packed(listed, ...mugs, item('', '2'))).toEqual([
      mug,
      { sku: '', description: 'Poster', quantity: 2 },
    ])

  const list = new PickListBuilder()
  const items = [item('MUG', '2'), item('', '2')]
  list.add({ ...order, description: '2x MUG, 2x Poster', items }, 1, new Map())
  list.add({ ...order, orderRef: '8', items: null, description: 'Poster' }, 2, new Map())
  expect((await list.lines()).at(-1)).toEqual({
    sku: '',
    description: 'Poster',
    quantity: 6,
    orders: 2,
  })
})

test('an order with two labels counts once for a SKU', async () => {
  const list = new PickListBuilder()
  const one = { orderRef: '111-1', items: null, sku: 'MUG-12', quantity: '2', description: 'Mug' }
  list.add(one, 1, new Map())
  list.add({ ...one, description: '' }, 2, new Map())
  list.add({ ...one, orderRef: null }, 3, new Map())
  expect(await list.lines()).toEqual([
    { sku: 'MUG-12', description: 'Mug', quantity: 6, orders: 2 },
  ])
})
