import { expect, test } from 'vitest'
import { SCOPES } from '#contract/keys.ts'
import {
  accessText,
  EMPTY_KEY_FORM,
  keyBodyFrom,
  keyFormErrors,
  limitFrom,
  scopesFrom,
  withAccess,
} from './new-key.ts'

test.each([
  ['', null],
  ['  ', null],
  ['250', 250],
  ['$1,250.50', 1250.5],
  ['0.01', 0.01],
  ['0', undefined],
  ['0.001', undefined],
  ['-5', undefined],
  ['1,5', undefined],
  ['1e3', undefined],
  ['12345678901', undefined],
  ['ten', undefined],
])('a daily limit typed as %o is %o', (text, dollars) => {
  expect(limitFrom(text)).toBe(dollars)
})

test('a form tells what is missing', () => {
  const form = { ...EMPTY_KEY_FORM, access: 'custom' as const, limit: 'x' }
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

test('Read only changes nothing, Everything is every permission, and Custom starts from the preset', () => {
  const read = withAccess(EMPTY_KEY_FORM, 'read')
  expect(scopesFrom(read).every(scope => scope.endsWith(':read'))).toBe(true)
  expect(scopesFrom(withAccess(read, 'all'))).toEqual(SCOPES)
  const own = withAccess(read, 'custom')
  expect(scopesFrom(own)).toEqual(scopesFrom(read))
  const fewer = { ...own, scopes: ['labels:read' as const] }
  expect(scopesFrom(withAccess(withAccess(fewer, 'custom'), 'buy'))).toEqual([
    'labels:buy',
    'labels:read',
  ])
  expect(scopesFrom(fewer)).toEqual(['labels:read'])
})

test('the list names the permissions of a key', () => {
  expect(accessText(['labels:buy', 'labels:read'])).toBe('Buy labels, Read labels')
  expect(accessText([...SCOPES].reverse())).toBe('Everything')
})
