/** What two connections do to the same shipment or batch at the same moment. */
import { expect, test } from 'vitest'
import { testApp } from '#tests/support/app.ts'
import { easypostClient, SHIPMENT } from '#tests/support/easypost-client.ts'
import { expectWaiting } from '#tests/support/lock-waits.ts'
import { endBatches, selectEndedBatches } from './batch-store.ts'
import { refuseQueued } from './shipment-store.ts'

// Without jobs, so that each step is taken here.
const app = await testApp({ env: { ROLE: 'web' } })
const { database } = app.ctx

async function seller(dollars: number) {
  const user = await app.register()
  if (dollars > 0) await app.creditDollars(user.user._id, dollars)
  return easypostClient(app, user)
}

type Shipment = { rates: { id: string }[]; selected_rate: { id: string } }

/** Both calls wait for the shipments, which another connection holds until then. */
async function oneAfterAnother(
  earlier: () => Promise<Shipment>,
  later: () => Promise<Shipment>,
): Promise<[Shipment, Shipment]> {
  const holder = await database.pool.connect()
  await holder.query('begin')
  const { rows } = await holder.query<{ pid: number }>(
    'select pg_backend_pid() as pid from api_shipment for update',
  )
  const { pid } = rows[0]!
  const first = earlier()
  await expectWaiting(database, pid, 1)
  const second = later()
  await expectWaiting(database, pid, 2)
  await holder.query('commit')
  holder.release()
  return Promise.all([first, second])
}

test('a shipment that is rated again while it is bought keeps the rate at which it is bought', async () => {
  const client = await seller(100)
  const { id, rates } = await client.Shipment.create(SHIPMENT)
  const [bought, rated] = await oneAfterAnother(
    () => client.Shipment.buy(id, rates[0]),
    () => client.Shipment.regenerateRates(id),
  )
  const ids = (all: { id: string }[]) => all.map(rate => rate.id)
  expect(ids(rated.rates)).toEqual(ids(rates))
  const found = await client.Shipment.retrieve(id)
  expect(found.selected_rate.id).toBe(bought.selected_rate.id)
  expect(ids(found.rates)).toEqual(ids(rates))
})

test('a shipment that was rated again just before it is bought shows the rate at which it is bought', async () => {
  const client = await seller(100)
  const { id, rates } = await client.Shipment.create(SHIPMENT)
  await oneAfterAnother(
    () => client.Shipment.regenerateRates(id),
    () => client.Shipment.buy(id, rates[0]),
  )
  const found = await client.Shipment.retrieve(id)
  expect(found.selected_rate.id).toBe(rates[0].id)
  expect(found.rates[0]).toEqual(found.selected_rate)
  const services = (all: { service: string }[]) => all.map(rate => rate.service).toSorted()
  expect(services(found.rates)).toEqual(services(rates))
})

test('a batch that is bought again while its end is noticed is told of when it has ended', async () => {
  const client = await seller(0)
  const batch = await client.Batch.create({ shipments: [{ ...SHIPMENT, service: 'Priority' }] })
  const shipmentIds = async () =>
    (
      await database.pool.query<{ id: number }>(
        'select id from api_shipment where batch_id is not null',
      )
    ).rows
  const refuse = async () => {
    for (const { id } of await shipmentIds())
      await database.tx(tx => refuseQueued(tx, id, 'The balance is too low'))
  }
  const end = (ids: number[]) => database.tx(tx => endBatches(tx, ids))
  await client.Batch.buy(batch.id)
  expect(await selectEndedBatches(database.db, 50)).toEqual([])
  await refuse()
  const noticed = await selectEndedBatches(database.db, 50)
  expect(noticed).toHaveLength(1)
  await client.Batch.buy(batch.id)
  expect(await end(noticed)).toEqual([])
  await refuse()
  const told = await Promise.all([end(noticed), end(noticed)])
  expect(told.flat().map(({ id }) => id)).toEqual(noticed)
  expect(await selectEndedBatches(database.db, 50)).toEqual([])
})
