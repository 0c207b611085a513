import { expect, test } from 'vitest'
import { TOO_LIGHT } from '#contract/parcel-rules.ts'
import { orderRowFaults } from '#server/orders/rules.ts'
import { FROM_ADDRESS, TO_ADDRESS } from '#tests/support/easypost-client.ts'
import { addressText, parcelMeasures, shipmentRow } from './rules.ts'

const parcel = { length: 10, width: 8, height: 4, weight: 32 }
const rowFor = (email: string | null) =>
  shipmentRow({
    sender: addressText({ name: 'Ana', email: 'ana@example.com' }),
    receiver: addressText({ name: 'Bo', email }),
    parcel,
    reference: null,
  })

test('the receiver’s email of a shipment is the order’s; a sender’s is not', () => {
  expect(rowFor(' bo@example.com ')).toMatchObject({
    ToRecipientName: 'Bo',
    ToEmail: 'bo@example.com',
  })
  expect(rowFor(null)).not.toHaveProperty('ToEmail')
})

test('text that is no address, and a marketplace’s relay address, get no mail', () => {
  for (const email of ['bo', 'bo@x', 'x1@marketplace.amazon.com'])
    expect(rowFor(email)).not.toHaveProperty('ToEmail')
})

test('every weight of whole grams is taken in ounces, however many decimals it has', () => {
  const [sender, receiver] = [addressText(FROM_ADDRESS), addressText(TO_ADDRESS)]
  const refused: [number, unknown][] = []
  for (let grams = 1; grams <= 1_000; grams++)
    for (const weight of [grams / 28.349523125, grams * 0.03527396195]) {
      const measures = parcelMeasures({ ...parcel, weight })
      const row = shipmentRow({ sender, receiver, parcel: measures, reference: null })
      const faults = orderRowFaults(row, { needService: false })
      if (Object.keys(faults).length > 0) refused.push([grams, faults])
    }
  // The lightest weight that is sold.
  const faults = refused.filter(([grams]) => grams > 4)
  expect(faults).toEqual([])
  for (const [, fault] of refused) expect(fault).toEqual({ PackageWeight: TOO_LIGHT })
})
