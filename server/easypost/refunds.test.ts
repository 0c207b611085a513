/** What a refund says is what became of the label. */
import { expect, test } from 'vitest'
import { findOrder } from '#server/orders/service.ts'
import { secretKeyFrom } from '#server/platform/process/secret-key.ts'
import { testApp } from '#tests/support/app.ts'
import { easypostClient, SHIPMENT } from '#tests/support/easypost-client.ts'
import {
  buyBatch,
  customer,
  labelStates,
  passDays,
  settleAllVoids,
  trackingCarrier,
  withCarrier,
} from '#tests/support/tracking-carrier.ts'
import { orderIdIn } from './ids.ts'
import { selectRefundsOfOrders } from './refund-store.ts'
import { createRefunds } from './refunds.ts'

const app = await testApp()

async function sellerWithLabels() {
  const user = await app.register()
  await app.creditDollars(user.user._id, 100)
  const client = await easypostClient(app, user)
  const buy = () => client.Shipment.create({ ...SHIPMENT, service: 'Priority' })
  return { client, labels: [await buy(), await buy()] }
}
const setOnItsWay = ({ tracker }: { tracker: { id: string } }) =>
  app.database.pool.query(
    `insert into parcel_tracking (order_id, user_id, status)
        select id, user_id, 'in_transit' from shipment_order where id = $1
      on conflict (order_id) do update set status = excluded.status`,
    [orderIdIn('trk', tracker.id)],
  )

test('the refund of a parcel on its way is rejected and stays so, that of an unused label is refunded', async () => {
  const { client, labels } = await sellerWithLabels()
  await setOnItsWay(labels[0])
  await expect(client.Shipment.refund(labels[0].id)).rejects.toMatchObject({
    statusCode: 422,
    code: 'SHIPMENT.REFUND.UNAVAILABLE',
  })
  expect((await client.Refund.all()).refunds).toEqual([])
  const codes = labels.map(one => one.tracking_code)
  const refunds = await client.Refund.create({ carrier: 'USPS', tracking_codes: codes })
  expect(refunds.map((one: { status: string }) => one.status)).toEqual(['rejected', 'refunded'])
  expect((await client.Refund.retrieve(refunds[0].id)).status).toBe('rejected')
  expect((await client.Shipment.retrieve(labels[0].id)).refund_status).toBeNull()
})

test('a process that ends after the request of a refund leaves no refund without its void', () =>
  withCarrier(trackingCarrier(), async place => {
    const { database } = place
    const [id] = await buyBatch(place, [''])
    const order = (await findOrder(database.db, id!))!
    let count = 0
    const dying: typeof database.tx = work =>
      ++count > 1 ? Promise.reject(new Error('killed')) : database.tx(work)
    const ctx = {
      ...place.customerCtx,
      database: { ...database, tx: dying },
      secretKey: secretKeyFrom('a test'),
      clock: Date.now,
    }
    await createRefunds(ctx, customer(place), [order.trackingNumber!]).catch(() => {})
    expect((await selectRefundsOfOrders(database.db, [id!])).size).toBe(1)
    expect(await labelStates(place, [id!])).not.toEqual(['purchased'])
    await passDays(place, 1)
    await settleAllVoids(place)
  }))
