import { beforeEach, expect, test } from 'vitest'
import type { RawService } from '#contract/catalogue.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import {
  listAvailableServices,
  listDefaultServices,
  ensureCatalogue,
  firstCatalogueWarning,
  copyDefaultsToUser,
  listOwnServices,
  priceList,
  quoteShipments,
  setServiceEnabled,
  renameService,
  returnToDefaults,
  setServicePrices,
  syncCatalogue,
  listPriceVersions,
} from './service.ts'

const database = await testDatabase()
const { db } = database
const ctx = { database }
const admin = await newUser(database, 'admin')
const operator: Caller = {
  userId: admin,
  role: 'admin',
  sessionId: 0,
  impersonatorId: null,
  key: null,
}

const raw = (uid: string, name: string): RawService => ({
  uid: `usps:${uid}`,
  name,
  category: 'Domestic',
  maxWeight: 70,
})
const RAW = [
  raw('GROUND_ADVANTAGE', 'Ground Advantage'),
  raw('PRIORITY_MAIL', 'Priority Mail'),
  raw('PRIORITY_MAIL_EXPRESS', 'Priority Mail Express'),
]
const MEDIA = raw('MEDIA_MAIL', 'Media Mail')
const flat = (price: number) => [{ fromWeight: 1, toWeight: 70, price }]

let users = 0
const someone = () => newUser(database, `user${++users}`)
const priceOf = (userId: number, name = 'usps:GROUND_ADVANTAGE') =>
  quoteShipments(db, userId, [{ service: name, weight: 5 }])
const ground = async () =>
  (await listDefaultServices(db)).find(service => service.uid === 'usps:GROUND_ADVANTAGE')!

beforeEach(async () => {
  await database.owner.pool.query(
    'truncate price_version, user_service, default_service restart identity cascade',
  )
  await ensureCatalogue(ctx, RAW)
})

test('the first start fills the catalogue, and later starts do not change it', async () => {
  await renameService(ctx, { defaultId: (await ground()).id }, 'Slow Boat', admin)
  await Promise.all([ensureCatalogue(ctx, RAW), ensureCatalogue(ctx, [...RAW, MEDIA])])
  const inSale = { enabled: true, offered: true, maxWeight: 70 }
  expect(await listDefaultServices(db)).toMatchObject([
    {
      uid: 'usps:GROUND_ADVANTAGE',
      name: 'Slow Boat',
      ...inSale,
      ranges: [{ from: 1, to: 70, cents: 650 }],
    },
    {
      uid: 'usps:PRIORITY_MAIL',
      name: 'USPS Priority Mail',
      ...inSale,
      ranges: [{ from: 1, to: 70, cents: 950 }],
    },
    {
      uid: 'usps:PRIORITY_MAIL_EXPRESS',
      name: 'USPS Priority Mail Express',
      ...inSale,
      ranges: [{ from: 1, to: 70, cents: 2900 }],
    },
  ])
})

test('two processes that start at once fill an empty catalogue once', async () => {
  await database.owner.pool.query('truncate price_version, user_service, default_service cascade')
  await Promise.all([
    ensureCatalogue(ctx, RAW),
    ensureCatalogue(ctx, RAW),
    ensureCatalogue(ctx, RAW),
  ])
  expect(await listDefaultServices(db)).toHaveLength(3)
  const { rows } = await database.pool.query('select count(*) as n from price_version')
  expect(rows).toEqual([{ n: 3 }])
})

test('a user without own services has the current defaults', async () => {
  const ana = await someone()
  expect(await listOwnServices(db, ana)).toEqual([])
  expect(await priceOf(ana)).toBe(650)
  await setServicePrices(ctx, { defaultId: (await ground()).id }, flat(7), admin)
  expect(await priceOf(ana)).toBe(700)
  await setServiceEnabled(ctx, { defaultId: (await ground()).id }, false, admin)
  expect((await listAvailableServices(db, ana)).map(service => service.name)).toEqual([
    'USPS Priority Mail',
    'USPS Priority Mail Express',
  ])
  await expect(priceOf(ana)).rejects.toThrow(
    "Service 'USPS Ground Advantage' is not available right now",
  )
})

