import { expect, test } from 'vitest'
import { asSentence, businessDaysText, countText, groupTracking, townText } from './format.ts'

test('tracking numbers are written in groups of four', () => {
  expect(groupTracking('9800100000000000000017')).toBe('9800 1000 0000 0000 0000 17')
  expect(groupTracking('9800 1000')).toBe('9800 1000')
  expect(groupTracking('')).toBe('')
})

test('counts use singular and plural', () => {
  expect([
    countText(1, 'row'),
    countText(0, 'row'),
    countText(12_000, 'row'),
    countText(2, 'entry', 'entries'),
  ]).toEqual(['1 row', '0 rows', '12,000 rows', '2 entries'])
})

test('a text becomes a sentence by a period at its end, unless it is one', () => {
  expect(['Too heavy', 'Too heavy.', 'Why?'].map(asSentence)).toEqual([
    'Too heavy.',
    'Too heavy.',
    'Why?',
  ])
})

test('a delivery time without a range names one number of days', () => {
  expect([businessDaysText(2, 5), businessDaysText(2, 2), businessDaysText(1, 1)]).toEqual([
    '2–5 business days',
    '2 business days',
    '1 business day',
  ])
})

test.each([
  ['UPPERCO', 'Upperco'],
  ['SUN CITY WEST', 'Sun City West'],
  ["O'FALLON", "O'Fallon"],
  ['WINSTON-SALEM', 'Winston-Salem'],
  ['ST. LOUIS', 'St. Louis'],
  ['TRAVIS AFB', 'Travis AFB'],
  ['McAllen', 'McAllen'],
  ['Fresno', 'Fresno'],
  ['', ''],
])('the town %s is written %s in a list', (typed, shown) => {
  expect(townText(typed)).toBe(shown)
})
