/** Maps a saved address to the sender fields of a row, whose rules validate it. Pure. */
import type { AddressForm, SavedAddress } from '#contract/addresses.ts'
import { cellError, rowErrors } from '#contract/row-rules.ts'
import { emptyRow, tidyRow } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import { texts } from './texts.ts'

export type AddressField = keyof AddressForm
type AddressErrors = Partial<Record<AddressField, string>>

type AddressSenderField = Exclude<AddressField, 'address_id'>
const ROW_FIELD_BY_ADDRESS_FIELD: Record<AddressSenderField, RowField> = {
  name: 'FromSenderName',
  company: 'FromCompany',
  phone: 'FromPhone',
  street: 'FromStreet1',
  street2: 'FromStreet2',
  city: 'FromCity',
  state: 'FromStateProvince',
  zip: 'FromZipPostal',
  country: 'FromCountry',
}
const FIELD_PAIRS = Object.entries(ROW_FIELD_BY_ADDRESS_FIELD) as [AddressSenderField, RowField][]

export const toSenderFields = (address: AddressForm): Partial<BulkRow> =>
  Object.fromEntries(FIELD_PAIRS.map(([field, name]) => [name, address[field]]))

/** The sender that a page chooses first: the default one, else the oldest. */
export const preselectedSender = (addresses: readonly SavedAddress[]): SavedAddress | undefined =>
  addresses.find(({ isDefault }) => isDefault) ?? addresses[0]

/** Empty when valid. The server applies the same rules again. */
export function addressErrors(form: AddressForm): AddressErrors {
  const row = tidyRow({ ...emptyRow(), ...toSenderFields(form) })
  const found = rowErrors(row, { needService: false })
  const errors: AddressErrors = {}
  if (form.address_id.trim() === '') errors.address_id = texts.idMissing
  for (const [field, name] of FIELD_PAIRS) {
    const text = found[name] ?? (field === 'phone' ? cellError(name, row[name], row) : null)
    if (text) errors[field] = text
  }
  return errors
}
