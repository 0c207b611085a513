/**
 * What EasyPost's client for Node got is sent back as it is. It adds the whole request, as
 * `_params`, to each object inside an answer.
 */
import { expect, test } from 'vitest'
import { testApp } from '#tests/support/app.ts'
import {
  easypostClient,
  FROM_ADDRESS,
  SHIPMENT,
  TO_ADDRESS,
} from '#tests/support/easypost-client.ts'

const app = await testApp()

async function seller() {
  const user = await app.register()
  await app.creditDollars(user.user._id, 100)
  return easypostClient(app, user)
}
const statusesOf = ({ shipments }: { shipments: { batch_status: string }[] }) =>
  shipments.map(one => one.batch_status)

test('shipments that were created are put into a batch as they are, also beside new ones', async () => {
  const client = await seller()
  const options = { label_format: 'PDF', payment: { type: 'SENDER', account: { number: '1' } } }
  const shipment = await client.Shipment.create({ ...SHIPMENT, options })
  expect(shipment.options.payment).toMatchObject({ type: 'SENDER' })
  const batch = await client.Batch.create({ shipments: [shipment, SHIPMENT] })
  expect([batch.shipments[0].id, statusesOf(batch)]).toEqual([shipment.id, ['created', 'created']])
  // The options of one shipment are those of another.
  const copy = await client.Shipment.create({ ...SHIPMENT, options: shipment.options })
  expect(copy.options).toMatchObject({ label_format: 'PDF', payment: { type: 'SENDER' } })
})

test('an address whose verification failed is used as it is, for a shipment and for a batch', async () => {
  const client = await seller()
  const from = await client.Address.create({ ...FROM_ADDRESS, verify: true })
  const to = await client.Address.create({ ...TO_ADDRESS, zip: '10001', verify: true })
  const parts = { from_address: from, to_address: to, parcel: SHIPMENT.parcel }
  const shipment = await client.Shipment.create(parts)
  expect([shipment.from_address.id, shipment.to_address.id]).toEqual([from.id, to.id])
  const batch = await client.Batch.create({ shipments: [shipment, parts] })
  expect(statusesOf(batch)).toEqual(['created', 'created'])
  expect((await client.Shipment.retrieve(batch.shipments[1].id)).to_address.id).toBe(to.id)
})

test('another return address is refused by name, and the sender’s own is no other', async () => {
  const client = await seller()
  const { email: _, ...printed } = FROM_ADDRESS
  const kept = await client.Address.create(FROM_ADDRESS)
  const rated = async (parts: object) =>
    (await client.Shipment.create({ ...SHIPMENT, ...parts })).id
  for (const same of [
    { return_address: null },
    { return_address: printed },
    { return_address: { id: kept.id } },
    { from_address: kept, return_address: kept },
    { from_address: { id: kept.id }, return_address: FROM_ADDRESS },
  ])
    expect(await rated(same)).toMatch(/^shp_/)
  for (const other of [
    { return_address: TO_ADDRESS },
    { from_address: TO_ADDRESS, return_address: { id: kept.id } },
  ])
    await expect(rated(other)).rejects.toMatchObject({
      statusCode: 422,
      code: 'OPTION_NOT_OFFERED',
      errors: [{ field: 'return_address' }],
    })
  const batch = await client.Batch.create({
    shipments: [SHIPMENT, { ...SHIPMENT, return_address: TO_ADDRESS }],
  })
  expect(batch.status).toMatchObject({ created: 1, creation_failed: 1 })
})