test('own services keep their names, switches and prices when the defaults change', async () => {
  const [ana, ben] = [await someone(), await someone()]
  const [own] = await copyDefaultsToUser(ctx, ana, operator)
  await setServicePrices(ctx, { defaultId: (await ground()).id }, flat(8), admin)
  await renameService(ctx, { defaultId: (await ground()).id }, 'Renamed', admin)
  await setServiceEnabled(ctx, { defaultId: (await ground()).id }, false, admin)
  expect(await priceOf(ana)).toBe(650)
  expect((await priceList(db, ana)).find('USPS Ground Advantage')).toMatchObject({
    uid: 'usps:GROUND_ADVANTAGE',
    enabled: true,
    offered: true,
  })

  const target = { userId: ana, serviceId: own!.id }
  await setServicePrices(ctx, target, flat(4.2), admin)
  await renameService(ctx, target, 'Ana’s Ground', admin)
  expect(await quoteShipments(db, ana, [{ service: 'ana’s ground', weight: 70 }])).toBe(420)
  await setServiceEnabled(ctx, target, false, admin)
  await expect(priceOf(ana)).rejects.toThrow('is not available')
  expect((await priceList(db, ben)).find('Ana’s Ground')).toBeUndefined()
  expect(await priceOf(ben, 'usps:PRIORITY_MAIL')).toBe(950)
})

test('a user returns to the default services, and later own services begin from them', async () => {
  const ana = await someone()
  const [own] = await copyDefaultsToUser(ctx, ana, operator)
  const target = { userId: ana, serviceId: own!.id }
  await setServicePrices(ctx, target, flat(4.2), admin)
  await renameService(ctx, target, 'Ana’s Ground', admin)

  await returnToDefaults(ctx, ana, admin)
  await returnToDefaults(ctx, ana, admin)
  expect(await listOwnServices(db, ana)).toEqual([])
  expect(await priceOf(ana)).toBe(650)
  await expect(setServicePrices(ctx, target, flat(1), admin)).rejects.toThrow('not found')
  await setServicePrices(ctx, { defaultId: (await ground()).id }, flat(8), admin)
  expect(await priceOf(ana)).toBe(800)
  await syncCatalogue(ctx, [...RAW, MEDIA], admin)
  expect(await listOwnServices(db, ana)).toEqual([])

  const [again] = await copyDefaultsToUser(ctx, ana, operator)
  expect(again).toMatchObject({ id: own!.id, name: 'USPS Ground Advantage' })
  expect(await priceOf(ana)).toBe(800)
  expect(await listOwnServices(db, ana)).toHaveLength(4)
  const versions = await listPriceVersions(db, target)
  expect(versions.map(({ version, ranges }) => [version, ranges[0]!.cents])).toEqual([
    [3, 800],
    [2, 420],
    [1, 650],
  ])
})

test('simultaneous requests create own services once', async () => {
  const ana = await someone()
  const sets = await Promise.all([1, 2, 3, 4].map(() => copyDefaultsToUser(ctx, ana, operator)))
  for (const set of sets) expect(set).toEqual(sets[0])
  expect(await listOwnServices(db, ana)).toHaveLength(3)
  const { rows } = await database.pool.query(
    'select version, set_by from price_version where user_service_id is not null',
  )
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ version: 1, set_by: admin })))
})

test('an unknown user gets no own services', async () => {
  await expect(copyDefaultsToUser(ctx, 999_999, operator)).rejects.toThrow('User not found')
})

test('a customer cannot freeze today’s prices by requesting own services', async () => {
  const ana = await someone()
  for (const caller of [
    { role: 'user', impersonatorId: null, key: null },
    { role: 'user', impersonatorId: admin, key: null },
  ] as const) {
    const shown = await copyDefaultsToUser(ctx, ana, { userId: ana, sessionId: 0, ...caller })
    expect(shown.map(service => service.ranges[0]!.cents)).toEqual([650, 950, 2900])
  }
  expect(await listOwnServices(db, ana)).toEqual([])
  await setServicePrices(ctx, { defaultId: (await ground()).id }, flat(8), admin)
  expect(await priceOf(ana)).toBe(800)
})

