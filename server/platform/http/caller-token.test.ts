import { expect, test } from 'vitest'
import { isKey, tokenOf } from './caller-token.ts'

const KEY = 'evp_test_0123'
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test.each([
  ['the header token', { token: KEY }],
  ['Bearer', { authorization: `Bearer ${KEY}` }],
  ['Bearer in any letter case', { authorization: `bearer  ${KEY} ` }],
  ['the user name of Basic', { authorization: basic(`${KEY}:`) }],
  ['the user name of Basic without a colon', { authorization: basic(KEY) }],
  ['the user name of Basic with some password', { authorization: basic(`${KEY}:x:y`) }],
])('a key is read from %s', (_, headers) => {
  expect(tokenOf({ headers })).toBe(KEY)
  expect(isKey(KEY)).toBe(true)
})

test('the header token is read before Authorization, which may be of a proxy in front', () => {
  const authorization = basic('operator:secret')
  expect(tokenOf({ headers: { token: 'sl_x', authorization } })).toBe('sl_x')
  expect(tokenOf({ headers: { authorization } })).toBe('')
})

test.each([
  {},
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Digest username=x' },
  { authorization: `Bearer ${KEY} ${KEY}` },
  { authorization: 'Basic %%%' },
  { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x' },
  { authorization: 'Bearer sl_session' },
])('%o has no token', headers => {
  expect(tokenOf({ headers })).toBe('')
})
