import { expect, test } from 'vitest'
import { deleteUser } from '#contract/accounts.ts'
import * as calls from '#contract/imports.ts'
import type { ColumnMapping } from '#contract/imports.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'

const app = await testApp()

const fingerprintOf = (n: number) => n.toString(16).padStart(64, '0')
const MAPPING: ColumnMapping = {
  columns: [
    { header: 'Order', use: 'orderId' },
    { header: 'First', use: 'FirstName' },
    { header: 'Family name', use: 'LastName' },
    { header: 'Weight (oz)', use: 'PackageWeight', unit: 'oz' },
    { header: 'Notes', use: 'unused' },
  ],
  constants: { PackageLength: '9', ToCountry: 'US' },
}

const list = ({ token, user }: TestUser) =>
  app.call(calls.listImports, { params: { userId: user._id } }, token)
const save = (
  { token, user }: TestUser,
  n: number,
  { name = 'orders.csv', mapping = MAPPING }: { name?: string; mapping?: ColumnMapping } = {},
) =>
  app.call(
    calls.saveMapping,
    {
      params: { userId: user._id, fingerprint: fingerprintOf(n) },
      body: { name, mapping },
    },
    token,
  )
const read = ({ token, user }: TestUser, n: number) =>
  app.call(calls.getMapping, { params: { userId: user._id, fingerprint: fingerprintOf(n) } }, token)
const remove = ({ token, user }: TestUser, n: number) =>
  app.call(
    calls.deleteMapping,
    { params: { userId: user._id, fingerprint: fingerprintOf(n) } },
    token,
  )
const group = ({ token, user }: TestUser, source: 'shopify' | 'amazon', by: calls.RowGrouping) =>
  app.call(calls.saveGrouping, { params: { userId: user._id }, body: { source, by } }, token)

test('the columns of a file are remembered, replaced and forgotten', async () => {
  const ana = await app.register()
  expect(await read(ana, 1)).toMatchObject({
    status: 404,
    body: { message: 'The columns of this header row are not saved' },
  })
  const first = await save(ana, 1, { name: '  orders of\nNovember.csv ' })
  expect(first).toMatchObject({ status: 200, body: { ok: true, message: 'Columns saved' } })
  await save(ana, 2, { name: 'other.csv' })
  expect((await read(ana, 1)).body).toEqual({
    name: 'orders of November.csv',
    mapping: MAPPING,
    usedAt: first.body.usedAt,
  })

  const changed: ColumnMapping = { columns: MAPPING.columns.slice(0, 1), constants: {} }
  const again = await save(ana, 1, { name: 'orders.csv', mapping: changed })
  expect(again.body.usedAt > first.body.usedAt).toBe(true)
  expect((await read(ana, 1)).body).toEqual({
    name: 'orders.csv',
    mapping: changed,
    usedAt: again.body.usedAt,
  })
  expect((await list(ana)).body.mappings.map(({ name }) => name)).toEqual([
    'orders.csv',
    'other.csv',
  ])

  expect(await remove(ana, 1)).toMatchObject({ status: 200, body: { message: 'Columns deleted' } })
  expect(await remove(ana, 1)).toMatchObject({ status: 404 })
  expect((await list(ana)).body.mappings).toHaveLength(1)
})

test('remembered columns and choices belong to their user only and go with the user', async () => {
  const [ana, ben, admin] = [await app.register(), await app.register(), await app.admin()]
  await save(ana, 1)
  await group(ana, 'shopify', 'order')
  const asBen = { ...ana, token: ben.token }
  expect(await list(asBen)).toMatchObject({ status: 403 })
  expect(await read(asBen, 1)).toMatchObject({ status: 403 })
  expect(await save(asBen, 1)).toMatchObject({ status: 403 })
  expect(await remove(asBen, 1)).toMatchObject({ status: 403 })
  expect(await group(asBen, 'shopify', 'line')).toMatchObject({ status: 403 })
  expect(await read(ben, 1)).toMatchObject({ status: 404 })
  expect((await list(ben)).body).toEqual({ mappings: [], grouping: {} })

  await app.call(deleteUser, { params: { userId: ana.user._id } }, admin.token)
  const { rows } = await app.database.pool.query(
    `select user_id from import_mapping where user_id = $1
     union all select user_id from import_grouping where user_id = $1`,
    [ana.user._id],
  )
  expect(rows).toEqual([])
})