test('services of a deleted user are neither shown nor changed, and a sync adds none', async () => {
  const ana = await someone()
  const [own] = await copyDefaultsToUser(ctx, ana, operator)
  await database.pool.query(`update app_user set deleted_at = now() where id = ${ana}`)
  const target = { userId: ana, serviceId: own!.id }
  for (const asked of [
    () => listOwnServices(db, ana),
    () => listAvailableServices(db, ana),
    () => listPriceVersions(db, target),
    () => copyDefaultsToUser(ctx, ana, operator),
    () => setServicePrices(ctx, target, flat(1), admin),
    () => renameService(ctx, target, 'Gone', admin),
    () => setServiceEnabled(ctx, target, false, admin),
  ])
    await expect(asked()).rejects.toThrow('User not found')
  await syncCatalogue(ctx, [...RAW, MEDIA], admin)
  const { rows } = await database.pool.query(
    `select count(*) as n from user_service where user_id = ${ana}`,
  )
  expect(rows).toEqual([{ n: 3 }])
})

test('every price version records who set it and when; saving the same prices adds none', async () => {
  const target = { defaultId: (await ground()).id }
  for (const price of [7, 7, 7.5]) await setServicePrices(ctx, target, flat(price), admin)
  const versions = await listPriceVersions(db, target)
  expect(versions.map(({ version, ranges, setBy }) => [version, ranges[0]!.cents, setBy])).toEqual([
    [3, 750, { id: admin, name: 'admin' }],
    [2, 700, { id: admin, name: 'admin' }],
    [1, 650, null],
  ])
  expect(versions[0]!.createdAt.getTime()).toBeGreaterThanOrEqual(versions[2]!.createdAt.getTime())
  await expect(database.owner.pool.query('update price_version set version = 9')).rejects.toThrow(
    'never changed',
  )
  await expect(listPriceVersions(db, { defaultId: 999_999 })).rejects.toThrow('Service not found')
})

test('own price versions begin with the copy and belong to one user', async () => {
  const [ana, ben] = [await someone(), await someone()]
  const [own] = await copyDefaultsToUser(ctx, ana, operator)
  const target = { userId: ana, serviceId: own!.id }
  await setServicePrices(ctx, target, flat(4), admin)
  expect(
    (await listPriceVersions(db, target)).map(({ version, ranges }) => [version, ranges[0]!.cents]),
  ).toEqual([
    [2, 400],
    [1, 650],
  ])
  await expect(listPriceVersions(db, { ...target, userId: ben })).rejects.toThrow(
    'Service not found',
  )
})

test('prices saved at the same moment all become versions, and the list shows one of them', async () => {
  const target = { defaultId: (await ground()).id }
  await Promise.all([1, 2, 3, 4, 5].map(price => setServicePrices(ctx, target, flat(price), admin)))
  const { rows } = await database.pool.query(
    `select version from price_version where default_id = ${target.defaultId} order by version`,
  )
  expect(rows.map(row => row.version)).toEqual([1, 2, 3, 4, 5, 6])
})

test('prices that changed in the meantime are not overwritten', async () => {
  const target = { defaultId: (await ground()).id }
  await setServicePrices(ctx, target, flat(5), admin)
  await setServicePrices(ctx, target, flat(6), admin, flat(5))
  await expect(setServicePrices(ctx, target, flat(7), admin, flat(5))).rejects.toThrow(
    'have changed in the meantime, to 1 to 70 lb $6.00. Nothing was saved.',
  )
  expect((await setServicePrices(ctx, target, flat(7), admin, flat(6))).ranges).toEqual([
    { from: 1, to: 70, cents: 700 },
  ])
  // A second click on the same save is not a conflict.
  await setServicePrices(ctx, target, flat(7), admin, flat(6))
})

