import { callPurchase } from '#server/carriers/calls.ts'
import type {
  Attempt,
  Carrier,
  PurchasedLabel,
  PurchaseResult,
  Shipment,
  StoredAddress,
} from '#server/carriers/port.ts'

export const PATIENCE_MS = 10_000

export const ADDRESS: StoredAddress = {
  name: 'Ana Reyes',
  company: '',
  phone: '',
  street1: '1 Main St',
  street2: '',
  city: 'Bend',
  state: 'OR',
  zip: '97701',
  country: 'US',
}

export const shipmentOf = (serviceUid: string): Shipment => ({
  serviceUid,
  sender: ADDRESS,
  receiver: ADDRESS,
  package: { length: 9, width: 6, height: 3, weight: 2, description: '', quantity: '1', sku: '' },
})

/** Buys labels for tests of one adapter, each for an order of its own. `at`: the carrier with another behavior. */
export function createBuyer(carrier: Carrier, shipment: Shipment) {
  let orders = 0
  const newAttempt = (): Attempt => ({ reference: String(++orders), round: 1 })
  const buy = (attempt: Attempt, at = carrier): Promise<PurchaseResult> =>
    callPurchase(at, attempt, shipment, PATIENCE_MS)
  return {
    newAttempt,
    buy,
    async bought(): Promise<PurchasedLabel> {
      const attempt = newAttempt()
      const outcome = await buy(attempt)
      if (!outcome.ok) throw new Error(outcome.message)
      return { attempt, trackingNumber: outcome.purchase.trackingNumber }
    },
  }
}
