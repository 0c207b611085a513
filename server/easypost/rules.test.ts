import { expect, test } from 'vitest'
import { addressText, shipmentRow } from './rules.ts'

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
