import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { defaultServices } from '#contract/catalogue.ts'
import { orderDetails } from '#contract/orders-admin.ts'
import { placeOrder } from '#contract/orders.ts'
import {
  changePrices,
  checkServiceCosts,
  previewPrices,
  serviceCosts,
} from '#contract/price-tables.ts'
import type { PriceSource } from '#contract/price-tables.ts'
import { findPause } from '#server/carriers/budget-store.ts'
import { openPurchasing } from '#server/purchasing/open.ts'
import { testApp } from '#tests/support/app.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { checkCosts } from './cost-check.ts'

const app = await testApp()
const admin = await app.admin()
const UID = 'usps:PRIORITY_MAIL'

async function confirm(source: PriceSource) {
  const { body: preview } = await app.call(previewPrices, { body: { source } }, admin.token)
  const body = { source, seen: preview.seen, requestId: randomUUID(), reason: 'contract' }
  const set = await app.call(changePrices, { body }, admin.token)
  expect(set.status, set.body.message).toBe(200)
  return preview
}
const costs = (dollars: string): PriceSource => ({
  kind: 'costs',
  fileName: 'costs.csv',
  rows: [
    ['service', 'up_to', 'unit', 'price'],
    [UID, '70', 'lb', dollars],
  ],
})
const check = (uid = UID) => app.call(checkServiceCosts, { body: { uid } }, admin.token)
const percent = (percentage: number): PriceSource => ({
  kind: 'rule',
  uid: UID,
  rule: { percent: percentage, fixed: 0.5, floor: 0, rounding: 'nine' },
})

test('a label is charged by its rule and keeps its version, and the carrier is asked what it costs now', async () => {
  expect((await confirm(costs('6.20'))).costs).toEqual([
    { name: 'USPS Priority Mail', before: 'none', after: '1 to 70 lb $6.20' },
  ])
  await confirm(percent(20))
  const ana = await app.register()
  await app.creditDollars(ana.user._id, 100)
  const bought = await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
  expect(bought.body.data.price).toBe(7.99)
  await confirm(costs('9'))
  const { rows } = await app.database.pool.query(
    `select o.price_cents, p.version, p.rule, c.version as costs from shipment_order o
       join price_version p on p.id = o.price_version_id join cost_version c on c.id = p.cost_version_id
       where o.id = $1`,
    [bought.body.data.orderId],
  )
  expect(rows).toEqual([
    {
      price_cents: 799,
      version: 2,
      rule: { basisPoints: 2_000, fixedCents: 50, floorCents: 0, rounding: 'nine' },
      costs: 1,
    },
  ])
  const { body: details } = await app.call(
    orderDetails,
    { params: { orderId: bought.body.data.orderId } },
    admin.token,
  )
  expect(details.timeline.find(({ kind }) => kind === 'ordered')!.detail).toBe(
    'Default prices, version 2: Cost + 20% + $0.50, up to a price that ends in 9',
  )
  const { body: known } = await app.call(serviceCosts, {}, admin.token)
  expect(known).toMatchObject([{ uid: UID, version: 2, prices: [{ price: 9 }] }])
  const { body: services } = await app.call(defaultServices, {}, admin.token)
  expect(services.find(({ uid }) => uid === UID)).toMatchObject({
    rule: { percent: 20, fixed: 0.5, floor: 0, rounding: 'nine' },
    prices: [{ price: 11.39 }],
  })

  const { body: checks } = await check()
  expect(checks).toHaveLength(1)
  expect(checks[0]).toMatchObject({ known: 9, reason: null })
  // The sandbox charges the same each time.
  expect(checks[0]!.now).toBe(checks[0]!.charged)
})

test('a carrier that asks for a pause gets one, and is not asked about the other labels', async () => {
  const ana = await app.register()
  await app.creditDollars(ana.user._id, 100)
  for (let n = 0; n < 2; n++)
    await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
  let asked = 0
  const { carrier } = openPurchasing(app.ctx)
  const quote = async () => {
    asked++
    const [kind, message] = ['retryable', 'Too many requests'] as const
    return { ok: false, kind, code: '429', message, retryAfterMs: 60_000 } as const
  }
  const rateLimit = { perMinute: 60, burst: 60 }
  const ctx = { ...app.ctx, carrier: { ...carrier, account: 'quotes:1', rateLimit, quote } }
  const checks = await checkCosts(ctx, UID)
  expect(checks.length).toBeGreaterThan(1)
  expect(checks.every(({ now, reason }) => now === null && reason === 'Too many requests')).toBe(
    true,
  )
  expect(asked).toBe(1)
  expect((await findPause(app.database.db, 'quotes:1'))?.until).toBeInstanceOf(Date)
})

test('a service without labels has nothing to ask about, and an unknown one is refused', async () => {
  expect((await check('usps:PRIORITY_MAIL_EXPRESS')).body).toEqual([])
  expect((await check('usps:NOTHING')).status).toBe(404)
})
