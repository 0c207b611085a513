/** An address while it is typed, and what a refusal says about it. Pure. */
import type { AddressForm, SavedAddress } from '#contract/addresses.ts'
import { fieldErrorsOf, messageOf } from '#web/client/send.ts'
import type { AddressErrors, AddressField } from './sender.ts'
import { texts } from './texts.ts'

export const newAddress = (): AddressForm => ({
  address_id: '', name: '', company: '', phone: '', street: '', street2: '', city: '', state: '', zip: '', country: 'US',
})

/** What can be typed of a saved address. */
export function draftOf({ _id, ...form }: SavedAddress): AddressForm {
  return form
}

/** Fields that have to be filled (specification, 5); the country is always US. */
export const REQUIRED: ReadonlySet<AddressField> = new Set(['address_id', 'name', 'street', 'city', 'state', 'zip', 'country'])

/** Errors at their fields; `form` is the sentence for the whole, where none of them has a field. */
export type Complaint = { fields: AddressErrors; form: string | null }

export const NO_COMPLAINT: Complaint = { fields: {}, form: null }

/** The server's errors at their fields, else its sentence, else the specified one (specification, 5: generic form). */
export function complaintFrom(reason: unknown): Complaint {
  const entries = Object.entries(fieldErrorsOf(reason))
  const known = entries.filter(([name]) => name in texts.fields)
  const homeless = entries.filter(([name]) => !(name in texts.fields)).map(([, text]) => text)
  const form = homeless.length > 0 ? homeless.join(' ') : known.length > 0 ? null : messageOf(reason, texts.failed.submit)
  return { fields: Object.fromEntries(known), form }
}
