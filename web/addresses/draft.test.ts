import { expect, test } from 'vitest'
import { ApiError } from '#web/client/send.ts'
import { complaintFrom, draftOf, newAddress, REQUIRED } from './draft.ts'

test('a new address is in the United States and has nothing else', () => {
  expect(Object.entries(newAddress()).filter(([, text]) => text !== '')).toEqual([['country', 'US']])
})

test('company, phone and second street line are the only fields that may stay empty', () => {
  expect(Object.keys(newAddress()).filter(name => !REQUIRED.has(name as 'name'))).toEqual(['company', 'phone', 'street2'])
})

test('editing begins with the saved text and without the record number', () => {
  expect(draftOf({ ...newAddress(), _id: '7', address_id: 'Warehouse' })).toEqual({ ...newAddress(), address_id: 'Warehouse' })
})

test('an address name that is taken is said at its field and nowhere else', () => {
  const text = 'This Address ID already exists'
  expect(complaintFrom(new ApiError(409, text, { address_id: text }))).toEqual({ fields: { address_id: text }, form: null })
})

test('a refusal without a field is said for the whole form, in the words of the server or the specified ones', () => {
  expect(complaintFrom(new ApiError(429, 'Please wait a minute')).form).toBe('Please wait a minute')
  expect(complaintFrom(new ApiError(0, '')).form).toBe('Submission failed')
  expect(complaintFrom(new ApiError(422, 'x', { planet: 'Mars is too far' }))).toEqual({ fields: {}, form: 'Mars is too far' })
})
