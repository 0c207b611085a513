import { expect, test } from 'vitest'
import type { LabelDetails } from '#contract/order-details.ts'
import { labelFormErrors } from './form.ts'
import { prefilledForm, prefillFrom, prefillPath } from './prefill.ts'

const side = (prefix: string, name: string, city: string, state: string, zip: string) => ({
  [`${prefix}_name`]: name,
  [`${prefix}_phone`]: '',
  [`${prefix}_company`]: '',
  [`${prefix}_address1`]: '100 Congress Ave',
  [`${prefix}_address2`]: '',
  [`${prefix}_city`]: city,
  [`${prefix}_state_province`]: state,
  [`${prefix}_zip_postal`]: zip,
  [`${prefix}_country`]: 'US',
})
const details: Pick<LabelDetails, 'order' | 'serviceUid'> = {
  serviceUid: 'usps:PRIORITY_MAIL',
  order: {
    sender: side('sender', 'Mason Trading', 'Austin', 'TX', '78701'),
    receiver: side('receiver', 'June Rivera', 'Fresno', 'CA', '93701'),
    package: {
      package_length: 9,
      package_width: 6,
      package_height: 3,
      package_weight: 1.5,
      package_weight_unit: 'LB',
      package_description: 'Mug',
      package_reference1: '2',
      package_reference2: 'MUG-1',
    },
  } as unknown as LabelDetails['order'],
}

test('the same label once more has everything of the first one', () => {
  const form = prefilledForm('again', details)
  expect(form).toMatchObject({
    FromSenderName: 'Mason Trading',
    FromStateProvince: 'TX',
    ToRecipientName: 'June Rivera',
    ToCity: 'Fresno',
    ToZipPostal: '93701',
    PackageWeight: '1.5',
    PackageLength: '9',
    PackageDescription: 'Mug',
    quantity: '2',
    skuNumber: 'MUG-1',
    ServiceName: 'usps:PRIORITY_MAIL',
  })
  expect(labelFormErrors(form, 70)).toEqual({})
})

test('the email of a receiver is the receiver’s again, and never that of a return', () => {
  const receiver = { ...details.order.receiver, receiver_email: 'june@example.com' }
  const mailed = { ...details, order: { ...details.order, receiver } }
  expect(prefilledForm('again', mailed).ToEmail).toBe('june@example.com')
  expect(prefilledForm('return', mailed).ToEmail).toBe('')
})

test('a return label goes from the receiver to the sender', () => {
  expect(prefilledForm('return', details)).toMatchObject({
    FromSenderName: 'June Rivera',
    FromCity: 'Fresno',
    FromStateProvince: 'CA',
    FromCountry: 'US',
    ToRecipientName: 'Mason Trading',
    ToCity: 'Austin',
    ToStateProvince: 'TX',
    PackageWeight: '1.5',
  })
})

test('the URL has the number of the label and nothing about its people', () => {
  expect(prefillPath({ kind: 'return', orderId: '81' })).toBe('/main/order-label?return=81')
  expect(prefillFrom(new URLSearchParams('return=81'))).toEqual({ kind: 'return', orderId: '81' })
  expect(prefillFrom(new URLSearchParams('again=81'))).toEqual({ kind: 'again', orderId: '81' })
  expect(prefillFrom(new URLSearchParams('again=June'))).toBeNull()
  expect(prefillFrom(new URLSearchParams(''))).toBeNull()
})
