import { expect, test } from 'vitest'
import { placeOrder } from '#contract/orders.ts'
import { enterSku, filledBefore, indexBySku } from '#web/skus/fill.ts'
import {
  labelFormErrors,
  clampWeight,
  forNextReceiver,
  hasEmptySender,
  limitFill,
  newLabelForm,
} from './form.ts'
import type { LabelForm } from './form.ts'
import { formErrorsFrom, orderInputFromForm } from './order-input.ts'
import { isOutcomeUncertain } from './unconfirmed.ts'

const filled = (changes: Partial<LabelForm> = {}): LabelForm => ({
  ...newLabelForm(),
  ServiceName: 'ground',
  PackageWeight: '12',
  PackageLength: '10',
  PackageWidth: '8',
  PackageHeight: '4',
  skuNumber: 'MUG',
  FromSenderName: 'Ana Fields',
  FromStreet1: '100 Congress Ave',
  FromCity: 'Austin',
  FromStateProvince: 'TX',
  FromZipPostal: '78701',
  ToRecipientName: 'June Rivera',
  ToStreet1: '2210 E Olive Ave',
  ToCity: 'Fresno',
  ToZipPostal: '93701',
  ...changes,
})

test('a complete form has no errors', () => {
  expect(labelFormErrors(filled(), 70)).toEqual({})
})

test('an empty form has errors for the service and every required field', () => {
  const errors = labelFormErrors(newLabelForm(), 70)
  expect(Object.entries(errors)[0]).toEqual(['ServiceName', 'Please select a service'])
  expect(Object.keys(errors)).toEqual(
    expect.arrayContaining([
      'PackageWeight',
      'PackageLength',
      'PackageWidth',
      'PackageHeight',
      'FromSenderName',
      'FromStreet1',
      'FromCity',
      'FromStateProvince',
      'FromZipPostal',
      'ToRecipientName',
      'ToStreet1',
      'ToCity',
      'ToZipPostal',
    ]),
  )
})

test('the receiver begins in California, the sender nowhere, and one piece is in the parcel', () => {
  expect(newLabelForm()).toMatchObject({
    FromStateProvince: '',
    ToStateProvince: 'CA',
    quantity: '1',
    FromCountry: 'US',
    ToCountry: 'US',
  })
})

test('a sender is empty until something about it is entered', () => {
  expect(hasEmptySender(newLabelForm())).toBe(true)
  expect(hasEmptySender(filled({ FromPhone: '' }))).toBe(false)
  expect(hasEmptySender({ ...newLabelForm(), FromPhone: '5' })).toBe(false)
  expect(hasEmptySender({ ...newLabelForm(), ToRecipientName: 'June' })).toBe(true)
})

test('a weight above the maximum of the service is reset to it', () => {
  expect(clampWeight('71', 70)).toBe('70')
  expect(clampWeight('70', 70)).toBe('70')
  expect(clampWeight('', 70)).toBe('')
})

test('after a purchase the sender and package stay and the receiver is empty', () => {
  const ordered = filled({ ToStateProvince: 'NY', ToStreet2: 'Apt 4' })
  expect(forNextReceiver(ordered, ordered)).toEqual(
    filled({
      ToRecipientName: '',
      ToStreet1: '',
      ToStreet2: '',
      ToCity: '',
      ToZipPostal: '',
      ToStateProvince: 'CA',
    }),
  )
})

test('a receiver that was changed while the label was being bought stays; after other changes it is cleared', () => {
  const ordered = filled()
  for (const changes of [{ ToStreet1: '9 Pine Road' }, { ToEmail: 'june@example.com' }])
    expect(forNextReceiver(filled(changes), ordered)).toEqual(filled(changes))
  expect(forNextReceiver(filled({ PackageWeight: '3' }), ordered)).toEqual(
    forNextReceiver(filled({ PackageWeight: '3' }), filled({ PackageWeight: '3' })),
  )
})

test('the receiver’s email is optional, goes with the order, and leaves the form with its receiver', () => {
  expect(labelFormErrors(filled({ ToEmail: 'june@' }), 70)).toEqual({
    ToEmail: 'Email must be an address like name@example.com',
  })
  const june = filled({ ToEmail: ' june@example.com ' })
  expect(labelFormErrors(june, 70)).toEqual({})
  expect(orderInputFromForm('7', june).receiver).toMatchObject({
    receiver_email: 'june@example.com',
  })
  expect(orderInputFromForm('7', filled()).receiver).not.toHaveProperty('receiver_email')
  expect(forNextReceiver(june, june).ToEmail).toBe('')
  expect(formErrorsFrom({ receiver_email: 'No address' }).fields).toEqual({ ToEmail: 'No address' })
})

test('the request body has quantity and SKU as references', () => {
  const body = orderInputFromForm('7', filled({ quantity: '3' }))
  expect(placeOrder.body!.safeParse(body).success).toBe(true)
  expect(body).toMatchObject({
    user_id: '7',
    courier: 'usps',
    sender: { sender_country: 'US' },
    receiver: { receiver_state_province: 'CA' },
    package: {
      package_reference1: '3',
      package_reference2: 'MUG',
      package_weight: '12',
      package_weight_unit: 'LB',
    },
  })
})

test('each server error is shown at its field, and errors without a field are kept', () => {
  expect(
    formErrorsFrom({
      receiver_zip_postal: 'To Zip is required',
      service_name: 'Please select a service',
      quantity: 'q',
      weather: 'Rain',
    }),
  ).toEqual({
    fields: {
      ToZipPostal: 'To Zip is required',
      ServiceName: 'Please select a service',
      quantity: 'q',
    },
    others: ['Rain'],
  })
})

test('only a lost response or a server error leaves the purchase unconfirmed', () => {
  expect([0, 402, 409, 422, 429, 500, 503].filter(isOutcomeUncertain)).toEqual([0, 500, 503])
})

test('another SKU replaces a weight that a service had limited, but not one that was typed', () => {
  const crate = {
    sku: 'CRATE',
    maxQty: 1,
    weight: 30,
    length: 8,
    width: 6,
    height: 4,
    description: '',
  }
  const skus = indexBySku([crate, { ...crate, sku: 'MUG', weight: 2 }])
  const crateForm = { ...newLabelForm(), skuNumber: 'CRATE' }
  const { row, fill } = enterSku(crateForm, filledBefore(newLabelForm()), skus)
  const withMug = (PackageWeight: string) => {
    const form = { ...row, skuNumber: 'MUG', PackageWeight }
    return enterSku(form, limitFill(fill, form, 20), skus).row
  }
  expect(withMug('20').PackageWeight).toBe('2')
  expect(withMug('30').PackageWeight).toBe('2')
  expect(withMug('12').PackageWeight).toBe('12')
})
