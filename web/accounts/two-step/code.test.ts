import { expect, test } from 'vitest'
import { codeDigits, groupedKey, newAppName } from './code.ts'
import { isIpAddress } from './passkeys.ts'

test('a code may be pasted with spaces and dashes, and is cut after six digits', () => {
  expect(codeDigits('123 456')).toBe('123456')
  expect(codeDigits(' 123-456\n')).toBe('123456')
  expect(codeDigits('1234567')).toBe('123456')
  expect(codeDigits('code')).toBe('')
})

test('a setup key is shown in groups of four', () => {
  expect(groupedKey('JBSWY3DPEHPK3PXP')).toBe('JBSW Y3DP EHPK 3PXP')
  expect(groupedKey('JBSWY3')).toBe('JBSW Y3')
})

test('a site opened by its IP address has no passkeys', () => {
  expect(['127.0.0.1', '192.168.1.20', '[::1]'].map(isIpAddress)).toEqual([true, true, true])
  expect(['localhost', 'ship.example.com', '1.example.com'].map(isIpAddress)).toEqual([
    false,
    false,
    false,
  ])
})

test('a new app has a name that no other method has', () => {
  const named = (...names: string[]) => newAppName(names.map(name => ({ name })))
  expect(named()).toBe('Authenticator app')
  expect(named('My phone')).toBe('Authenticator app')
  expect(named('authenticator app ')).toBe('Authenticator app 2')
  expect(named('Authenticator app', 'Authenticator app 2')).toBe('Authenticator app 3')
})
