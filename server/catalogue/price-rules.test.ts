import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { PriceSource } from '#contract/price-tables.ts'
import { copyRow, copyUser } from '#tests/support/copied-rows.ts'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { selectCosts } from './costs-store.ts'
import { applyDueChanges, changePrices, listPriceChanges } from './price-changes.ts'
import { draftPrices, isChanged } from './price-drafts.ts'
import type { PriceOwner } from './price-drafts.ts'
import {
  ensureCatalogue,
  listDefaultServices,
  listOwnServices,
  listPriceVersions,
  quoteEachShipment,
  setServicePrices,
} from './service.ts'

const database = await testDatabase()
const { db } = database
const ignore = () => {}
const ctx = { database, log: { debug: ignore, info: ignore, warn: ignore, error: ignore } }
const admin = await newUser(database, 'admin')
const ana = await newUser(database, 'ana')
const ben = await newUser(database, 'ben')

const GROUND = 'usps:GROUND_ADVANTAGE'
const PRIORITY = 'usps:PRIORITY_MAIL'
const RAW = [GROUND, PRIORITY].map(uid => ({ uid, name: uid, category: 'USPS', maxWeight: 70 }))

beforeEach(async () => {
  await database.owner.pool.query(
    'truncate price_change, price_version, cost_version, user_service, default_service restart identity cascade',
  )
  await ensureCatalogue(ctx, RAW)
})

const sheet = (kind: 'file' | 'costs', ...rows: string[][]): PriceSource => ({
  kind,
  fileName: 'carrier.csv',
  rows: [['service', 'up_to', 'unit', 'price'], ...rows],
})
const costs = (dollars: string) =>
  sheet('costs', [GROUND, '2', 'lb', dollars], [GROUND, '70', 'lb', '20'])
const rule = (percent: number, more: object = {}): PriceSource => ({
  kind: 'rule',
  uid: GROUND,
  rule: { percent, fixed: 0, floor: 0, rounding: 'cent', ...more },
})

async function confirm(
  source: PriceSource,
  owner: PriceOwner = null,
  startsAt: string | undefined = undefined,
) {
  const { seen } = await draftPrices(db, owner, source)
  const confirmed = { source, seen, requestId: randomUUID(), reason: 'new contract', startsAt }
  return changePrices(ctx, owner, confirmed, admin)
}
async function priceOf(userId: number, weight = 2) {
  const [quote] = await quoteEachShipment(db, userId, [{ service: GROUND, weight }])
  return 'price' in quote! ? quote.price : quote!.reason
}
const groundVersions = async () =>
  listPriceVersions(db, { defaultId: (await listDefaultServices(db))[0]!.id })

test('a service whose costs are known is priced by its rule', async () => {
  await confirm(costs('6.20'))
  expect(await priceOf(ana)).toBe(650)
  await confirm(rule(20))
  expect([await priceOf(ana), await priceOf(ana, 3)]).toEqual([744, 2400])
})

test('without costs a rule is refused with what to do', async () => {
  const { faults } = await draftPrices(db, null, rule(20))
  expect(faults).toEqual([
    expect.objectContaining({
      text: expect.stringMatching(/^No costs of USPS Ground Advantage are known. Upload costs/),
    }),
  ])
  await expect(confirm(rule(20))).rejects.toMatchObject({ status: 422 })
})

test('new costs change every price that follows a rule, and no other, each by its own rule', async () => {
  await confirm(costs('6.00'))
  await confirm(rule(20))
  await confirm(rule(10, { fixed: 0.25 }), ana)
  await confirm(sheet('file', [GROUND, '70', 'lb', '5.55']), ben)
  const cara = await newUser(database, `cara-${randomUUID().slice(0, 8)}`)
  expect([await priceOf(cara), await priceOf(ana), await priceOf(ben)]).toEqual([720, 685, 555])

  await confirm(costs('7.00'))
  expect([await priceOf(cara), await priceOf(ana), await priceOf(ben)]).toEqual([840, 795, 555])
})

test('a preview of costs shows the prices that follow them, of users with own services too', async () => {
  await confirm(costs('6.00'))
  await confirm(rule(20))
  await confirm(rule(10), ana)
  const draft = await draftPrices(db, null, costs('7.00'))
  expect(
    draft.changes.map(change => [change.userId, change.after.ranges[0]!.cents, isChanged(change)]),
  ).toEqual([
    [null, 840, true],
    [ana, 770, true],
  ])
  expect(await priceOf(ana)).toBe(660)
})

test('new costs reach the own services of hundreds of users, with a version and its costs for each', async () => {
  await confirm(costs('6.00'))
  await confirm(rule(10), ana)
  const ground = `user_id = ${ana} and default_id = (select id from default_service where uid = '${GROUND}')`
  await copyUser(database, ana, 450)
  await copyRow(database, 'user_service', ground, 450, `'user_id', n`)
  const ownVersion = `user_service_id = (select id from user_service where ${ground}) and rule is not null`
  await copyRow(database, 'price_version', ownVersion, 450, `'user_service_id', n`)

  await confirm(costs('7.00'))
  const { rows } = await database.owner.pool.query(
    `select count(*)::int as users, min(v.version) as version, min(v.ranges #>> '{0,cents}') as least, max(v.ranges #>> '{0,cents}') as most
       from price_version v join price_change c on c.id = v.change_id where c.kind = 'costs' and v.user_service_id > 1000000`,
  )
  expect(rows).toEqual([{ users: 450, version: 3, least: '770', most: '770' }])
  expect(await priceOf(1_000_450)).toBe(770)
})

