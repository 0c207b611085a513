/** An address while it is typed. Pure. */
import type { AddressForm, SavedAddress } from '#contract/addresses.ts'
import type { AddressField } from './sender.ts'

export const newAddress = (): AddressForm => ({
  address_id: '',
  name: '',
  company: '',
  phone: '',
  street: '',
  street2: '',
  city: '',
  state: '',
  zip: '',
  country: 'US',
})

/** What can be typed of a saved address. */
export function toAddressForm({ _id, ...form }: SavedAddress): AddressForm {
  return form
}

/** Fields that have to be filled (specification, 5); the country is always US. */
export const REQUIRED_ADDRESS_FIELDS: ReadonlySet<AddressField> = new Set([
  'address_id',
  'name',
  'street',
  'city',
  'state',
  'zip',
  'country',
])
