import { expect, test } from 'vitest'
import { nameErrorFor, passwordErrorsFor as checkPassword } from './profile-form.ts'
import { resetErrorsFor as checkReset } from './reset-form.ts'

test('a name cannot be blank', () => {
  expect(nameErrorFor('Ana')).toBeUndefined()
  expect(nameErrorFor(' ')).toBe('Name is required')
})

test('a new password requires the current one', () => {
  expect(checkPassword({ password: 'new one', currentPassword: 'old one' })).toEqual({})
  expect(checkPassword({ password: 'new one', currentPassword: '' })).toEqual({
    currentPassword: 'Current Password is required',
  })
  expect(checkPassword({ password: '', currentPassword: 'filled in' })).toEqual({
    password: 'New Password is required',
  })
})

test('a password reset requires the new password twice', () => {
  expect(checkReset({ password: '', confirmPassword: '' })).toEqual({
    password: 'New Password is required',
    confirmPassword: 'Confirm Password is required',
  })
  expect(checkReset({ password: 'one', confirmPassword: 'two' })).toEqual({
    confirmPassword: "Passwords don't match",
  })
  expect(checkReset({ password: ' one ', confirmPassword: ' one ' })).toEqual({})
})
