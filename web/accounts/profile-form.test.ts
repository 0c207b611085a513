import { expect, test } from 'vitest'
import { profileErrorsFor as checkProfile } from './profile-form.ts'
import { resetErrorsFor as checkReset } from './reset-form.ts'

test('a name alone may be saved, whatever the browser filled in as the current password', () => {
  expect(checkProfile({ name: 'Ana', password: '', currentPassword: '' })).toEqual({})
  expect(checkProfile({ name: 'Ana', password: '', currentPassword: 'filled in' })).toEqual({})
})

test('a new password asks for the current one', () => {
  expect(checkProfile({ name: ' ', password: 'new one', currentPassword: '' })).toEqual({
    name: 'Name is required',
    currentPassword: 'Current Password is required',
  })
})

test('a forgotten password is set by typing the new one twice', () => {
  expect(checkReset({ password: '', confirmPassword: '' })).toEqual({
    password: 'New Password is required',
    confirmPassword: 'Confirm Password is required',
  })
  expect(checkReset({ password: 'one', confirmPassword: 'two' })).toEqual({
    confirmPassword: "Passwords don't match",
  })
  expect(checkReset({ password: ' one ', confirmPassword: ' one ' })).toEqual({})
})
