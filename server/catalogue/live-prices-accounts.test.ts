/** The carrier's quote with two accounts: main tells $6.90, backup $7.15. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { setServiceSources } from '#contract/carriers.ts'
import { placeOrder, quotePrice } from '#contract/orders.ts'
import { pause } from '#server/carriers/budget-store.ts'
import { carrierAccount } from '#server/carriers/open.ts'
import { testApp } from '#tests/support/app.ts'
import { LIVE_UID, withLiveService } from '#tests/support/live-service.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { openTwoAccounts } from '#tests/support/two-accounts.ts'

const { main, backup, env, close } = await openTwoAccounts()
afterAll(close)
const app = await testApp({ env })
const { admin, customer } = await withLiveService(app)
const ana = await customer()

// Cost + 20% + $0.50, up to a price that ends in 9.
const OF_MAIN = 8.79
const OF_BACKUP = 9.09

const sellThrough = async (first: string, second: string | null) => {
  const body = { uid: LIVE_UID, sources: { first, second } }
  expect((await app.call(setServiceSources, { body }, admin.token)).status).toBe(200)
}
beforeEach(() => sellThrough('main', 'backup'))

const priceOf = async (weight = 2) => {
  const shipment = {
    service_name: LIVE_UID,
    package: { package_weight: weight, package_length: 9, package_width: 6, package_height: 3 },
    sender: { sender_zip_postal: '78701' },
    receiver: { receiver_zip_postal: '93701' },
  }
  const body = { userId: ana.user._id, shipments: [shipment], each: true }
  const { status, body: answer } = await app.call(quotePrice, { body }, ana.token)
  expect(status).toBe(200)
  return answer.prices![0]
}
const order = (agreed: number) =>
  app.call(
    placeOrder,
    { body: { ...singleOrderBody(ana.user._id), agreed_price: agreed } },
    ana.token,
  )
/** A problem of the account pauses it, as a purchase that it refuses does. */
const mainIsDown = () =>
  app.database.tx(tx =>
    pause(tx, carrierAccount(app.ctx.config.carrierAccounts[0]), 30_000, 'No money left'),
  )
const mainWorksAgain = () => app.database.owner.pool.query('delete from carrier_budget')

test('the account that sells the service is asked what a parcel costs', async () => {
  expect(await priceOf()).toEqual({ price: OF_MAIN })
  await sellThrough('backup', null)
  expect(await priceOf()).toEqual({ price: OF_BACKUP })
})

test('while the first account is down the second tells the price, and it is the price that is paid', async () => {
  await mainIsDown()
  expect(await priceOf()).toEqual({ price: OF_BACKUP })
  await mainWorksAgain()
  expect(await priceOf()).toEqual({ price: OF_BACKUP })
  expect((await order(OF_BACKUP)).body.data).toMatchObject({ price: OF_BACKUP })
  expect([...main.shipments.values()].some(one => one.purchasedLevel !== null)).toBe(true)
  expect(backup.labels).toHaveLength(0)
  expect(await priceOf(3)).toEqual({ price: OF_MAIN })
})

test('what the first account has told is paid while the second one sells', async () => {
  expect(await priceOf()).toEqual({ price: OF_MAIN })
  await mainIsDown()
  expect(await priceOf(3)).toEqual({ price: OF_BACKUP })
  expect((await order(OF_MAIN)).body.data).toMatchObject({ price: OF_MAIN })
  expect(backup.labels).toHaveLength(1)
})

test('without a second account the first one is still asked while purchases wait for it', async () => {
  await sellThrough('main', null)
  await mainIsDown()
  await app.database.owner.pool.query('update carrier_budget set tokens = 100000')
  expect(await priceOf()).toEqual({ price: OF_MAIN })
})

test('a price of the second account is paid although the first one had refused the parcel', async () => {
  await priceOf()
  await app.database.owner.pool.query(
    `update carrier_quote set cost_cents = null, reason = 'No such route', expires_at = now() + interval '5 minutes'`,
  )
  expect(await priceOf()).toMatchObject({ code: 'carrier_price_missing' })
  await mainIsDown()
  expect(await priceOf()).toEqual({ price: OF_BACKUP })
  await mainWorksAgain()
  expect(await priceOf()).toEqual({ price: OF_BACKUP })
  expect((await order(OF_BACKUP)).body.data).toMatchObject({ price: OF_BACKUP })
})
