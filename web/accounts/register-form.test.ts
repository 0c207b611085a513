import { expect, test } from 'vitest'
import { formProblemsFrom } from '#web/client/form-problems.ts'
import { ApiError } from '#web/client/send.ts'
import { registerErrorsFor, EMPTY_REGISTER_FORM } from './register-form.ts'

const errorsFromServer = (message: string, errors: Record<string, string>) =>
  formProblemsFrom(new ApiError(409, message, errors), EMPTY_REGISTER_FORM, '')

const filled = {
  name: 'Ana',
  email: 'ana@example.com',
  password: 'eight888',
  confirmPassword: 'eight888',
}

test('all four fields are required', () => {
  expect(registerErrorsFor(EMPTY_REGISTER_FORM)?.form).toBe('Please fill in all fields')
  expect(registerErrorsFor({ ...filled, name: '  ' })).toEqual({
    form: 'Please fill in all fields',
    fields: { name: true },
  })
})

test('different passwords show an error at the second field', () => {
  expect(registerErrorsFor({ ...filled, confirmPassword: 'eight889' })).toEqual({
    form: null,
    fields: { confirmPassword: "Passwords don't match" },
  })
})

test('a complete form is valid', () => {
  expect(registerErrorsFor(filled)).toBeNull()
})

test('a taken email shows one error, at its field', () => {
  const email = 'This email is already registered'
  expect(errorsFromServer(email, { email })).toEqual({ form: null, fields: { email } })
})

test('an unknown referral code, which has no field, shows an error above the button', () => {
  expect(errorsFromServer('Please check', { referralCode: 'Unknown referral code' })).toEqual({
    form: 'Unknown referral code',
    fields: {},
  })
})

test('a refusal without fields shows above the button', () => {
  expect(errorsFromServer('Too many tries', {})).toEqual({
    form: 'Too many tries',
    fields: {},
  })
})
