/** What the bulk page asks the server for prices, and the server's answer to it. */
import { expect, test } from 'vitest'
import { quotePrice } from '#contract/orders.ts'
import { priceTotals } from '#contract/price-options.ts'
import type { BulkRow } from '#contract/rows.ts'
import { testApp } from '#tests/support/app.ts'
import { row } from '#tests/support/rows.ts'
import { parcelsOf } from '#web/batches/bulk/grid/compare.ts'
import { quotedShipment, shipmentsByKey } from '#web/batches/bulk/submit/row-prices.ts'

const app = await testApp()
const LONG = '9'.repeat(1_200)
const FAULTS: Partial<BulkRow>[] = [
  { ToZipPostal: '97030-1234, third floor' },
  { FromZipPostal: LONG },
  { PackageLength: LONG },
  { PackageWeight: LONG },
]
const tableWith = (faults: Partial<BulkRow>[]) =>
  [{}, ...faults].map((fault, n) => ({
    ...row(n + 1, fault),
    id: `row-${n}` as const,
    line: n,
    notices: [],
  }))

test('one cell that cannot be read leaves the other rows their prices', async () => {
  const { user, token } = await app.register()
  const table = tableWith([...FAULTS, { ServiceName: LONG }])
  const shipments = [...shipmentsByKey(table, () => true).values()].map(quotedShipment)
  const body = { userId: user._id, shipments, each: true }
  const { status, body: answer } = await app.call(quotePrice, { body }, token)
  expect(status, answer.message).toBe(200)
  expect(answer.prices![0]).toEqual({ price: 6.5 })
  expect(answer.prices!.at(-1)).toMatchObject({ code: 'too_long' })
})

test('one cell that cannot be read leaves the others their comparison of services', async () => {
  const { user, token } = await app.register()
  const { parcels, parcelOf } = parcelsOf(tableWith(FAULTS), true)
  const params = { userId: user._id }
  const { status, body } = await app.call(priceTotals, { params, body: { parcels } }, token)
  expect(status, body.message).toBe(200)
  const { choices } = body.cheapest
  const hasChoice = parcelOf.map(place => choices[place] !== null)
  expect(hasChoice).toEqual([true, true, true, true, false])
})
