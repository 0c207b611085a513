import { expect, test } from 'vitest'
import { reasonWithout } from './rates.ts'
import type { StoredRates } from './rates.ts'

test('the reason for a missing rate is that of the service that was asked for', () => {
  const rates: StoredRates = {
    offers: [],
    unavailable: [
      { uid: 'usps:GROUND_ADVANTAGE', reason: 'USPS Ground Advantage: takes up to 70 lb' },
      { uid: 'usps:PRIORITY_MAIL', reason: 'USPS Priority: a side is above 108 in' },
    ],
  }
  const priority = rates.unavailable[1]!.reason
  expect(reasonWithout(rates, 'Priority')).toBe(priority)
  expect(reasonWithout(rates, 'usps priority')).toBe(priority)
  expect(reasonWithout(rates, 'usps:ground_advantage')).toBe(rates.unavailable[0]!.reason)
  expect(reasonWithout(rates, 'FedEx')).toBeUndefined()
})
