/** The carriers of the walk: each a stub that keeps books, and what it charges. */
import { createHmac } from 'node:crypto'
import { EASYPOST_KEY, openEasypostStub } from '#tests/support/carriers/easypost-stub.ts'
import { openShipEngineStub, SHIPENGINE_KEYS } from '#tests/support/carriers/shipengine-stub.ts'
import { openUspsStub, USPS_ACCOUNT, USPS_KEYS } from '#tests/support/carriers/usps-stub.ts'

/** A label in the carrier's books; `cents`: what it took for it. */
export type CarrierEntry = { trackingNumber: string; cents: number; isVoided: boolean }

export type OpenedCarrier = {
  /** What the operator writes into `.env`. */
  settings: Record<string, string>
  books(): CarrierEntry[]
  formsWith(trackingNumber: string): number
  /** The parcel is on its way. */
  scan(trackingNumber: string): void
  /** It grants the voids that it has only received; absent where it decides at once. */
  grantVoids?(): void
  close(): Promise<void>
}

export type WalkCarrier = {
  name: string
  /** Cents of a label by service, as the carrier charges the operator. */
  costs: { ground: number; priority: number; express: number }
  /** Cents of Priority Mail at cost + 25%, up to a price that ends in 9. */
  priorityPrice: number
  /** The cost is known before the sale, so a label above the ceiling is not sold. */
  tellsCostFirst: boolean
  /** The message by which it tells of a parcel; absent where the parcel is only asked about. */
  message?(trackingNumber: string): {
    path: string
    body: string
    headers: Record<string, string>
  }
  open(): Promise<OpenedCarrier>
}

const EASYPOST_SECRET = 'a secret of the first day'
const EASYPOST_CENTS: Record<string, number> = {
  GroundAdvantage: 593,
  Priority: 690,
  Express: 3310,
}

export const easypost: WalkCarrier = {
  name: 'EasyPost',
  costs: { ground: 593, priority: 690, express: 3310 },
  priorityPrice: 869,
  tellsCostFirst: true,
  message(trackingNumber) {
    const body = JSON.stringify({
      object: 'Event',
      description: 'tracker.updated',
      result: { object: 'Tracker', tracking_code: trackingNumber },
    })
    const digest = createHmac('sha256', EASYPOST_SECRET).update(body).digest('hex')
    return {
      path: '/api/carriers/easypost/messages',
      body,
      headers: { 'x-hmac-signature': `hmac-sha256-hex=${digest}` },
    }
  },
  async open() {
    const stub = await openEasypostStub()
    return {
      settings: {
        CARRIER: 'easypost',
        // Refunds stay submitted until the carrier grants them.
        EASYPOST_URL: stub.urlOn('void-submitted'),
        EASYPOST_API_KEY: EASYPOST_KEY,
        EASYPOST_WEBHOOK_SECRET: EASYPOST_SECRET,
      },
      books: () =>
        [...stub.shipments.values()].flatMap(({ trackingNumber, purchasedLevel, refund }) =>
          purchasedLevel === null
            ? []
            : [
                {
                  trackingNumber: trackingNumber!,
                  cents: EASYPOST_CENTS[purchasedLevel]!,
                  isVoided: refund === 'refunded',
                },
              ],
        ),
      formsWith: stub.formsWith,
      scan(trackingNumber) {
        for (const shipment of stub.shipments.values())
          if (shipment.trackingNumber === trackingNumber) shipment.status = 'in_transit'
      },
      grantVoids() {
        for (const shipment of stub.shipments.values())
          if (shipment.refund === 'submitted') shipment.refund = 'refunded'
      },
      close: stub.close,
    }
  },
}

export const usps: WalkCarrier = {
  name: 'USPS',
  costs: { ground: 633, priority: 730, express: 2650 },
  priorityPrice: 919,
  tellsCostFirst: false,
  async open() {
    const stub = await openUspsStub()
    return {
      settings: {
        CARRIER: 'usps',
        USPS_URL: stub.urlOn('fine'),
        USPS_CLIENT_ID: USPS_KEYS.clientId,
        USPS_CLIENT_SECRET: USPS_KEYS.clientSecret,
        USPS_CRID: USPS_ACCOUNT.crid,
        USPS_MID: USPS_ACCOUNT.mid,
        USPS_MANIFEST_MID: USPS_ACCOUNT.manifestMid,
        USPS_ACCOUNT_NUMBER: USPS_ACCOUNT.number,
      },
      books: () =>
        [...stub.labels.values()].map(({ trackingNumber, cents, state }) => ({
          trackingNumber,
          cents,
          isVoided: state === 'cancelled',
        })),
      formsWith: stub.formsWith,
      scan(trackingNumber) {
        for (const label of stub.labels.values())
          if (label.trackingNumber === trackingNumber) label.parcel = 'in_transit'
      },
      close: stub.close,
    }
  },
}

export const shipengine: WalkCarrier = {
  name: 'ShipEngine',
  costs: { ground: 593, priority: 690, express: 2610 },
  priorityPrice: 869,
  tellsCostFirst: false,
  async open() {
    const stub = await openShipEngineStub()
    return {
      settings: {
        CARRIER: 'shipengine',
        SHIPENGINE_URL: stub.urlOn('fine'),
        SHIPENGINE_API_KEY: SHIPENGINE_KEYS.apiKey,
        SHIPENGINE_CARRIER_ID: SHIPENGINE_KEYS.carrierId,
      },
      books: () =>
        stub.labels.map(({ trackingNumber, cents, isVoided }) => ({
          trackingNumber,
          cents,
          isVoided,
        })),
      formsWith: stub.formsWith,
      scan: trackingNumber => stub.moveParcel(trackingNumber, 'in_transit'),
      close: stub.close,
    }
  },
}
