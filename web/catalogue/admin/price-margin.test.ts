import { expect, test } from 'vitest'
import {
  barsOf,
  costsByPound,
  costWords,
  marginWords,
  parcelPriceRows,
  partsOfPrice,
  priceSteps,
  informativeRows,
} from './price-margin.ts'

const step = (price: number | null, from = 1, to = 2) => ({ from, to, price })
const costs = (light: number, heavy: number) => [
  { pounds: 1, cost: light },
  { pounds: 2, cost: heavy },
]

test('ranges are steps, a gap or an overlap is a step without a price', () => {
  expect(
    priceSteps(
      [
        { fromWeight: 1, toWeight: 20, price: 6.5 },
        { fromWeight: 20, toWeight: 30, price: 8 },
        { fromWeight: 41, toWeight: 75, price: 9.5 },
      ],
      70,
    ),
  ).toEqual([
    { from: 1, to: 19, price: 6.5 },
    { from: 20, to: 20, price: null },
    { from: 21, to: 30, price: 8 },
    { from: 31, to: 40, price: null },
    { from: 41, to: 70, price: 9.5 },
  ])
})

test('the cost of a range is said in words, with the weights that it is known for', () => {
  expect(costWords(step(6.5), costs(4, 4))).toEqual({ figure: '$4.00', known: null })
  expect(costWords(step(6.5), costs(4, 5.93))).toEqual({ figure: '$4.00 to $5.93', known: null })
  expect(costWords(step(6.5, 2, 3), costs(4, 5.93))).toEqual({ figure: '$5.93', known: 'at 2 lb' })
  expect(costWords(step(6.5, 3, 4), costs(4, 5.93))).toBeNull()
})

test('the margin of a range is said in words', () => {
  expect(marginWords(step(6.5), costs(4, 4))).toEqual({
    figure: '$2.50',
    share: '38.5%',
    known: null,
    loss: false,
  })
  expect(marginWords(step(6.5), costs(4, 5.93))).toEqual({
    figure: '$0.57 to $2.50',
    share: null,
    known: null,
    loss: false,
  })
  expect(marginWords(step(6.5), costs(6.5, 6.5))).toEqual({
    figure: 'Sold at cost',
    share: null,
    known: null,
    loss: false,
  })
})

test('a range below cost says by how much', () => {
  expect(marginWords(step(6.5), costs(7, 7))).toEqual({
    figure: '$0.50 below cost',
    share: null,
    known: null,
    loss: true,
  })
  expect(marginWords(step(6.5), costs(7, 9))).toEqual({
    figure: '$0.50 to $2.50 below cost',
    share: null,
    known: null,
    loss: true,
  })
  expect(marginWords(step(6.5), costs(4, 7.1))).toEqual({
    figure: 'Up to $0.60 below cost, margin up to $2.50',
    share: null,
    known: null,
    loss: true,
  })
})

test('unknown costs are said, and a range without a price has no margin', () => {
  expect(marginWords(step(6.5), [])).toEqual({
    figure: 'Unknown',
    share: null,
    known: null,
    loss: false,
  })
  expect(marginWords(step(6.5, 1, 20), costs(4, 5))).toEqual({
    figure: '$1.50 to $2.50',
    share: null,
    known: 'at 1 to 2 lb',
    loss: false,
  })
  expect(marginWords(step(null), costs(4, 5))).toBeNull()
})

test('weights of which no label was bought cost what was uploaded', () => {
  expect(
    costsByPound(
      [{ pounds: 2, cost: 5.93 }],
      [
        { fromWeight: 1, toWeight: 3, price: 6 },
        { fromWeight: 4, toWeight: 4, price: 7 },
      ],
    ),
  ).toEqual([
    { pounds: 1, cost: 6 },
    { pounds: 2, cost: 5.93 },
    { pounds: 3, cost: 6 },
    { pounds: 4, cost: 7 },
  ])
})

