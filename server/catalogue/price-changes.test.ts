import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { PRICE_COLUMNS, priceRows } from '#contract/price-file.ts'
import type { PriceSource } from '#contract/price-tables.ts'
import { auditText } from '#server/accounts/audit-text.ts'
import { updateUser } from '#server/accounts/store.ts'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import {
  applyDueChanges,
  cancelPriceChange,
  changePrices,
  listPriceChanges,
  replaceZoneMatrix,
} from './price-changes.ts'
import { draftPrices, listPricedServices } from './price-drafts.ts'
import type { PriceOwner } from './price-drafts.ts'
import {
  ensureCatalogue,
  listDefaultServices,
  listOwnServices,
  listPriceVersions,
  quoteEachShipment,
  returnToDefaults,
  setServicePrices,
  syncCatalogue,
} from './service.ts'

const database = await testDatabase()
const { db } = database
const logged: string[] = []
const note = (...words: unknown[]) => void logged.push(String(words[1]))
const ctx = { database, log: { debug: note, info: note, warn: note, error: note } }
const admin = await newUser(database, 'admin')
const ana = await newUser(database, 'ana')
const ben = await newUser(database, 'ben')

const GROUND = 'usps:GROUND_ADVANTAGE'
const PRIORITY = 'usps:PRIORITY_MAIL'
const RAW = [GROUND, PRIORITY].map(uid => ({ uid, name: uid, category: 'USPS', maxWeight: 70 }))

beforeEach(async () => {
  await database.owner.pool.query(
    'truncate price_change, price_version, user_service, default_service, zone_matrix restart identity cascade',
  )
  await ensureCatalogue(ctx, RAW)
})

const file = (...rows: string[][]): PriceSource => ({
  kind: 'file',
  fileName: 'prices.csv',
  rows: [['service', 'up_to', 'unit', 'price', 'zone_1', 'zone_8'], ...rows],
})
const flat = (price: string, uid = GROUND) => file([uid, '70', 'lb', price])
const byZone = file(
  [GROUND, '8', 'oz', '', '3.00', '4.00'],
  [GROUND, '70', 'lb', '', '5.00', '9.00'],
)

const seenOf = async (owner: PriceOwner, source: PriceSource) =>
  (await draftPrices(db, owner, source)).seen
async function confirm(
  source: PriceSource,
  { owner = null as PriceOwner, startsAt = undefined as string | undefined } = {},
) {
  const confirmed = { source, seen: await seenOf(owner, source), requestId: randomUUID() }
  return changePrices(ctx, owner, { ...confirmed, reason: 'new contract', startsAt }, admin)
}
const parcel = (service: string, weight = 5) => ({
  service,
  weight,
  fromZip: '10001',
  toZip: '90210',
})
async function priceOf(userId: number, service = GROUND, weight = 5) {
  const [quote] = await quoteEachShipment(db, userId, [parcel(service, weight)])
  return 'price' in quote! ? quote.price : quote!.reason
}
const replaceZones = (origins: Record<string, string>, reason: string, dropsPairs = false) =>
  replaceZoneMatrix(ctx, { origins, reason, dropsPairs }, admin)
const inAnHour = () => new Date(Date.now() + 3600_000).toISOString()
const makeDue = () =>
  database.owner.pool.query("update price_change set starts_at = now() - interval '1 minute'")

test('a confirmed file counts for all its services at once, with who and why', async () => {
  await confirm(file([GROUND, '70', 'lb', '7'], [PRIORITY, '70', 'lb', '11.25']))
  expect([await priceOf(ana), await priceOf(ana, PRIORITY)]).toEqual([700, 1125])
  const [ground] = await listDefaultServices(db)
  expect((await listPriceVersions(db, { defaultId: ground!.id }))[0]).toMatchObject({
    version: 2,
    reason: 'new contract',
    setBy: { id: admin },
  })
  expect(await listPriceChanges(db, null)).toMatchObject([
    { state: 'applied', fileName: 'prices.csv', reason: 'new contract', setBy: { id: admin } },
  ])
})

test('a double click changes prices once', async () => {
  const source = flat('7')
  const confirmed = {
    source,
    seen: await seenOf(null, source),
    requestId: randomUUID(),
    reason: 'twice',
  }
  const both = await Promise.all([1, 2].map(() => changePrices(ctx, null, confirmed, admin)))
  expect(both[0]!.id).toBe(both[1]!.id)
  const [ground] = await listDefaultServices(db)
  expect(await listPriceVersions(db, { defaultId: ground!.id })).toHaveLength(2)
})