test('costs that changed since a preview of a rule are not used unseen', async () => {
  await confirm(costs('6.00'))
  const { seen } = await draftPrices(db, null, rule(20))
  await confirm(costs('7.00'))
  const confirmed = { source: rule(20), seen, requestId: randomUUID(), reason: 'late' }
  await expect(changePrices(ctx, null, confirmed, admin)).rejects.toMatchObject({ status: 409 })
})

test('the same costs again are refused, and costs cannot be scheduled or set for one user', async () => {
  await confirm(costs('6.00'))
  await expect(confirm(costs('6.00'))).rejects.toThrow('These are the costs of now already')
  const later = new Date(Date.now() + 3600_000).toISOString()
  await expect(confirm(costs('7.00'), null, later)).rejects.toMatchObject({ status: 422 })
  await expect(draftPrices(db, ana, costs('7.00'))).rejects.toMatchObject({ status: 422 })
})

test('a scheduled rule takes the costs of its day', async () => {
  await confirm(costs('6.00'))
  await confirm(rule(20), null, new Date(Date.now() + 3600_000).toISOString())
  await confirm(costs('7.00'))
  expect(await priceOf(ana)).toBe(650)
  await database.owner.pool.query(
    "update price_change set starts_at = now() - interval '1 minute' where state = 'scheduled'",
  )
  await applyDueChanges(ctx)
  expect(await priceOf(ana)).toBe(840)
})

test('versions keep the rule and the costs that they were computed from', async () => {
  await confirm(costs('6.00'))
  await confirm(rule(20))
  await confirm(costs('7.00'))
  expect(
    (await groundVersions()).map(({ version, rule: kept }) => [version, kept?.basisPoints]),
  ).toEqual([
    [3, 2_000],
    [2, 2_000],
    [1, undefined],
  ])
  const { rows } = await database.owner.pool.query(
    `select p.version, c.version as costs from price_version p join cost_version c on c.id = p.cost_version_id
       where p.default_id is not null order by p.version`,
  )
  expect(rows).toEqual([
    { version: 2, costs: 1 },
    { version: 3, costs: 2 },
  ])
})

test('prices that are set by hand end the rule, even if they are the same', async () => {
  await confirm(sheet('costs', [GROUND, '70', 'lb', '6']))
  await confirm(rule(0))
  const [ground] = await listDefaultServices(db)
  const same = [{ fromWeight: 1, toWeight: 70, price: 6 }]
  await setServicePrices(ctx, { defaultId: ground!.id }, same, admin)
  await confirm(sheet('costs', [GROUND, '70', 'lb', '7']))
  expect((await listDefaultServices(db))[0]).toMatchObject({ rule: null })
  expect(await priceOf(ana)).toBe(600)
})

test('the way back of a rule restores prices; that of costs restores costs and what follows', async () => {
  await confirm(costs('6.00'))
  const ruled = await confirm(rule(20))
  const raised = await confirm(costs('7.00'))
  await confirm({ kind: 'before', changeId: String(raised.id) })
  expect(await priceOf(ana)).toBe(720)
  expect((await selectCosts(db)).map(({ version, ranges }) => [version, ranges[0]!.cents])).toEqual(
    [[3, 600]],
  )
  await confirm({ kind: 'before', changeId: String(ruled.id) })
  expect(await priceOf(ana)).toBe(650)
  expect((await listPriceChanges(db, null)).map(({ kind }) => kind)).toEqual([
    'prices',
    'costs',
    'costs',
    'prices',
    'costs',
  ])
})

test('an earlier version with a rule comes back with the costs of now', async () => {
  await confirm(costs('6.00'))
  await confirm(rule(20))
  await confirm(sheet('file', [GROUND, '70', 'lb', '9']))
  await confirm(costs('7.00'))
  await confirm({ kind: 'version', uid: GROUND, version: 2 })
  expect(await priceOf(ana)).toBe(840)
})

test('own services copy the rule of the default services, so that new costs reach them', async () => {
  await confirm(costs('6.00'))
  await confirm(rule(20))
  await confirm(sheet('file', [PRIORITY, '70', 'lb', '8']), ana)
  expect((await listOwnServices(db, ana)).map(one => one.rule?.basisPoints)).toEqual([
    2_000,
    undefined,
  ])
  await confirm(costs('7.00'))
  expect(await priceOf(ana)).toBe(840)
})

test('prices below the uploaded costs are said before they count, and costs above the prices of now', async () => {
  const prices = (dollars: string) => sheet('file', [GROUND, '70', 'lb', dollars])
  expect((await draftPrices(db, null, prices('1'))).warnings).toEqual([])
  expect((await draftPrices(db, null, costs('6.20'))).warnings).toEqual([
    {
      row: 0,
      column: null,
      text: 'The price of USPS Ground Advantage is below your uploaded cost by up to $13.50 at 70 lb',
    },
  ])
  await confirm(costs('6.20'))
  expect((await draftPrices(db, null, prices('19.99'))).warnings).toMatchObject([
    {
      text: 'The price of USPS Ground Advantage is below your uploaded cost by up to $0.01 at 70 lb',
    },
  ])
  expect((await draftPrices(db, null, prices('20'))).warnings).toEqual([])
  expect((await draftPrices(db, null, rule(0))).warnings).toEqual([])
})
