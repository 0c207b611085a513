import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import { splitSize, typedValue, withReadMeasures } from './cell-values.ts'

test('a weight or length may be typed with its unit', () => {
  expect(typedValue('PackageWeight', ' 1 lb 4 oz ')).toBe('1.25')
  expect(typedValue('PackageLength', '30 cm')).toBe('11.811')
  expect(typedValue('PackageWeight', '2 stone')).toBe('2 stone')
  expect(typedValue('ToStreet1', ' 8  oz Road ')).toBe('8 oz Road')
  const row = { ...emptyRow(), PackageWeight: '8 oz', PackageHeight: '3' }
  expect(withReadMeasures(row)).toMatchObject({ PackageWeight: '0.5', PackageHeight: '3' })
  const plain = { ...emptyRow(), PackageWeight: '8' }
  expect(withReadMeasures(plain)).toBe(plain)
})

test('a size in one cell is three sides', () => {
  expect(splitSize('9 x 6x3')).toEqual(['9', '6', '3'])
  expect(splitSize('9 × – × 3')).toEqual(['9', '', '3'])
  expect(splitSize('24*16*9 cm')).toEqual(['24 cm', '16 cm', '9 cm'])
  expect(splitSize('9 in x 6 in x 3')).toEqual(['9 in', '6 in', '3'])
  for (const text of ['', '9', '9 x 6', '1x2x3x4', 'box']) expect(splitSize(text)).toBeNull()
})
