import { expect, test } from 'vitest'
import { naturalKey } from './natural-key.ts'

const COLLATOR = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' })
const compareKeys = (a: string, b: string): number =>
  Number(naturalKey(a) > naturalKey(b)) - Number(naturalKey(a) < naturalKey(b))

test('numbers stand in their order, with few digits and with many', () => {
  const sorted = ['SKU-1', 'SKU-09', 'SKU-10', 'SKU-10-2', 'SKU-10-11', 'SKU-100', 'SKU-A']
  expect(sorted.toReversed().toSorted(compareKeys)).toEqual(sorted)
})

test('case, accents and leading zeros make no difference', () => {
  expect(naturalKey('MUG-7')).toBe(naturalKey('mug-007'))
  expect(naturalKey('CAFÉ')).toBe(naturalKey('cafe'))
})

test('keys have the order of the collator, for every printable sign', () => {
  const signs = Array.from({ length: 95 }, (_, at) => String.fromCharCode(at + 32))
  const long = ['B07-9X', 'b07-10x', 'b7_10X', 'Tee 9', 'Tee-9', 'tee.9', 'TEE9', 'tee10', 'Té 12']
  const ends = signs.map(sign => `TEE${sign}9`)
  const texts = ['', ...signs, ...ends, ...long, `A${'9'.repeat(59)}`, `A1${'0'.repeat(58)}`]
  const pairs = texts.flatMap(a => texts.map(b => [a, b] as const))
  const others = pairs.filter(([a, b]) => compareKeys(a, b) !== Math.sign(COLLATOR.compare(a, b)))
  expect(others).toEqual([])
})
