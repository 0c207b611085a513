/** A shipment has one live label at most, also when clicks and crashes come together. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { sandboxPurchases } from '#contract/carriers.ts'
import { defaultServices, toggleDefaultService } from '#contract/catalogue.ts'
import { listOrders, totalOrders } from '#contract/orders.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { easypostClient, SHIPMENT, TO_ADDRESS } from '#tests/support/easypost-client.ts'
import { dropDraftsAfterRestore } from './after-restore.ts'
import { closeRatesOfOpen } from './shipment-store.ts'

const app = await testApp()
const admin = await app.admin()

async function seller(dollars = 100) {
  const user = await app.register()
  await app.creditDollars(user.user._id, dollars)
  return { user, client: await easypostClient(app, user) }
}
const balance = async ({ token }: TestUser): Promise<number> =>
  (await app.call(verifySession, {}, token)).body.user.balance
const ordersOf = async ({ user, token }: TestUser): Promise<number> =>
  (await app.call(totalOrders, { params: { userId: user._id } }, token)).body.totalOrders
/** How many labels the carrier has sold for all orders of a user. */
async function soldTo({ user, token }: TestUser): Promise<number> {
  const params = { userId: user._id }
  const { orders } = (await app.call(listOrders, { params, query: {} }, token)).body
  let sold = 0
  for (const { _id: reference } of orders)
    sold += (await app.call(sandboxPurchases, { query: { reference } }, admin.token)).body.purchases
      .length
  return sold
}
const codeOf = (work: Promise<{ tracking_code: string }>): Promise<string> =>
  work.then(
    ({ tracking_code: code }) => (code ? 'bought' : 'nothing'),
    (error: { code: string }) => error.code,
  )
const to = (changes: object) => ({ ...SHIPMENT, to_address: { ...TO_ADDRESS, ...changes } })

test('of 100 purchases of a shipment at the same time one buys, and the others are told so', async () => {
  const { user, client } = await seller(1_000)
  const shipment = await client.Shipment.create(to({ name: 'Hundred Fold' }))
  // On a slow machine so many calls of one user wait for each other, or for the carrier, for too long; those are repeated.
  let repeats = 0
  const buy = async (rate: object): Promise<string> => {
    for (;;) {
      const code = await codeOf(client.Shipment.buy(shipment.id, rate))
      if (!['RATE_LIMITED', 'SHIPMENT.POSTAGE.TIMED_OUT'].includes(code)) return code
      if (++repeats > 1_000) return code
      await wait(100)
    }
  }
  const codes = await Promise.all(Array.from({ length: 100 }, (_, n) => buy(shipment.rates[n % 3])))
  const bought = codes.filter(code => code === 'bought')
  // What was repeated may be the one that had bought the label.
  expect(bought.length).toBeLessThanOrEqual(1)
  if (repeats === 0) expect(bought).toHaveLength(1)
  expect(new Set(codes)).toEqual(new Set([...bought, 'SHIPMENT.POSTAGE.EXISTS']))
  expect(await ordersOf(user)).toBe(1)
  expect(await soldTo(user)).toBe(1)
  const { selected_rate: rate } = await client.Shipment.retrieve(shipment.id)
  expect(await balance(user)).toBe(1_000 - Number(rate.rate))
})

test('after a refusal by the carrier the shipment can be bought again, and only then', async () => {
  const { user, client } = await seller()
  const shipment = await client.Shipment.create(to({ street2: 'SANDBOX REFUSE' }))
  const buy = () => codeOf(client.Shipment.buy(shipment.id, shipment.rates[0]))
  expect(await buy()).toBe('SHIPMENT.POSTAGE.FAILURE')
  const refused = await client.Shipment.retrieve(shipment.id)
  expect(refused).toMatchObject({
    tracking_code: null,
    selected_rate: null,
    messages: [{ type: 'purchase_error' }],
  })
  expect(await balance(user)).toBe(100)
  // Each try is an order of its own.
  expect(await Promise.all([buy(), buy(), buy()])).toEqual(
    Array(3).fill('SHIPMENT.POSTAGE.FAILURE'),
  )
  expect(await balance(user)).toBe(100)
  expect(await ordersOf(user)).toBeGreaterThanOrEqual(2)
})

test('a draft of a restored backup, which may have been bought since, is gone; what was bought stays', async () => {
  const { client } = await seller()
  const [draft, shipment] = [
    await client.Shipment.create(SHIPMENT),
    await client.Shipment.create({ ...SHIPMENT, service: 'Priority' }),
  ]
  await app.database.tx(dropDraftsAfterRestore)
  expect(await codeOf(client.Shipment.buy(draft.id, draft.rates[0]))).toBe('NOT_FOUND')
  expect((await client.Shipment.retrieve(shipment.id)).id).toBe(shipment.id)
})

