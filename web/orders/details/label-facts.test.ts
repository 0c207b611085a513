import { expect, test } from 'vitest'
import { addressLines, optionNames, parcelFacts } from './label-facts.ts'

test('an address reads as on a label, without empty lines and the country of all', () => {
  const receiver = {
    receiver_name: 'June Rivera',
    receiver_company: '',
    receiver_address1: '2210 E Olive Ave',
    receiver_address2: ' ',
    receiver_city: 'Fresno',
    receiver_state_province: 'CA',
    receiver_zip_postal: '93701',
    receiver_country: 'US',
    receiver_phone: '',
  }
  expect(addressLines(receiver, 'receiver')).toEqual([
    'June Rivera',
    '2210 E Olive Ave',
    'Fresno, CA 93701',
  ])
  expect(addressLines({ receiver_city: 'Toronto', receiver_country: 'CA' }, 'receiver')).toEqual([
    'Toronto',
    'CA',
  ])
  expect(addressLines({}, 'sender')).toEqual([])
})

test('only the known facts of a package are shown', () => {
  const parcel = {
    package_length: 9,
    package_width: 6,
    package_height: 3,
    package_weight: 1.5,
    package_reference1: 2,
    package_reference2: '',
    package_description: 'Mug',
  }
  expect(parcelFacts(parcel).map(({ name, value }) => `${name} ${value}`)).toEqual([
    'weight 1.5 lb',
    'size 9 × 6 × 3 in',
    'quantity 2',
    'contents Mug',
  ])
  expect(parcelFacts({ package_length: 9, package_width: null })).toEqual([])
})

test('a label names what it asks for on delivery, and nothing without', () => {
  expect(optionNames({ signature: 'adult', saturday: true })).toBe(
    'Adult signature (21 or older), Saturday delivery',
  )
  expect(optionNames({})).toBe('')
})
