import { expect, test } from 'vitest'
import { shipmentOf } from '#tests/support/carriers/buyer.ts'
import { testDatabase } from '#tests/support/database.ts'
import { callLookup, callPurchase } from './calls.ts'
import { sandboxCarrier } from './sandbox/adapter.ts'

const database = await testDatabase()
const carrier = sandboxCarrier(database, { latencyMs: 0 })
const attempt = { reference: '1', round: 1 }

test.each([
  ['9'.repeat(101)],
  [''],
  [' '],
  ['9400 1001 1036 8060 2350 12\n'],
  ['9400\u0000'],
  ['94001001\u{1F600}'],
])('an answer with the tracking number %j sells nothing: it fits on no label', async number => {
  const purchase = { trackingNumber: number, costCents: null }
  const strange = {
    ...carrier,
    purchase: async () => ({ ok: true, purchase }) as const,
    lookup: async () => ({ found: 'purchased', purchase }) as const,
  }
  const shipment = shipmentOf('sandbox:ground')
  expect(await callPurchase(strange, attempt, shipment, 60_000)).toMatchObject({ kind: 'unknown' })
  expect(await callLookup(strange, attempt, 60_000)).toEqual({ found: 'unknown' })
})

test('a tracking number may have spaces between its digits', async () => {
  const purchase = { trackingNumber: '9400 1001 1036 8060 2350 12', costCents: null }
  const found = { found: 'purchased', purchase } as const
  expect(await callLookup({ ...carrier, lookup: async () => found }, attempt, 60_000)).toEqual(
    found,
  )
})
