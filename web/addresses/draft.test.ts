import { expect, test } from 'vitest'
import {
  cityLineOf,
  isSameForm,
  newAddress,
  REQUIRED_ADDRESS_FIELDS,
  searchAddresses,
  toAddressForm,
} from './draft.ts'

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

const store = {
  ...newAddress(),
  address_id: 'Store',
  name: 'June Rivera',
  city: 'FRESNO',
  state: 'CA',
  zip: '93701',
}
const depot = {
  ...newAddress(),
  address_id: 'Depot',
  name: 'Otto Lind',
  city: 'Bend',
  state: 'OR',
  zip: '97701',
}

test('an address is found by words of any of its fields, in any order', () => {
  const find = (search: string) => searchAddresses([store, depot], search).map(a => a.address_id)
  expect(find('')).toEqual(['Store', 'Depot'])
  expect(find('rivera')).toEqual(['Store'])
  expect(find('or otto')).toEqual(['Depot'])
  expect(find('97701')).toEqual(['Depot'])
  expect(find('rivera bend')).toEqual([])
})

test('a list writes a town in capitals as the others', () => {
  expect([cityLineOf(store), cityLineOf(depot)]).toEqual(['Fresno, CA 93701', 'Bend, OR 97701'])
})

test('a form is unchanged when each field has its text again', () => {
  expect(isSameForm({ ...store }, store)).toBe(true)
  expect(isSameForm({ ...store, phone: '559-555-0110' }, store)).toBe(false)
})
