import { expect, test } from 'vitest'
import type { StoredAddress } from '#server/carriers/port.ts'
import { redact } from './redact.ts'

const june: StoredAddress = {
  name: 'June Rivera',
  company: 'Olive & Co. (West)',
  phone: '559-555-0110',
  street1: '2210 E Olive Ave',
  street2: 'Apt 4B',
  city: 'Fresno',
  state: 'CA',
  zip: '93701-2208',
  country: 'US',
}
const clean = (message: string): string => redact(message, [june], '9800000000000000000017')

test.each([
  [
    'ADDRESS_UNDELIVERABLE: Address not deliverable',
    'ADDRESS_UNDELIVERABLE: Address not deliverable',
  ],
  [
    'No such address: 2210 E OLIVE AVE, APT 4B, FRESNO CA 93701',
    'No such address: […], […], […] CA […]',
  ],
  ['Addressee june  rivera unknown', 'Addressee […] unknown'],
  ['MS RIVERA has moved', 'MS […] has moved'],
  ['Olive & Co. (West) refuses parcels', '[…] refuses parcels'],
  ['ZIP+4 93701-2208 does not exist', 'ZIP+4 […] does not exist'],
])('the address of the label is redacted: %s', (said, read) => {
  expect(clean(said)).toBe(read)
})

test.each([
  ['Contact depot.west@carrier.example for help', 'Contact […] for help'],
  ['Call (800) 555-0199 or +1 559.555.0110', 'Call […] or […]'],
  ['invalid api_key: EZTKa1b2c3d4', 'invalid api_key: […]'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: […]'],
  ['request 3fa85f64-5717-4562-b3fc-2c963f66afa6 failed', 'request […] failed'],
  ['account 100200300400500 is blocked', 'account […] is blocked'],
])('emails, phone numbers and keys are redacted: %s', (said, read) => {
  expect(clean(said)).toBe(read)
})

test('the label’s tracking number, short numbers and long words are kept', () => {
  const said =
    'Label 9800000000000000000017 weighs 12 lb: delivery-confirmation-required, error 80105'
  expect(clean(said)).toBe(said)
})

test('words that only begin like a name are kept', () => {
  expect(clean('Juneau is closed, Fresnoville too')).toBe('Juneau is closed, Fresnoville too')
})
