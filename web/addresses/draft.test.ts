import { expect, test } from 'vitest'
import { toAddressForm, newAddress, REQUIRED_ADDRESS_FIELDS } from './draft.ts'

test('a new address is in the United States and has nothing else', () => {
  expect(Object.entries(newAddress()).filter(([, text]) => text !== '')).toEqual([
    ['country', 'US'],
  ])
})

test('company, phone and second street line are the only fields that may stay empty', () => {
  expect(
    Object.keys(newAddress()).filter(name => !REQUIRED_ADDRESS_FIELDS.has(name as 'name')),
  ).toEqual(['company', 'phone', 'street2'])
})

test('editing begins with the saved texts, without id and mark', () => {
  expect(
    toAddressForm({ ...newAddress(), _id: '7', isDefault: true, address_id: 'Warehouse' }),
  ).toEqual({
    ...newAddress(),
    address_id: 'Warehouse',
  })
})
