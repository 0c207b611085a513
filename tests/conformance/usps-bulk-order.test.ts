import { afterAll, expect, test } from 'vitest'
import { openUspsStub, USPS_ACCOUNT, USPS_KEYS } from '#tests/support/carriers/usps-stub.ts'
import { seededBehavior, openBulkOrderApp, REFUSED_STREET2 } from './bulk-order.ts'

const drawBehavior = seededBehavior(20_261_121)
const stub = await openUspsStub(({ body }) => {
  const { toAddress } = body as {
    toAddress: { streetAddress: string; secondaryAddress?: string }
  }
  // By the street, which no two rows share: the idempotency key differs in each installation.
  return drawBehavior(
    toAddress.streetAddress,
    toAddress.secondaryAddress === REFUSED_STREET2.toUpperCase(),
  )
}, 1)
afterAll(stub.close)

const bulkOrder = await openBulkOrderApp(
  {
    CARRIER: 'usps',
    USPS_URL: stub.urlOn(),
    USPS_CLIENT_ID: USPS_KEYS.clientId,
    USPS_CLIENT_SECRET: USPS_KEYS.clientSecret,
    USPS_CRID: USPS_ACCOUNT.crid,
    USPS_MID: USPS_ACCOUNT.mid,
    USPS_MANIFEST_MID: USPS_ACCOUNT.manifestMid,
    USPS_ACCOUNT_NUMBER: USPS_ACCOUNT.number,
  },
  () =>
    [...stub.labels.values()].map(({ trackingNumber, cents, state }) => ({
      trackingNumber,
      cents,
      isVoided: state === 'cancelled',
    })),
)

test('a bulk order through a failing USPS: no label is lost, and none is bought twice', async () => {
  await bulkOrder.buysEachLabelOnce()
  expect(
    stub.requests.filter(({ what }) => what === 'POST /labels/v3/label').length,
  ).toBeGreaterThan(60)
})
