import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { sandboxCarrier } from './adapter.ts'

const database = await testDatabase()
const carrier = sandboxCarrier(database, { latencyMs: 0 })
const address = {
  name: 'A', company: '', phone: '', street1: '1 Main St', street2: '', city: 'Bend', state: 'OR', zip: '97701', country: 'US',
}
const shipment = {
  serviceUid: 'usps:PRIORITY_MAIL', sender: address, receiver: address,
  package: { length: 9, width: 6, height: 3, weight: 2, description: '', quantity: '1', sku: '' },
}
const { signal } = new AbortController()

test('the same attempt is the same label, however often and by whom it is asked for', async () => {
  const attempt = { reference: '1', round: 1 }
  const first = await carrier.purchase(attempt, { ...shipment, fence: 1, waitedMs: 3 } as typeof shipment, signal)
  const again = await Promise.all([2, 3, 4].map(fence =>
    carrier.purchase(attempt, { ...shipment, fence, waitedMs: 900 * fence } as typeof shipment, signal)))
  expect(first.ok).toBe(true)
  expect(again).toEqual([first, first, first])
  expect(await carrier.lookup(attempt, signal)).toMatchObject({ found: 'purchased' })
})

test('another shipment under the same attempt is refused; a new round is a new label', async () => {
  const attempt = { reference: '2', round: 1 }
  const first = await carrier.purchase(attempt, shipment, signal)
  const heavier = { ...shipment, package: { ...shipment.package, weight: 3 } }
  expect(await carrier.purchase(attempt, heavier, signal)).toMatchObject({ ok: false, kind: 'permanent', code: 'KEY_REUSED' })
  const second = await carrier.purchase({ ...attempt, round: 2 }, heavier, signal)
  expect(second.ok && first.ok && second.purchase.trackingNumber !== first.purchase.trackingNumber).toBe(true)
})

test('what was never asked for was not bought', async () => {
  expect(await carrier.lookup({ reference: '3', round: 1 }, signal)).toEqual({ found: 'not_purchased' })
})
