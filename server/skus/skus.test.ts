import { expect, test } from 'vitest'
import { addSkus, deleteSku, listSkus, updateSku } from '#contract/skus.ts'
import type { SkuForm } from '#contract/skus.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'

const app = await testApp()

const form = (sku: string, change: Partial<SkuForm> = {}): SkuForm => ({
  sku,
  maxQty: 4,
  weight: 1.5,
  length: 6,
  width: 5,
  height: 4,
  description: '',
  ...change,
})
const add = ({ token, user }: TestUser, ...parsedData: SkuForm[]) =>
  app.call(addSkus, { params: { userId: user._id }, body: { parsedData } }, token)
const update = ({ token, user }: TestUser, skuId: string, skuData: SkuForm) =>
  app.call(updateSku, { params: { userId: user._id, skuId }, body: { skuData } }, token)
const remove = ({ token }: TestUser, skuId: string) =>
  app.call(deleteSku, { params: { skuId } }, token)
const list = async ({ token, user }: TestUser) =>
  (await app.call(listSkus, { params: { userId: user._id } }, token)).body.SkuData

test('a SKU record is added, changed and deleted', async () => {
  const ana = await app.register()
  expect(await list(ana)).toEqual([])

  const added = await add(ana, form('MUG-1', { weight: '2.25', description: 'A mug' }))
  expect(added).toMatchObject({ status: 200, body: { ok: true, message: 'New SKU Data Added' } })
  const [mug] = added.body.SkuData
  expect(mug).toEqual({ _id: mug!._id, ...form('MUG-1', { weight: 2.25, description: 'A mug' }) })

  expect(await update(ana, mug!._id, form('MUG-2', { height: 9.5 }))).toMatchObject({
    status: 200,
    body: {
      message: 'Row updated successfully!',
      sku: { _id: mug!._id, sku: 'MUG-2', height: 9.5 },
    },
  })
  expect(await remove(ana, mug!._id)).toMatchObject({
    status: 200,
    body: { message: 'Row deleted successfully!', id: mug!._id },
  })
  expect(await remove(ana, mug!._id)).toMatchObject({
    status: 404,
    body: { message: 'SKU not found' },
  })
  expect(await update(ana, mug!._id, form('MUG-2'))).toMatchObject({ status: 404 })
})

test('a file adds new records and replaces existing ones; the last record of a SKU counts', async () => {
  const ana = await app.register()
  await add(ana, form('MUG'), form('cup'))
  const { status, body } = await add(
    ana,
    form('BOWL'),
    form('MUG', { weight: 2 }),
    form('MUG', { weight: 3 }),
  )
  expect({ status, message: body.message }).toEqual({
    status: 200,
    message: 'CSV Uploaded Successfully',
  })
  expect((await list(ana)).map(({ sku, weight }) => [sku, weight])).toEqual([
    ['BOWL', 1.5],
    ['MUG', 3],
    ['cup', 1.5],
  ])
})

test('one invalid record refuses the whole file and is named', async () => {
  const ana = await app.register()
  expect(
    await add(ana, form('MUG'), form('CUP', { weight: 0 }), form('', { width: 'wide' })),
  ).toMatchObject({
    status: 422,
    body: {
      message: 'Row 2: Weight must be greater than 0',
      errors: {
        '2.weight': 'Weight must be greater than 0',
        '3.sku': 'SKU is required',
        '3.width': 'Width must be greater than 0',
      },
    },
  })
  expect(await list(ana)).toEqual([])
})

test('two files with the same SKUs at the same time both succeed', async () => {
  const ana = await app.register()
  const skus = Array.from({ length: 200 }, (_, n) => form(`SKU-${n}`))
  const answers = await Promise.all(
    [skus, skus.toReversed(), skus, skus.toReversed()].map(file => add(ana, ...file)),
  )
  expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200])
  expect(await list(ana)).toHaveLength(200)
})

test('a record cannot get the SKU of another record', async () => {
  const ana = await app.register()
  const {
    body: {
      SkuData: [cup],
    },
  } = await add(ana, form('CUP'), form('MUG'))
  expect(await update(ana, cup!._id, form('MUG'))).toMatchObject({
    status: 409,
    body: { message: 'This SKU already exists', errors: { sku: 'This SKU already exists' } },
  })
  expect(await update(ana, cup!._id, form('CUP', { length: -1 }))).toMatchObject({
    status: 422,
    body: { errors: { length: 'Length must be greater than 0' } },
  })
})

test('a record of another user is not found; an administrator can delete it', async () => {
  const [ana, ben, admin] = [await app.register(), await app.register(), await app.admin()]
  const {
    body: {
      SkuData: [mug],
    },
  } = await add(ana, form('MUG'))
  expect(await app.call(listSkus, { params: { userId: ana.user._id } }, ben.token)).toMatchObject({
    status: 403,
  })
  expect(await update(ben, mug!._id, form('MINE'))).toMatchObject({ status: 404 })
  expect(await remove(ben, mug!._id)).toMatchObject({ status: 404 })
  expect((await list(ana)).map(record => record.sku)).toEqual(['MUG'])
  expect(await remove(admin, mug!._id)).toMatchObject({ status: 200 })
})

test('a file beyond the limit of records per user changes nothing', async () => {
  const ana = await app.register()
  await app.database.pool
    .query(`insert into sku (user_id, sku, max_qty, weight_lb, length_in, width_in, height_in)
    select ${ana.user._id}, 'S' || n, 1, 1, 1, 1, 1 from generate_series(1, 49999) n`)
  expect(await add(ana, form('A'), form('B'))).toMatchObject({
    status: 422,
    body: { message: 'You can save at most 50,000 SKUs. Delete some first.' },
  })
  expect(await list(ana)).toHaveLength(49_999)
})
