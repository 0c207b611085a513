import { expect, test } from 'vitest'
import { stateCode, STATES } from './states.ts'

test('the 50 states come first, then DC, the territories and military mail', () => {
  expect(STATES).toHaveLength(59)
  expect(STATES.slice(0, 50).map(state => state.code)).not.toContain('DC')
  expect(STATES.slice(50).map(state => state.code)).toEqual([
    'DC',
    'PR',
    'VI',
    'GU',
    'AS',
    'MP',
    'AA',
    'AE',
    'AP',
  ])
  expect(new Set(STATES.map(state => state.code)).size).toBe(59)
})

test('a state is accepted in its usual spellings', () => {
  const written = [
    'tx',
    'Texas',
    ' NEW  YORK ',
    'N. Carolina',
    'Wash.',
    'Washington, D.C.',
    'd.c.',
    'US Virgin Islands',
    'Fla',
    'ae',
    'puerto rico',
    'Armed Forces (AA)',
    'Armed Forces (AE)',
    'Armed Forces (AP)',
    'United States (US) Virgin Islands',
    'Virgin Islands (US)',
  ]
  expect(written.map(stateCode)).toEqual([
    'TX',
    'TX',
    'NY',
    'NC',
    'WA',
    'DC',
    'DC',
    'VI',
    'FL',
    'AE',
    'PR',
    'AA',
    'AE',
    'AP',
    'VI',
    'VI',
  ])
})

test('every code and every full name is accepted', () => {
  for (const { code, name } of STATES) {
    expect(stateCode(code.toLowerCase())).toBe(code)
    expect(stateCode(name.toLowerCase())).toBe(code)
  }
})

test('text that is not a state is refused', () => {
  for (const text of [
    '',
    'TE',
    'Ontario',
    '90210',
    'constructor',
    '__proto__',
    'x'.repeat(100_000),
  ])
    expect(stateCode(text)).toBeNull()
})