test('fifty files are remembered, and the next one is refused with what to do', async () => {
  const ana = await app.register()
  await app.database.pool.query(
    `insert into import_mapping (user_id, fingerprint, name, mapping, used_at)
       select $1, lpad(to_hex(n), 64, '0'), 'file ' || n, '{"columns":[],"constants":{}}', now() - n * interval '1 day'
         from generate_series(1, 49) n`,
    [ana.user._id],
  )
  const both = await Promise.all([save(ana, 50), save(ana, 51)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)!.body).toMatchObject({
    message:
      'You can save the columns of at most 50 files. Delete some first; “file 49” was used least recently.',
  })
  expect(await save(ana, 1, { name: 'Again' })).toMatchObject({ status: 200 })
  await remove(ana, 49)
  expect(await save(ana, 52)).toMatchObject({ status: 200 })
  expect((await list(ana)).body.mappings).toHaveLength(50)
})

test('wrong columns name their field, and nothing is saved', async () => {
  const ana = await app.register()
  const refused = async (body: unknown, fingerprint = fingerprintOf(1)) => {
    const answer = await app.call(
      calls.saveMapping,
      { params: { userId: ana.user._id, fingerprint }, body } as never,
      ana.token,
    )
    expect(answer.status).toBeGreaterThanOrEqual(400)
    return (answer.body as unknown as { errors: Record<string, string> }).errors
  }
  const column = (change: object) => ({
    name: 'orders.csv',
    mapping: {
      columns: [
        { header: 'A', use: 'unused' },
        { header: 'B', use: 'orderId', ...change },
      ],
      constants: {},
    },
  })
  expect(await refused(column({ use: 'Weight' }))).toHaveProperty(['mapping.columns.1.use'])
  expect(await refused(column({ unit: 'stone' }))).toHaveProperty(['mapping.columns.1.unit'])
  expect(await refused(column({ use: 'PackageWeight', unit: 'in' }))).toEqual({
    'mapping.columns.1.unit': 'must be lb, oz, kg, g for PackageWeight, not "in"',
  })
  expect(await refused(column({ header: 'x'.repeat(201) }))).toEqual({
    'mapping.columns.1.header': 'must have at most 200 characters, not 201',
  })
  const many = Array.from({ length: 301 }, () => ({ header: '', use: 'unused' }))
  expect(await refused({ name: 'orders.csv', mapping: { columns: many, constants: {} } })).toEqual({
    'mapping.columns': 'must have at most 300 entries, not 301',
  })
  expect(
    await refused({ name: 'a', mapping: { columns: [], constants: { Weather: 'rain' } } }),
  ).toEqual({ 'mapping.constants.Weather': 'must be a field of a row, not "Weather"' })
  expect(await refused({ name: ' ', mapping: MAPPING })).toEqual({ name: 'Name is required' })
  expect(await refused({ name: 'x'.repeat(201), mapping: MAPPING })).toEqual({
    name: 'Name must be at most 200 characters; this has 201',
  })
  expect(await refused({ name: 'a', mapping: MAPPING }, 'a1')).toEqual({
    fingerprint: 'must be 64 hexadecimal digits, not "a1"',
  })
  expect((await list(ana)).body.mappings).toEqual([])
})

test('what one label is made for is remembered for each source', async () => {
  const ana = await app.register()
  expect((await list(ana)).body.grouping).toEqual({})
  await group(ana, 'shopify', 'order')
  await group(ana, 'amazon', 'address')
  expect(await group(ana, 'shopify', 'line')).toMatchObject({ status: 200 })
  expect((await list(ana)).body.grouping).toEqual({ shopify: 'line', amazon: 'address' })
})