test('prices that changed since the preview are not overwritten', async () => {
  const seen = await seenOf(null, flat('7'))
  const [ground] = await listDefaultServices(db)
  await setServicePrices(
    ctx,
    { defaultId: ground!.id },
    [{ fromWeight: 1, toWeight: 70, price: 8 }],
    admin,
  )
  const confirmed = { source: flat('7'), seen, requestId: randomUUID(), reason: 'late' }
  await expect(changePrices(ctx, null, confirmed, admin)).rejects.toThrow(
    'Prices have changed since this preview',
  )
  expect(await priceOf(ana)).toBe(800)
})

test('a file with a fault changes nothing, and names the row', async () => {
  const source = file([GROUND, '70', 'lb', '7'], [PRIORITY, '70', 'lb', 'x'])
  await expect(confirm(source)).rejects.toThrow("Row 3: The price is 'x'")
  expect(await priceOf(ana)).toBe(650)
})

test('prices by zone need a zone matrix, and then cost what their zone costs', async () => {
  await confirm(byZone)
  expect(await priceOf(ana)).toContain('their zone is not known')
  const zones = `${'0'.repeat(902)}8${'0'.repeat(97)}`
  const matrix = await replaceZones({ '100': zones }, 'published in July')
  expect(matrix).toMatchObject({ pairs: 1, reason: 'published in July' })
  expect([await priceOf(ana, GROUND, 0.5), await priceOf(ana)]).toEqual([400, 900])
  await replaceZones({ '100': zones.replace('8', '1') }, 'corrected')
  expect(await priceOf(ana)).toBe(500)
  await expect(replaceZones({}, 'an empty file')).rejects.toThrow(
    '1 pair of ZIP prefixes would lose their zone.',
  )
  expect(await priceOf(ana)).toBe(500)
  await replaceZones({}, 'none any more', true)
  expect(await priceOf(ana)).toContain('their zone is not known')
})

test('prices that were previewed with other zones are not confirmed', async () => {
  const seen = await seenOf(null, byZone)
  await replaceZones({ '100': `${'0'.repeat(902)}8${'0'.repeat(97)}` }, 'new zones')
  const confirmed = { source: byZone, seen, requestId: randomUUID(), reason: 'late' }
  await expect(changePrices(ctx, null, confirmed, admin)).rejects.toThrow(
    'Prices have changed since this preview',
  )
})

test('the downloaded prices are the prices, by zone too', async () => {
  await confirm(byZone)
  const rows = (await listPricedServices(db, null)).flatMap(priceRows)
  const source: PriceSource = {
    kind: 'file',
    fileName: 'again.csv',
    rows: [[...PRICE_COLUMNS], ...rows],
  }
  await expect(confirm(source)).rejects.toThrow('These are the prices of now already')
})

test('the way back sets the prices of before a change, and can be undone itself', async () => {
  const change = await confirm(byZone)
  const back = await confirm({ kind: 'before', changeId: String(change.id) })
  expect(await priceOf(ana)).toBe(650)
  await confirm({ kind: 'before', changeId: String(back.id) })
  expect((await listDefaultServices(db))[0]!.table!.steps).toHaveLength(2)
  await confirm({ kind: 'version', uid: GROUND, version: 1 })
  expect(await priceOf(ana)).toBe(650)
})

test('scheduled prices count from their moment on, and not before', async () => {
  await confirm(flat('7'), { startsAt: inAnHour() })
  await applyDueChanges(ctx)
  expect(await priceOf(ana)).toBe(650)
  await makeDue()
  await Promise.all([applyDueChanges(ctx), applyDueChanges(ctx)])
  expect(await priceOf(ana)).toBe(700)
  const [ground] = await listDefaultServices(db)
  expect(await listPriceVersions(db, { defaultId: ground!.id })).toHaveLength(2)
})

