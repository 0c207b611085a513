import { afterAll, expect, test } from 'vitest'
import { openShipEngineStub, SHIPENGINE_KEYS } from '#tests/support/carriers/shipengine-stub.ts'
import { seededBehavior, openBulkOrderApp, REFUSED_STREET2 } from './bulk-order.ts'

const drawBehavior = seededBehavior(20_261_121)
const stub = await openShipEngineStub(({ body }) => {
  const { shipment } = body as {
    shipment: { external_shipment_id: string; ship_to: { address_line2?: string } }
  }
  // Without the installation's name, which differs each time.
  return drawBehavior(
    shipment.external_shipment_id.replace(/^evp-[0-9a-f]+-/, ''),
    shipment.ship_to.address_line2 === REFUSED_STREET2.toUpperCase(),
  )
}, 1)
afterAll(stub.close)

const bulkOrder = await openBulkOrderApp(
  {
    CARRIER: 'shipengine',
    SHIPENGINE_URL: stub.urlOn(),
    SHIPENGINE_API_KEY: SHIPENGINE_KEYS.apiKey,
    SHIPENGINE_CARRIER_ID: SHIPENGINE_KEYS.carrierId,
  },
  () => stub.labels,
)

test('a bulk order through a failing ShipEngine: no label is lost, and none is bought twice', async () => {
  await bulkOrder.buysEachLabelOnce()
  expect(stub.requests.filter(({ what }) => what === 'POST /v1/labels').length).toBeGreaterThan(60)
})