test('the weights whose cost is known are named by their spans', () => {
  const known = (...pounds: number[]) =>
    marginWords(
      step(6.5, 1, 70),
      pounds.map(weight => ({ pounds: weight, cost: 4 })),
    )?.known
  expect(known(2)).toBe('at 2 lb')
  expect(known(1, 2, 3, 9)).toBe('at 1 to 3 and 9 lb')
  expect(known(1, 3, 5, 7, 60)).toBe('at 5 weights from 1 to 60 lb')
})

const range = (fromWeight: number, toWeight: number, price: number) => ({
  fromWeight,
  toWeight,
  price,
})

test('what parcels pay is said for a few weights, none above the limit, and for those whose cost is known', () => {
  const weights = (maxWeight: number, ...known: number[]) =>
    parcelPriceRows(
      [],
      [],
      known.map(pounds => ({ pounds, cost: 4 })),
      maxWeight,
    ).map(({ pounds }) => pounds)
  expect(weights(70)).toEqual([1, 2, 5, 20, 70])
  expect(weights(15)).toEqual([1, 2, 5, 15])
  expect(weights(1)).toEqual([1])
  expect(weights(70, 3, 5)).toEqual([1, 2, 3, 5, 20, 70])
  expect(weights(70, 3, 4, 5, 6)).toEqual([1, 2, 5, 20, 70])
})

test('a parcel has a margin where its price and its cost are known', () => {
  expect(
    parcelPriceRows(
      [range(1, 20, 6.5)],
      [range(1, 4, 4), range(6, 20, 9)],
      [
        { pounds: 1, cost: 5.93 },
        { pounds: 5, cost: 6 },
        { pounds: 20, cost: 8.4 },
      ],
      20,
    ),
  ).toEqual([
    { pounds: 1, before: 6.5, price: 4, cost: 5.93, margin: -1.93 },
    { pounds: 2, before: 6.5, price: 4, cost: null, margin: null },
    { pounds: 5, before: 6.5, price: null, cost: 6, margin: null },
    { pounds: 20, before: 6.5, price: 9, cost: 8.4, margin: 0.6 },
  ])
})

test('weights of unknown cost are left out where one of known cost pays the same', () => {
  const rows = (after: Parameters<typeof parcelPriceRows>[1], known: number[]) =>
    informativeRows(
      parcelPriceRows(
        [range(1, 70, 6.5)],
        after,
        known.map(pounds => ({ pounds, cost: 4 })),
        70,
      ),
    ).map(({ pounds }) => pounds)
  expect(rows([range(1, 70, 6.5)], [2])).toEqual([2])
  expect(rows([range(1, 19, 6.5), range(20, 70, 9)], [2])).toEqual([2, 20, 70])
  expect(rows([range(1, 70, 6.5)], [])).toEqual([1, 2, 5, 20, 70])
})

test('one price for all weights with few known costs is shown as bars, all else as a chart', () => {
  const flat = { fromWeight: 1, toWeight: 70, price: 6.5 }
  expect(barsOf([flat], costs(4, 5.93))).toEqual({ price: 6.5, costs: costs(4, 5.93) })
  expect(barsOf([flat], [])).toEqual({ price: 6.5, costs: [] })
  expect(barsOf([flat], [...costs(4, 5), ...costs(4, 5)])).toBeNull()
  expect(barsOf([{ ...flat, toWeight: 1 }], costs(4, 5))?.costs).toEqual([{ pounds: 1, cost: 4 }])
  expect(barsOf([flat, flat], [])).toBeNull()
  expect(barsOf([], [])).toBeNull()
})

test('a price consists of the cost and a margin or a loss', () => {
  expect(partsOfPrice(6.5, 5.93)).toEqual({
    cost: 5.93,
    margin: 0.57,
    share: '8.8%',
    isLoss: false,
  })
  expect(partsOfPrice(6.5, 6.5)).toEqual({ cost: 6.5, margin: 0, share: null, isLoss: false })
  expect(partsOfPrice(5, 6.5)).toEqual({ cost: 6.5, margin: -1.5, share: null, isLoss: true })
})
