import { expect, test } from 'vitest'
import { parseFlatPrice } from './flat-price.ts'

test('a price that holds for several weights is told with the heaviest', () => {
  expect(parseFlatPrice('$6.50 70')).toEqual({ price: '$6.50', heaviestLb: 70 })
  expect(parseFlatPrice('$1,006.50 20')).toEqual({ price: '$1,006.50', heaviestLb: 20 })
})

test('without such a price nothing is promised', () => {
  for (const content of ['', null, undefined, '$6.50 1', '$6.50 ', '{{price}} {{heaviest}}'])
    expect(parseFlatPrice(content)).toBeNull()
})
