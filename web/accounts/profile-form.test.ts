import { expect, test } from 'vitest'
import { profileErrorsFor as checkProfile } from './profile-form.ts'
import { resetErrorsFor as checkReset } from './reset-form.ts'

test('a name can be saved alone, also with an autofilled current password', () => {
  expect(checkProfile({ name: 'Ana', password: '', currentPassword: '' })).toEqual({})
  expect(checkProfile({ name: 'Ana', password: '', currentPassword: 'filled in' })).toEqual({})
})

test('a new password requires the current one', () => {
  expect(checkProfile({ name: ' ', password: 'new one', currentPassword: '' })).toEqual({
    name: 'Name is required',
    currentPassword: 'Current Password is required',
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
