/** Maps a saved address to the sender fields of a row, whose rules validate it. Pure. */
import { SENDER_FIELDS } from '#contract/addresses.ts'
import type { AddressForm, SavedAddress } from '#contract/addresses.ts'
import { cellError, rowErrors } from '#contract/row-rules.ts'
import { emptyRow, tidyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { texts } from './texts.ts'

export type AddressField = keyof AddressForm
type AddressErrors = Partial<Record<AddressField, string>>

export const toSenderFields = (address: AddressForm): Partial<BulkRow> =>
  Object.fromEntries(SENDER_FIELDS.map(([field, name]) => [name, address[field]]))

/** The sender that a page chooses first: the default one, else the oldest. */
export const preselectedSender = (addresses: readonly SavedAddress[]): SavedAddress | undefined =>
  addresses.find(({ isDefault }) => isDefault) ?? addresses[0]

/** Empty when valid. The server applies the same rules again. */
export function addressErrors(form: AddressForm): AddressErrors {
  const row = tidyRow({ ...emptyRow(), ...toSenderFields(form) })
  const found = rowErrors(row, { needService: false })
  const errors: AddressErrors = {}
  if (form.address_id.trim() === '') errors.address_id = texts.idMissing
  for (const [field, name] of SENDER_FIELDS) {
    const text = field === 'phone' ? cellError(name, row[name], row) : found[name]
    if (text) errors[field] = text
  }
  return errors
}
