import { expect, test } from 'vitest'
import { deleteUser } from '#contract/accounts.ts'
import { testApp } from '#tests/support/app.ts'
import { easypostClient, SHIPMENT } from '#tests/support/easypost-client.ts'
import { withLiveService } from '#tests/support/live-service.ts'

const app = await testApp()
const { carrier } = app
const { admin, costs, aDayPasses, customer } = await withLiveService(app)
const seller = async () => easypostClient(app, await customer())

type Rate = { id: string; service: string; rate: string }
const priority = ({ rates }: { rates: Rate[] }): Rate | undefined =>
  rates.find(({ service }) => service === 'Priority')

test('a rate is the carrier’s price by the rule, and the label costs what the rate said', async () => {
  const client = await seller()
  costs(5)
  const shipment = await client.Shipment.create(SHIPMENT)
  expect(priority(shipment)).toMatchObject({ rate: '6.59' })
  costs(9)
  const bought = await client.Shipment.buy(shipment.id, priority(shipment))
  expect(bought).toMatchObject({
    selected_rate: { rate: '6.59' },
    tracking_code: expect.any(String),
  })
  const { rows } = await app.database.pool.query(
    'select price_cents, quoted_cents from shipment_order order by id desc limit 1',
  )
  expect(rows).toEqual([{ price_cents: 659, quoted_cents: 500 }])
})

test('a rate of the day before is not charged at a higher price: the shipment is rated again', async () => {
  const client = await seller()
  costs(5)
  const shipment = await client.Shipment.create(SHIPMENT)
  await aDayPasses()
  costs(9)
  await expect(client.Shipment.buy(shipment.id, priority(shipment))).rejects.toThrow(
    /The price of USPS Priority Mail is \$11\.39 now, not \$6\.59\. Nothing was bought\./,
  )
  const rated = await client.Shipment.regenerateRates(shipment.id)
  expect(priority(rated)).toMatchObject({ rate: '11.39' })
})

test('without the carrier’s answer the other services have rates', async () => {
  const client = await seller()
  carrier.losesResponses = true
  const shipment = await client.Shipment.create(SHIPMENT)
  expect(shipment.rates.map(({ service }: Rate) => service).toSorted()).toEqual([
    'Express',
    'GroundAdvantage',
  ])
})

test('a batch whose prices the carrier has not told yet does not hold up other batches of its user', async () => {
  const client = await seller()
  costs(5)
  const before = carrier.begun.quote
  const answer = carrier.hold('quote')
  const row = { ...SHIPMENT, service: 'Priority' }
  const waiting = client.Batch.create({ shipments: [row] })
  await expect.poll(() => carrier.begun.quote).toBe(before + 1)
  await client.Batch.create({})
  answer()
  const { shipments } = await waiting
  expect(priority(await client.Shipment.retrieve(shipments[0]!.id))).toMatchObject({ rate: '6.59' })
})

test('shipments of a batch share the quote of equal parcels', async () => {
  const client = await seller()
  costs(5)
  const before = carrier.begun.quote
  const row = { ...SHIPMENT, service: 'Priority' }
  const { id } = await client.Batch.create({ shipments: [row, row, row] })
  expect(carrier.begun.quote).toBe(before + 1)
  await client.Batch.buy(id)
  await expect.poll(async () => (await client.Batch.retrieve(id)).status.postage_purchased).toBe(3)
})

test('a shipment whose user is deleted while the carrier is asked for its price leaves nothing behind', async () => {
  const user = await customer()
  const client = await easypostClient(app, user)
  costs(5)
  const before = carrier.begun.quote
  const answer = carrier.hold('quote')
  const made = client.Shipment.create(SHIPMENT).catch((error: unknown) => error)
  await expect.poll(() => carrier.begun.quote).toBe(before + 1)
  const params = { userId: user.user._id }
  expect((await app.call(deleteUser, { params }, admin.token)).status).toBe(200)
  answer()
  expect(await made).toMatchObject({ message: 'User not found' })
  const { rows } = await app.database.pool.query(
    `select 'shipment' from api_shipment where user_id = $1 union all select 'address' from api_address where user_id = $1
      union all select 'parcel' from api_parcel where user_id = $1`,
    [user.user._id],
  )
  expect(rows).toEqual([])
})
