import { afterAll, expect, test } from 'vitest'
import { EASYPOST_KEY, openEasypostStub } from '#tests/support/carriers/easypost-stub.ts'
import { seededBehavior, openBulkOrderApp, REFUSED_STREET2 } from './bulk-order.ts'

const drawBehavior = seededBehavior(20_261_122)
const stub = await openEasypostStub(({ path }) => {
  const { to_address: to } = stub.shipments.get(path.split('/')[3]!)!.body
  // By the street, which no two rows share: the reference differs in each installation.
  return drawBehavior(to.street1, to.street2 === REFUSED_STREET2.toUpperCase())
})
afterAll(stub.close)

// Each purchase is two questions, so that a busy machine gets more time for it.
const settings = {
  CARRIER: 'easypost',
  EASYPOST_URL: stub.urlOn(),
  EASYPOST_API_KEY: EASYPOST_KEY,
  CARRIER_TIMEOUT_MS: '3000',
}
const bulkOrder = await openBulkOrderApp(settings, () =>
  [...stub.shipments.values()]
    .filter(({ purchasedLevel }) => purchasedLevel !== null)
    .map(({ trackingNumber, refund }) => ({
      trackingNumber: trackingNumber!,
      cents: 593,
      isVoided: refund === 'refunded',
    })),
)

test('a bulk order through a failing EasyPost: no label is lost, and none is bought twice', async () => {
  await bulkOrder.buysEachLabelOnce()
  const bought = [...stub.shipments.values()].filter(
    ({ purchasedLevel }) => purchasedLevel !== null,
  )
  expect(new Set(bought.map(({ reference }) => reference)).size).toBe(bought.length)
})