test('invalid prices change nothing', async () => {
  const target = { defaultId: (await ground()).id }
  await expect(
    setServicePrices(ctx, target, [{ fromWeight: 1, toWeight: 69, price: 1 }], admin),
  ).rejects.toThrow('Invalid price ranges.')
  expect((await ground()).ranges).toEqual([{ from: 1, to: 70, cents: 650 }])
})

test('a sync adds new services, marks vanished ones and keeps edits', async () => {
  const ana = await someone()
  await copyDefaultsToUser(ctx, ana, operator)
  await renameService(ctx, { defaultId: (await ground()).id }, 'Economy', admin)
  await setServicePrices(ctx, { defaultId: (await ground()).id }, flat(3.5), admin)

  const [first, , ...rest] = RAW
  const list = await syncCatalogue(ctx, [{ ...first!, category: 'Economy' }, ...rest, MEDIA], admin)
  expect(list).toMatchObject([
    {
      name: 'Economy',
      category: 'Economy',
      offered: true,
      enabled: true,
      ranges: [{ cents: 350 }],
    },
    {
      name: 'USPS Priority Mail',
      category: 'Domestic',
      offered: false,
      enabled: true,
      ranges: [{ cents: 950 }],
    },
    {
      name: 'USPS Priority Mail Express',
      category: 'Domestic',
      offered: true,
      enabled: true,
      ranges: [{ cents: 2900 }],
    },
    { name: 'Media Mail', category: 'Domestic', offered: true, enabled: false, ranges: [] },
  ])
  expect((await listOwnServices(db, ana)).map(service => service.name)).toEqual([
    'USPS Ground Advantage',
    'USPS Priority Mail',
    'USPS Priority Mail Express',
    'Media Mail',
  ])
  expect((await listAvailableServices(db, ana)).map(service => service.uid)).toEqual([
    'usps:GROUND_ADVANTAGE',
    'usps:PRIORITY_MAIL_EXPRESS',
  ])

  expect((await syncCatalogue(ctx, RAW, admin)).map(service => service.offered)).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(await priceOf(ana, 'usps:PRIORITY_MAIL')).toBe(950)
})

test('an empty list from the carrier changes nothing', async () => {
  await expect(syncCatalogue(ctx, [], admin)).rejects.toThrow('The carrier returned no services')
  expect((await listDefaultServices(db)).every(service => service.offered)).toBe(true)
})

test('a service without prices cannot be enabled', async () => {
  const media = (await syncCatalogue(ctx, [...RAW, MEDIA], admin)).at(-1)!
  await expect(setServiceEnabled(ctx, { defaultId: media.id }, true, admin)).rejects.toThrow(
    'Set prices for Media Mail before you enable it',
  )
  await setServicePrices(ctx, { defaultId: media.id }, flat(4), admin)
  expect(await setServiceEnabled(ctx, { defaultId: media.id }, true, admin)).toMatchObject({
    enabled: true,
  })
  expect(await priceOf(await someone(), 'Media Mail')).toBe(400)
})

test('a service of another user is not found', async () => {
  const [ana, ben] = [await someone(), await someone()]
  const [own] = await copyDefaultsToUser(ctx, ana, operator)
  for (const serviceId of [own!.id, 999_999]) {
    await expect(renameService(ctx, { userId: ben, serviceId }, 'Mine', admin)).rejects.toThrow(
      'Service not found',
    )
  }
  expect((await listOwnServices(db, ana))[0]!.name).toBe('USPS Ground Advantage')
})

test('live sales at the first prices are warned of until a price is set', async () => {
  await ensureCatalogue(ctx, RAW)
  expect(await firstCatalogueWarning(database, 'live')).toContain('Set your prices')
  expect(await firstCatalogueWarning(database, 'sandbox')).toBeNull()
  const { id } = await ground()
  await setServicePrices(ctx, { defaultId: id }, flat(12), admin)
  expect(await firstCatalogueWarning(database, 'live')).toBeNull()
})
