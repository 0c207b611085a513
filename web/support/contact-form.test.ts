import { expect, test } from 'vitest'
import { contactErrors } from './contact-form.ts'

const form = { name: 'June', email: 'june@example.com', subject: 'A label', message: 'Where?' }

test('a visitor names themselves, a customer does not have to', () => {
  expect(contactErrors(form, false)).toEqual({})
  expect(contactErrors({ ...form, name: '', email: ' ' }, false)).toEqual({
    name: 'Name is required',
    email: 'Email is required',
  })
  expect(contactErrors({ ...form, name: '', email: '' }, true)).toEqual({})
})

test('an empty message and a wrong address are named', () => {
  expect(contactErrors({ ...form, email: 'june@', message: '\n' }, false)).toEqual({
    email: 'Enter your email, such as ana@example.com',
    message: 'Message is required',
  })
})
