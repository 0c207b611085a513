/** Drafts of addresses. Pure. */
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

export function toAddressForm({ _id, isDefault: _isDefault, ...form }: SavedAddress): AddressForm {
  return form
}

export const REQUIRED_ADDRESS_FIELDS: ReadonlySet<AddressField> = new Set([
  'address_id',
  'name',
  'street',
  'city',
  'state',
  'zip',
  'country',
])
