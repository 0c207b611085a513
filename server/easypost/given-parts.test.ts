/** What a shipment names is what is bought, or it is refused. */
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { testApp } from '#tests/support/app.ts'
import { SHIPMENT, TO_ADDRESS } from '#tests/support/easypost-client.ts'

const app = await testApp()
const user = await app.register()
await app.creditDollars(user.user._id, 100)

async function send(path: string, payload: object) {
  const { token } = user
  const { statusCode, body } = await app.send({
    method: 'POST',
    url: `/v2/${path}`,
    headers: { token },
    payload,
  })
  const answer = JSON.parse(body)
  return {
    statusCode,
    answer,
    fields: answer.error?.errors.map((one: { field: string }) => one.field),
  }
}
const create = (more: object) => send('shipments', { shipment: { ...SHIPMENT, ...more } })
const balance = async (): Promise<number> =>
  (await app.call(verifySession, {}, user.token)).body.user.balance

test('a service of another carrier is not bought from this one, though a service here has its name', async () => {
  const before = await balance()
  const ups = { carrier: 'UPS', service: 'Express' }
  expect(await create(ups)).toMatchObject({ statusCode: 422, fields: ['carrier'] })
  const { answer: batch } = await send('batches', {
    batch: { shipments: [{ ...SHIPMENT, ...ups }, SHIPMENT] },
  })
  expect(batch.shipments).toMatchObject([
    {
      batch_status: 'creation_failed',
      batch_message: 'Only USPS labels are sold here, not "UPS": leave carrier out',
    },
    { batch_status: 'created' },
  ])
  const named = { shipments: [{ id: batch.shipments[1].id, ...ups }] }
  expect(await send(`batches/${batch.id}/add_shipments`, named)).toMatchObject({
    statusCode: 422,
    fields: ['carrier'],
  })
  expect(await balance()).toBe(before)
  expect((await create({ carrier: 'usps', service: 'Express' })).statusCode).toBe(201)
  expect(await balance()).toBe(before - 29)
})

test('a refund or tracker that names another carrier is refused, and no label is voided', async () => {
  const { answer } = await create({ service: 'Express' })
  const { tracking_code: code } = answer
  const before = await balance()
  const refund = (carrier: unknown) =>
    send('refunds', { refund: { carrier, tracking_codes: [code] } })
  const tracker = (carrier: unknown) =>
    send('trackers', { tracker: { carrier, tracking_code: code } })
  const refused = {
    statusCode: 422,
    answer: { error: { code: 'OPTION_NOT_OFFERED' } },
    fields: ['carrier'],
  }
  expect(await tracker('FedEx')).toMatchObject(refused)
  expect(await refund('FedEx')).toMatchObject(refused)
  expect(await balance()).toBe(before)
  for (const carrier of ['usps', '', undefined]) {
    expect((await tracker(carrier)).statusCode).toBeLessThan(300)
    expect((await refund(carrier)).statusCode).toBeLessThan(300)
  }
})

test('a parcel that is to be held at the post office is refused instead of sent to the door', async () => {
  expect(await create({ options: { hold_for_pickup: true } })).toMatchObject({
    statusCode: 422,
    fields: ['options.hold_for_pickup'],
  })
  expect((await create({ options: { hold_for_pickup: false } })).statusCode).toBe(201)
})

test('ZIPs and phone numbers may be numbers, and an empty id is none', async () => {
  const to = { ...TO_ADDRESS, id: '', zip: 90277, phone: 5555555555 }
  const { answer } = await create({ to_address: to })
  expect(answer.to_address).toMatchObject({ zip: '90277', phone: '5555555555' })
})

test('what is wrong inside an address is named by its field', async () => {
  const to = { ...TO_ADDRESS, zip: ['90277'] }
  expect(await create({ to_address: to })).toMatchObject({
    statusCode: 400,
    fields: ['shipment.to_address.zip'],
  })
})

test('a new address of a shipment is verified as it asks, and a strict one refuses the label', async () => {
  const wrong = { ...TO_ADDRESS, zip: '10001' }
  const strict = { ...wrong, verify_strict: true }
  const before = await balance()
  const refused = await create({ to_address: strict, service: 'Priority' })
  expect([refused.statusCode, refused.answer.error.code]).toEqual([422, 'ADDRESS.VERIFY.FAILURE'])
  expect(await balance()).toBe(before)
  const told = await create({ to_address: { ...wrong, verify: ['delivery'] } })
  expect(told.answer.to_address.verifications.delivery).toMatchObject({
    success: false,
    errors: [{ code: 'E.STATE.INVALID' }],
  })
  const { answer: batch } = await send('batches', {
    batch: { shipments: [{ ...SHIPMENT, to_address: strict }] },
  })
  expect(batch.status).toMatchObject({ creation_failed: 1 })
  expect((await send('addresses', { address: strict })).statusCode).toBe(422)
})

test('an older client asks in the address of the call to verify, and is answered as by the body', async () => {
  const wrong = { address: { ...TO_ADDRESS, zip: '10001' } }
  const refused = await send('addresses', { ...wrong, verify_strict: ['delivery'] })
  expect([refused.statusCode, refused.answer.error.code]).toEqual([422, 'ADDRESS.VERIFY.FAILURE'])
  for (const field of [
    'verify_strict[]',
    'verify_strict%5B%5D',
    'verify_strict[0]',
    'verify_strict',
  ])
    expect(await send(`addresses?${field}=delivery`, wrong)).toEqual(refused)
  const told = await send('addresses?verify[]=delivery&verify[]=zip4', wrong)
  expect(told.statusCode).toBe(201)
  expect(told.answer.verifications.delivery.success).toBe(false)
  const kept = await send('addresses?verify_strict[]=false', wrong)
  expect([kept.statusCode, kept.answer.verifications]).toEqual([201, {}])
  const long = 'x'.repeat(30)
  expect(await send(`addresses?verify_strict[]=${long}`, wrong)).toEqual(
    await send('addresses', { ...wrong, verify_strict: [long] }),
  )
})
