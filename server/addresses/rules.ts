import { SENDER_FIELDS } from '#contract/addresses.ts'
import type { AddressForm } from '#contract/addresses.ts'
import type { FieldFault } from '#contract/faults.ts'
import { cellFault, rowFaults } from '#contract/row-rules.ts'
import { emptyRow, tidyPhone, tidyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { isFarTooLong, tidyWithin, tooLong } from '#contract/text.ts'
import { refuseFields } from '#server/platform/http/refusal.ts'

/** Per user; a longer select is of no use. */
export const MAX_ADDRESSES = 1_000

const MAX_ADDRESS_ID_LENGTH = 60

/**
 * The address as stored: tidy text, two-letter state, ZIP+4 with its dash, country US. Throws
 * Refusal 422 with a text for each invalid field.
 */
export function parseAddress(form: AddressForm): AddressForm {
  const row = toSenderRow(form)
  const id = tidyWithin(form.address_id, MAX_ADDRESS_ID_LENGTH)
  const faults = { ...addressIdFault(id), ...addressFieldFaults(form, row) }
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const address: AddressForm = { ...form, address_id: id }
  for (const [field, name] of SENDER_FIELDS) address[field] = row[name]
  return { ...address, phone: tidyPhone(row.FromPhone) }
}

function toSenderRow(form: AddressForm): BulkRow {
  const row = emptyRow()
  for (const [field, name] of SENDER_FIELDS) row[name] = form[field]
  return tidyRow(row)
}

function addressIdFault(id: string): { address_id?: FieldFault } {
  if (id === '') return { address_id: { code: 'required', text: 'Address ID is required' } }
  if (isFarTooLong(id, MAX_ADDRESS_ID_LENGTH))
    return { address_id: tooLong('Address ID', MAX_ADDRESS_ID_LENGTH, id.length) }
  if (id.length > MAX_ADDRESS_ID_LENGTH) {
    const text = `Address ID must be at most ${MAX_ADDRESS_ID_LENGTH} characters`
    return { address_id: { code: 'too_long', text } }
  }
  if (!/[\p{Cc}\p{Cs}]/u.test(id)) return {}
  const text = 'Address ID contains a character that cannot be printed'
  return { address_id: { code: 'character_not_printable', text } }
}

function addressFieldFaults(form: AddressForm, row: BulkRow): Record<string, FieldFault> {
  const found = rowFaults(row, { needService: false })
  const faults: Record<string, FieldFault> = {}
  for (const [field, name] of SENDER_FIELDS) {
    const fault = field === 'phone' ? cellFault(name, row[name], row) : found[name]
    if (fault) faults[field] = fault
  }
  // In a file an empty country means US; in a form the user has cleared it.
  if (form.country.trim() === '') faults.country = { code: 'required', text: 'Country is required' }
  return faults
}
