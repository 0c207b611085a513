import { expect, test } from 'vitest'
import { AddressForm } from '#contract/addresses.ts'
import { textsOf } from '#contract/fault-texts.ts'
import type { Refusal } from '#server/platform/http/refusal.ts'
import { parseAddress } from './rules.ts'

const warehouse = AddressForm.parse({
  address_id: 'Warehouse',
  name: 'Ana Lopez',
  street: '1 Main Street',
  city: 'Portland',
  state: 'OR',
  zip: '97030',
})

const errorsOf = (change: Partial<AddressForm>): unknown => {
  try {
    return { saved: parseAddress({ ...warehouse, ...change }) }
  } catch (error) {
    return textsOf((error as Refusal).fields as never)
  }
}

test('an address is stored tidy, with a two-letter state, ZIP+4 and country US', () => {
  expect(
    parseAddress({
      address_id: '  Main  Warehouse ',
      name: ' Ana  Lopez',
      company: 'Lopez & Sons ',
      phone: '+1 (404) 555.0192',
      street: '1 Main\tStreet',
      street2: '',
      city: 'Portland',
      state: 'oregon',
      zip: '970301234',
      country: 'United States',
    }),
  ).toEqual({
    address_id: 'Main Warehouse',
    name: 'Ana Lopez',
    company: 'Lopez & Sons',
    phone: '+1 404 555-0192',
    street: '1 Main Street',
    street2: '',
    city: 'Portland',
    state: 'OR',
    zip: '97030-1234',
    country: 'US',
  })
})

test('every empty required field is named', () => {
  expect(
    errorsOf({ address_id: ' ', name: '', street: '', city: ' ', state: '', zip: '', country: '' }),
  ).toEqual({
    address_id: 'Address ID is required',
    name: 'Name is required',
    street: 'Street is required',
    city: 'City is required',
    state: 'State is required',
    zip: 'Zip is required',
    country: 'Country is required',
  })
})

test.each<[Partial<AddressForm>, string]>([
  [{ state: 'Narnia' }, "State 'Narnia' is not a US state"],
  [{ zip: '9703' }, 'Zip must be a 5-digit ZIP or ZIP+4 (97030-1234)'],
  [{ zip: '97030-12' }, 'Zip must be a 5-digit ZIP or ZIP+4 (97030-1234)'],
  [{ zip: '4101', state: 'ME' }, "Zip '4101' is missing its leading zero; use 04101"],
  [{ phone: 'call me' }, 'Invalid phone number'],
  [{ phone: '+49 89 O12' }, 'Invalid phone number'],
  [{ country: 'Canada' }, "Country 'Canada' is not supported; we ship within the US only"],
  [{ address_id: 'x'.repeat(61) }, 'Address ID must be at most 60 characters'],
  [{ address_id: 'a\u0000b' }, 'Address ID contains a character that cannot be printed'],
  [{ name: 'x'.repeat(61) }, 'Name must be at most 60 characters; this has 61'],
  [{ street2: 'x'.repeat(101) }, 'Street 2 must be at most 100 characters; this has 101'],
  [{ company: 'a\u0000b' }, 'Company contains a character that cannot be printed; type it again'],
])('%j is refused', (change, text) => {
  expect(errorsOf(change)).toEqual({ [Object.keys(change)[0]!]: text })
})
