import { expect, test } from 'vitest'
import {
  registerErrorsFor,
  EMPTY_REGISTER_FORM,
  registerErrorsFromServer,
} from './register-form.ts'

const filled = {
  name: 'Ana',
  email: 'ana@example.com',
  password: 'eight888',
  confirmPassword: 'eight888',
}

test('all four fields are asked for', () => {
  expect(registerErrorsFor(EMPTY_REGISTER_FORM)?.form).toBe('Please fill in all fields')
  expect(registerErrorsFor({ ...filled, name: '  ' })).toEqual({
    form: 'Please fill in all fields',
    fields: { name: true },
  })
})

test('passwords that differ are told at the second one', () => {
  expect(registerErrorsFor({ ...filled, confirmPassword: 'eight889' })).toEqual({
    form: null,
    fields: { confirmPassword: "Passwords don't match" },
  })
})

test('a filled form may be sent', () => {
  expect(registerErrorsFor(filled)).toBeNull()
})

test('a taken address is told at the address, once', () => {
  const email = 'This email is already registered'
  expect(registerErrorsFromServer(email, { email })).toEqual({ form: null, fields: { email } })
})

test('an unknown referral code has no field of its own and is told above the button', () => {
  expect(
    registerErrorsFromServer('Please check', { referralCode: 'Unknown referral code' }),
  ).toEqual({
    form: 'Unknown referral code',
    fields: {},
  })
})

test('a refusal without fields is told above the button', () => {
  expect(registerErrorsFromServer('Too many tries', {})).toEqual({
    form: 'Too many tries',
    fields: {},
  })
})
