import { expect, test } from 'vitest'
import { floorToCents, parseDecimal, minus, plus, times } from './decimal.ts'

const cents = (text: string): number | null => floorToCents(parseDecimal(text)!)

test('dollars are rounded down to whole cents', () => {
  expect(['0', '0.009', '1', '12.5', '12.349999999999999999999999', '26.40'].map(cents)).toEqual([
    0, 0, 100, 1250, 1234, 2640,
  ])
  expect(['-0.01', '-5'].map(cents)).toEqual([0, 0])
  // The nearest double of 1.15 times 100 is below 115.
  expect([cents('1.15'), cents('0.29'), cents('4.35')]).toEqual([115, 29, 435])
})

test('amounts times their rate are exact, unlike with doubles', () => {
  const [coins, fee, rate] = ['0.00041000', '0.00000100', '64392.23'].map(text =>
    parseDecimal(text)!,
  )
  expect(floorToCents(times(coins!, rate!))).toBe(2640)
  expect(times(minus(coins!, fee!), rate!)).toEqual({ units: 40900n * 6439223n, scale: 10 })
  expect(times(parseDecimal('9007199254740993.00000001')!, parseDecimal('0.01')!)).toEqual({
    units: 900719925474099300000001n,
    scale: 10,
  })
  expect(plus(parseDecimal('0.1')!, parseDecimal('0.2')!)).toEqual({ units: 3n, scale: 1 })
})

test('anything but a plain decimal is refused, and so is an amount beyond the exact range', () => {
  const others = [
    '',
    ' 1',
    '1.',
    '.5',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1,5',
    '1'.repeat(41),
    '--1',
    '１',
  ]
  expect(others.map(text => parseDecimal(text))).toEqual(others.map(() => null))
  expect(cents('900719925474099.93')).toBeNull()
})
