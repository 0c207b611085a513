import { expect, test } from 'vitest'
import type { AddressForm } from '#contract/addresses.ts'
import { addressErrors, preselectedSender, toSenderFields } from './sender.ts'

const WAREHOUSE: AddressForm = {
  address_id: 'Warehouse',
  name: 'Ana Fields',
  company: 'Mason Trading',
  phone: '512 555 0110',
  street: '100 Congress Ave',
  street2: 'Dock 4',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  country: 'US',
}

test('a saved address fills every field of the sender', () => {
  expect(toSenderFields(WAREHOUSE)).toEqual({
    FromSenderName: 'Ana Fields',
    FromCompany: 'Mason Trading',
    FromPhone: '512 555 0110',
    FromStreet1: '100 Congress Ave',
    FromStreet2: 'Dock 4',
    FromCity: 'Austin',
    FromStateProvince: 'TX',
    FromZipPostal: '78701',
    FromCountry: 'US',
  })
})

test('a valid sender address has no errors', () => {
  expect(addressErrors(WAREHOUSE)).toEqual({})
})

test('company, phone and second street line may stay empty, the rest may not', () => {
  const empty: AddressForm = {
    address_id: ' ',
    name: '',
    company: '',
    phone: '',
    street: '',
    street2: '',
    city: '',
    state: '',
    zip: '',
    country: 'US',
  }
  expect(addressErrors(empty)).toEqual({
    address_id: 'Address ID is required',
    name: 'Name is required',
    street: 'Street is required',
    city: 'City is required',
    state: 'State is required',
    zip: 'Zip is required',
  })
})

test('a phone number of letters and a zip of four digits are refused at their fields', () => {
  expect(Object.keys(addressErrors({ ...WAREHOUSE, phone: 'call me', zip: '7870' }))).toEqual([
    'phone',
    'zip',
  ])
  expect(addressErrors({ ...WAREHOUSE, phone: 'call me' }).phone).toBe('Invalid phone number')
})

test('pages choose the default sender first, and the oldest one where none is marked', () => {
  const [warehouse, attic] = ['1', '2'].map(_id => ({ ...WAREHOUSE, _id, isDefault: false }))
  expect(preselectedSender([])).toBeUndefined()
  expect(preselectedSender([warehouse!, attic!])?._id).toBe('1')
  expect(preselectedSender([warehouse!, { ...attic!, isDefault: true }])?._id).toBe('2')
})
