import { expect, test } from 'vitest'
import { EMPTY_KEY_FORM, keyBodyFrom, keyFormErrors, limitFrom } from './new-key.ts'

test.each([
  ['', null],
  ['  ', null],
  ['250', 250],
  ['$1,250.50', 1250.5],
  ['0.01', 0.01],
  ['0', undefined],
  ['0.001', undefined],
  ['-5', undefined],
  ['1e3', undefined],
  ['12345678901', undefined],
  ['ten', undefined],
])('a daily limit typed as %o is %o', (text, dollars) => {
  expect(limitFrom(text)).toBe(dollars)
})

test('a form tells what is missing', () => {
  const form = { ...EMPTY_KEY_FORM, scopes: [], limit: 'x' }
  expect(Object.keys(keyFormErrors(form))).toEqual(['name', 'scopes', 'dailyLimit'])
  expect(keyFormErrors({ ...EMPTY_KEY_FORM, name: 'Shop' })).toEqual({})
})

test('a lifetime counts from now; without one the key has no end', () => {
  const form = { ...EMPTY_KEY_FORM, name: ' Shop ', limit: '$40', lifetime: '30' }
  const now = Date.UTC(2026, 10, 1)
  expect(keyBodyFrom(form, now)).toEqual({
    name: 'Shop',
    scopes: ['labels:buy', 'labels:read'],
    dailyLimit: 40,
    expiresAt: '2026-12-01T00:00:00.000Z',
  })
  expect(keyBodyFrom({ ...form, limit: '', lifetime: '' }, now)).toMatchObject({
    dailyLimit: null,
    expiresAt: null,
  })
})
