import { expect, test } from 'vitest'
import { addsUp, COLUMN_UNITS, measureUnit, parseMeasureWithUnit } from './measures.ts'
import type { ColumnUnit } from './measures.ts'

const weight = (text: string, unit?: ColumnUnit) => parseMeasureWithUnit(text, 'weight', unit)
const length = (text: string, unit?: ColumnUnit) => parseMeasureWithUnit(text, 'length', unit)

test.each([
  ['8 oz', '0.5'],
  ['8oz.', '0.5'],
  ['1 lb 4 oz', '1.25'],
  ['1lb, 4 ounces', '1.25'],
  ['0.5kg', '1.1023'],
  ['500 g', '1.1023'],
  ['.5 KG', '1.1023'],
])('a weight of %s is %s lb, and the note says so', (text, value) => {
  expect(weight(text)).toEqual({ value, note: `${text} read as ${value} lb` })
})

test.each([
  ['30 cm', '11.811'],
  ['254mm', '10'],
  ['1 ft 2 in', '14'],
  [`1' 2"`, '14'],
  ['2 feet', '24'],
])('a length of %s is %s in', (text, value) => {
  expect(length(text)).toEqual({ value, note: `${text} read as ${value} in` })
})

test('a column in ounces makes pounds of plain figures; the unit of a cell counts more', () => {
  expect(weight('8', 'oz')).toEqual({ value: '0.5', note: '8 oz read as 0.5 lb' })
  expect(weight('2 lb', 'oz')).toEqual({ value: '2', note: null })
})

test('pounds and inches stay as they are written', () => {
  for (const text of ['1.50', '+3', '0.0625'])
    expect(weight(text)).toEqual({ value: text, note: null })
  expect([weight('2 lbs'), length('12in'), length('9"')]).toEqual([
    { value: '2', note: null },
    { value: '12', note: null },
    { value: '9', note: null },
  ])
})

test('only pounds and ounces, or feet and inches, are parts of one measure', () => {
  const sums = COLUMN_UNITS.flatMap(a => COLUMN_UNITS.map(b => addsUp(a, b) && `${a} ${b}`))
  expect(sums.filter(Boolean)).toEqual(['lb oz', 'oz lb', 'in ft', 'ft in'])
})

test('an unknown unit is named with those that are known', () => {
  expect(weight('3 stone')).toEqual({
    value: '3 stone',
    error: "'3 stone' has an unknown unit; use lb, oz, kg or g",
  })
  expect(length('1 m')).toMatchObject({ error: expect.stringContaining('use in, cm, mm or ft') })
  expect(weight('30 cm')).toMatchObject({ error: expect.stringContaining('unknown unit') })
})

test('text that is no measure is left for the rules of a row', () => {
  for (const text of ['', 'abc', '-1', '1,5 kg', '1e3', '0x10', 'x'.repeat(1e6)])
    expect(weight(text)).toEqual({ value: text, note: null })
})

test('a figure with a comma keeps the unit of its column, so that the remedy is in pounds', () => {
  expect(weight('2,5', 'oz')).toEqual({ value: '2,5 oz', note: null })
  expect(weight('2,5', 'lb')).toEqual({ value: '2,5', note: null })
})

test('units are known in their usual spellings', () => {
  expect(
    ['Lbs.', 'ounces', ' KG ', 'grams'].map(spelling => measureUnit(spelling, 'weight')),
  ).toEqual(['lb', 'oz', 'kg', 'g'])
  expect([measureUnit('cm', 'weight'), measureUnit('stone', 'weight')]).toEqual([null, null])
})
