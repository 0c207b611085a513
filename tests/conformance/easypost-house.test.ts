import { afterAll, expect, test } from 'vitest'
import { EASYPOST_KEY, openEasypostStub } from '#tests/support/carriers/easypost-stub.ts'
import { drawnDay, openHouse, REFUSED } from './whole-house.ts'

const draw = drawnDay(20_261_122)
const stub = await openEasypostStub(({ path }) => {
  const { reference, made } = stub.shipments.get(path.split('/')[3]!)!
  return draw(reference!, made.to_address.street2 === REFUSED.toUpperCase())
})
afterAll(stub.close)

// Each purchase is two questions, so that a busy machine gets more time for it.
const settings = {
  CARRIER: 'easypost',
  EASYPOST_URL: stub.urlOn(),
  EASYPOST_API_KEY: EASYPOST_KEY,
  CARRIER_TIMEOUT_MS: '3000',
}
const house = await openHouse(settings, () =>
  [...stub.shipments.values()]
    .filter(({ level }) => level !== null)
    .map(({ trackingNumber, refund }) => ({
      trackingNumber: trackingNumber!,
      cents: 593,
      isVoided: refund === 'refunded',
    })),
)

test(
  'a bulk order through EasyPost on a bad day: no label is lost, and none is bought twice',
  { timeout: 180_000 },
  async () => {
    await house.buysEachLabelOnce()
    const bought = [...stub.shipments.values()].filter(({ level }) => level !== null)
    expect(new Set(bought.map(({ reference }) => reference)).size).toBe(bought.length)
  },
)
