/** Lists in pages after an id: as programs read them, and a session that asks for it. */
import { expect, test } from 'vitest'
import { deleteAddress, listAddresses, saveAddress } from '#contract/addresses.ts'
import { createKey } from '#contract/api-keys.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { initBatch, listBatches, processBatch } from '#contract/batches.ts'
import { SCOPES } from '#contract/keys.ts'
import { statement } from '#contract/ledger.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { addSkus, deleteSku, listSkus } from '#contract/skus.ts'
import { testApp } from '#tests/support/app.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const ana = await app.register()
const params = { userId: ana.user._id }
await app.creditDollars(ana.user._id, 300)
const { key } = (
  await app.call(createKey, { params, body: { name: 'Shop', scopes: [...SCOPES] } }, ana.token)
).body

for (let n = 0; n < 3; n++) {
  await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, key)
  const { orderId } = (await app.call(initBatch, { body: params }, key)).body
  await app.call(processBatch, { params, body: { orderId, orderData: rows(1) } }, key)
  const formData = {
    address_id: `shop-${n}`,
    name: 'Ana',
    street: `${n + 1} Main St`,
    city: 'Austin',
    state: 'TX',
    zip: '78701',
  }
  await app.call(saveAddress, { params, body: { formData } }, key)
}
const skus = ['MUG', 'CUP', 'PEN', 'BAG', 'HAT'].map(sku => ({
  sku,
  maxQty: 4,
  weight: 1,
  length: 8,
  width: 6,
  height: 4,
}))
await app.call(addSkus, { params, body: { parsedData: skus } }, key)

const settled = async (): Promise<void> => {
  await expect
    .poll(async () =>
      (await app.call(listBatches, { params, query: {} }, ana.token)).body.every(({ status }) =>
        isTerminal(status),
      ),
    )
    .toBe(true)
}

type Page<Entry> = { entries: Entry[]; next?: string | null | undefined }

/** All entries, read two at a time. */
async function walk<Entry>(
  read: (query: { after?: string; limit: number }) => Promise<Page<Entry>>,
): Promise<Entry[]> {
  const all: Entry[] = []
  for (let after: string | undefined; ;) {
    const { entries, next } = await read({ ...(after && { after }), limit: 2 })
    expect(entries.length).toBeLessThanOrEqual(2)
    all.push(...entries)
    if (next === null) return all
    expect(next).toBeTypeOf('string')
    after = next!
  }
}

test('orders, also filtered ones, are read page by page to the end, each once', async () => {
  await settled()
  const read = (filter: object) => (query: { after?: string; limit: number }) =>
    app
      .call(listOrders, { params, query: { ...query, ...filter } }, key)
      .then(({ body }) => ({ entries: body.orders.map(({ _id }) => _id), next: body.next }))
  const { orders, ...rest } = (await app.call(listOrders, { params, query: {} }, ana.token)).body
  expect(rest).toEqual({ totalCount: 6, more: false })
  expect(await walk(read({}))).toEqual(orders.map(({ _id }) => _id))
  const named = orders.filter(({ receiver }) => receiver.receiver_name === 'June Rivera')
  expect(await walk(read({ search: 'June' }))).toEqual(named.map(({ _id }) => _id))
  expect(await walk(read({ status: 'completed' }))).toEqual(orders.map(({ _id }) => _id))
  expect(await walk(read({ search: 'Zebediah' }))).toEqual([])
})

test('a session that sends after gets the next page; a key may count pages too', async () => {
  const { orders } = (await app.call(listOrders, { params, query: {} }, ana.token)).body
  const { body } = await app.call(
    listOrders,
    { params, query: { after: orders[1]!._id, limit: 3 } },
    ana.token,
  )
  expect([body.orders.map(({ _id }) => _id), body.next]).toEqual([
    orders.slice(2, 5).map(({ _id }) => _id),
    orders[4]!._id,
  ])
  const second = await app.call(listOrders, { params, query: { page: 2, limit: 4 } }, key)
  expect([second.body.orders.length, second.body.next, second.body.totalCount]).toEqual([
    2,
    null,
    6,
  ])
})

test('bulk orders: a list for pages, an object with next for programs', async () => {
  await settled()
  const { body } = await app.call(listBatches, { params, query: {} }, ana.token)
  expect(body).toHaveLength(3)
  const walked = await walk(query =>
    app.call(listBatches, { params, query }, key).then(answer => {
      const page = answer.body as unknown as { batches: { _id: string }[]; next: string | null }
      expect(answer.headers['x-total-count']).toBe('3')
      return { entries: page.batches.map(({ _id }) => _id), next: page.next }
    }),
  )
  expect(walked).toEqual(body.map(({ _id }) => _id))
})

test('a statement is read page by page, with the balance after each entry', async () => {
  const { entries, totalCount } = (await app.call(statement, { params, query: {} }, ana.token)).body
  expect([entries.length, totalCount]).toEqual([7, 7])
  const read = (filter?: 'hold') => (query: { after?: string; limit: number }) =>
    app
      .call(statement, { params, query: { ...query, ...(filter && { filter }) } }, key)
      .then(({ body }) => body)
  expect(await walk(read())).toEqual(entries)
  expect(await walk(read('hold'))).toEqual(entries.filter(({ kind }) => kind === 'hold'))
})

test('addresses and SKUs are read page by page, also when one is deleted meanwhile', async () => {
  const addresses = async (token: string, query: { after?: string; limit?: number }) =>
    (await app.call(listAddresses, { params, query }, token)).body
  const all = await addresses(ana.token, {})
  expect(Object.keys(all)).toEqual(['savedAddress'])
  const readAddresses = async (query: { after?: string; limit: number }) => {
    const { savedAddress, next } = await addresses(key, query)
    return { entries: savedAddress, next }
  }
  expect(await walk(readAddresses)).toEqual(all.savedAddress)
  expect((await addresses(ana.token, { limit: 1 })).next).toBe(all.savedAddress[0]!._id)
  const id = all.savedAddress[0]!._id
  await app.call(deleteAddress, { params, body: { id } }, key)
  const rest = await addresses(key, { after: id })
  expect([rest.savedAddress, rest.next]).toEqual([all.savedAddress.slice(1), null])

  const listed = (await app.call(listSkus, { params, query: {} }, ana.token)).body
  expect(Object.keys(listed)).toEqual(['SkuData'])
  const readSkus = async (query: { after?: string; limit: number }) => {
    const { SkuData, next } = (await app.call(listSkus, { params, query }, key)).body
    return { entries: SkuData, next }
  }
  expect(await walk(readSkus)).toEqual(listed.SkuData)
  const gone = listed.SkuData[1]!._id
  await app.call(deleteSku, { params: { skuId: gone } }, key)
  const answer = await app.call(listSkus, { params, query: { after: gone } }, key)
  expect([answer.status, answer.body.code]).toEqual([409, 'changed_meanwhile'])
})