test('a shipment of a restored backup whose order failed, or fails later, is not bought again', async () => {
  const { user, client } = await seller()
  const shipment = await client.Shipment.create(to({ street2: 'SANDBOX REFUSE' }))
  const buy = () => codeOf(client.Shipment.buy(shipment.id, shipment.rates[0]))
  expect(await buy()).toBe('SHIPMENT.POSTAGE.FAILURE')
  // As if its order had been open in the backup, and had failed in the look-ups.
  await app.database.tx(closeRatesOfOpen)
  expect(await buy()).toBe('SHIPMENT.RATE.UNKNOWN')
  expect((await client.Shipment.regenerateRates(shipment.id)).rates).toEqual([])
  expect(await ordersOf(user)).toBe(1)
  await app.database.tx(dropDraftsAfterRestore)
  expect(await buy()).toBe('NOT_FOUND')
})

test('a repeated purchase in one call with the same Idempotency-Key is one label', async () => {
  const { user } = await seller()
  const send = (shipment: object = {}) =>
    app.send({
      method: 'POST',
      url: '/v2/shipments',
      headers: { token: user.token, 'idempotency-key': 'order-1001' },
      payload: { shipment: { ...SHIPMENT, service: 'Priority', ...shipment } },
    })
  const answers = await Promise.all([send(), send(), send()])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
  const ids = answers.map(one => one.json<{ id: string; tracking_code: string }>())
  expect(new Set(ids.map(one => `${one.id} ${one.tracking_code}`)).size).toBe(1)
  expect((await send({ reference: 'another' })).statusCode).toBe(409)
  expect(await soldTo(user)).toBe(1)
})

test('an Idempotency-Key that is too long is refused instead of taken for that of another order', async () => {
  const { user } = await seller()
  const send = (end: string) =>
    app.send({
      method: 'POST',
      url: '/v2/shipments',
      headers: { token: user.token, 'idempotency-key': 'k'.repeat(199) + end },
      payload: { shipment: { ...SHIPMENT, service: 'Priority' } },
    })
  expect((await send('1')).statusCode).toBe(201)
  for (const end of ['1 of Monday', '1 of Tuesday']) {
    const refused = await send(end)
    expect([refused.statusCode, refused.json().error.errors[0].field]).toEqual([
      422,
      'Idempotency-Key',
    ])
  }
  expect(await soldTo(user)).toBe(1)
})

test('a repeat with the same Idempotency-Key finds the label, also when its service is no more for sale', async () => {
  const { user, client } = await seller()
  const send = (shipment: object = {}) =>
    app.send({
      method: 'POST',
      url: '/v2/shipments',
      headers: { token: user.token, 'idempotency-key': 'order-1002' },
      payload: { shipment: { ...SHIPMENT, service: 'Priority', ...shipment } },
    })
  const first = await send()
  const services = (await app.call(defaultServices, {}, admin.token)).body
  const { _id: id } = services.find(({ uid }) => uid === 'usps:PRIORITY_MAIL')!
  const sell = async (enabled: boolean) => {
    const input = { params: { id }, body: { enabled } }
    expect((await app.call(toggleDefaultService, input, admin.token)).status).toBe(200)
  }
  await sell(false)
  const [again, another] = [await send(), await send({ reference: 'another' })]
  await sell(true)
  expect([again.statusCode, again.json().id]).toEqual([201, first.json().id])
  expect(another.statusCode).toBe(409)
  expect((await client.Shipment.all({ purchased: false })).shipments).toHaveLength(1)
  expect(await soldTo(user)).toBe(1)
})

test('while the answer of the carrier is open no second label is bought, and the shipment tells later', async () => {
  const { user, client } = await seller()
  const shipment = await client.Shipment.create(to({ name: 'Open Answer' }))
  app.carrier.losesResponses = true
  const first = codeOf(client.Shipment.buy(shipment.id, shipment.rates[0]))
  // Both buy another rate: the first one is at the carrier when the second comes.
  await expect.poll(() => ordersOf(user)).toBe(1)
  expect((await client.Shipment.all({ purchased: false })).shipments[0].id).toBe(shipment.id)
  const second = codeOf(client.Shipment.buy(shipment.id, shipment.rates[1]))
  app.carrier.losesResponses = false
  const codes = await Promise.all([first, second])
  expect(codes.filter(code => code === 'bought').length).toBeLessThanOrEqual(1)
  await expect
    .poll(async () => (await client.Shipment.retrieve(shipment.id)).tracking_code)
    .not.toBeNull()
  expect(await soldTo(user)).toBe(1)
  expect(await codeOf(client.Shipment.buy(shipment.id, shipment.rates[0]))).toBe(
    'SHIPMENT.POSTAGE.EXISTS',
  )
  expect(await balance(user)).toBe(93.5)
})
