/** Drafts of addresses. Pure. */

import type { AddressForm, SavedAddress } from '#contract/addresses.ts'
import { townText } from '#contract/format.ts'
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

export const isSameForm = (a: AddressForm, b: AddressForm): boolean =>
  (Object.keys(b) as AddressField[]).every(field => a[field] === b[field])

/** 'Fresno, CA 93701'; of an address that is being typed, what is there. */
export const cityLineOf = ({ city, state, zip }: AddressForm): string =>
  [townText(city), [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')

export const joinNonEmpty = (...parts: string[]): string => parts.filter(Boolean).join(', ')

export const addressLines = (address: AddressForm): string[] => [
  joinNonEmpty(address.name, address.company),
  joinNonEmpty(address.street, address.street2),
  cityLineOf(address),
  ...(address.phone ? [address.phone] : []),
]

/** The addresses with every word of a search in one of their fields. */
export function searchAddresses<Address extends AddressForm>(
  list: readonly Address[],
  search: string,
): Address[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return list.filter(address => {
    const { address_id, name, company, phone, street, street2, city, state, zip } = address
    const text = [address_id, name, company, phone, street, street2, city, state, zip]
      .join(' ')
      .toLowerCase()
    return words.every(word => text.includes(word))
  })
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