test('scheduled prices count when who set them is no administrator any more; the audit says whose schedule it was', async () => {
  const change = await confirm(flat('7'), { startsAt: inAnHour() })
  await database.tx(tx => updateUser(tx, admin, { role: 'user', activation: 'block' }))
  await makeDue()
  await applyDueChanges(ctx)
  await database.tx(tx => updateUser(tx, admin, { role: 'admin', activation: 'allow' }))
  expect(await priceOf(ana)).toBe(700)
  const [listed] = await listPriceChanges(db, null)
  expect(listed).toMatchObject({ state: 'applied', setBy: { id: admin } })
  const { rows } = await database.pool.query(
    'select action, actor_id, detail from audit_entry order by id desc limit 1',
  )
  const [{ action, actor_id: actorId, detail }] = rows
  expect([actorId, auditText(action, detail)]).toEqual([
    admin,
    `Changed the prices of ${GROUND} from prices.csv, by the schedule of ${change.createdAt.toISOString()}: new contract`,
  ])
})

test('canceled prices never count; prices that count already cannot be canceled', async () => {
  const scheduled = await confirm(flat('7'), { startsAt: inAnHour() })
  expect(await cancelPriceChange(ctx, scheduled.id, admin)).toMatchObject({ state: 'canceled' })
  expect(await cancelPriceChange(ctx, scheduled.id, admin)).toMatchObject({ state: 'canceled' })
  await makeDue()
  await applyDueChanges(ctx)
  expect(await priceOf(ana)).toBe(650)
  const applied = await confirm(flat('7'))
  await expect(cancelPriceChange(ctx, applied.id, admin)).rejects.toThrow('no longer scheduled')
})

test('scheduled prices that no longer fit the carrier’s limit are refused with the reason', async () => {
  await confirm(flat('7'), { startsAt: inAnHour() })
  await syncCatalogue(
    ctx,
    RAW.map(raw => ({ ...raw, maxWeight: 50 })),
    admin,
  )
  await makeDue()
  await applyDueChanges(ctx)
  const [change] = await listPriceChanges(db, null)
  expect(change).toMatchObject({
    state: 'failed',
    failure: expect.stringContaining('end at 70 lb, and it takes 50 lb now'),
  })
  expect((await listDefaultServices(db))[0]!.ranges[0]!.cents).toBe(650)
})

test('a scheduled change that meets an unexpected error does not stop those after it', async () => {
  const broken = await confirm(flat('8'), { startsAt: inAnHour() })
  await database.owner.pool.query('update price_change set content = $2 where id = $1', [
    broken.id,
    JSON.stringify([{ uid: 'no such service', ranges: [], table: null }]),
  ])
  await confirm(flat('7'), { startsAt: inAnHour() })
  await makeDue()
  await applyDueChanges(ctx)
  expect(await priceOf(ana)).toBe(700)
  expect(logged).toEqual(['scheduled prices were not applied'])
  expect((await listPriceChanges(db, null)).map(({ state }) => state)).toEqual([
    'applied',
    'scheduled',
  ])
})

test('a user who returns to the defaults stays there: scheduled prices of their own are canceled', async () => {
  await confirm(flat('4.20'), { owner: ana })
  await confirm(flat('5'), { owner: ana, startsAt: inAnHour() })
  await confirm(flat('6'), { owner: ben, startsAt: inAnHour() })
  await returnToDefaults(ctx, ana, admin)
  await makeDue()
  await applyDueChanges(ctx)
  expect([await priceOf(ana), await priceOf(ben)]).toEqual([650, 600])
  expect(await listOwnServices(db, ana)).toEqual([])
  expect((await listPriceChanges(db, ana))[0]).toMatchObject({
    state: 'canceled',
    endedBy: { id: admin },
  })
})

test('a day that has begun is refused', async () => {
  await expect(confirm(flat('7'), { startsAt: '2026-01-01T00:00:00Z' })).rejects.toThrow(
    'The day has begun',
  )
})

test('prices of one user leave the others at the defaults', async () => {
  await confirm(flat('4.20'), { owner: ana })
  expect([await priceOf(ana), await priceOf(ben)]).toEqual([420, 650])
  expect((await listOwnServices(db, ana)).map(({ uid }) => uid)).toEqual([GROUND, PRIORITY])
  await confirm(flat('9'))
  expect([await priceOf(ana), await priceOf(ben)]).toEqual([420, 900])
  const [change] = await listPriceChanges(db, ana)
  await confirm({ kind: 'before', changeId: String(change!.id) }, { owner: ana })
  expect(await priceOf(ana)).toBe(650)
})

test('a user who gets the defaults copied has their zone prices too', async () => {
  await confirm(byZone)
  await confirm(flat('7', PRIORITY), { owner: ana })
  const own = await listOwnServices(db, ana)
  expect(own.find(({ uid }) => uid === GROUND)!.table!.steps).toHaveLength(2)
})
