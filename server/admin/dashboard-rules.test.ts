import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { booksOf, figuresOf, monthsOf, periodStartsOf } from './dashboard-rules.ts'

const moved = (transfers: number, amount: number, cost = 0) => ({
  transfers,
  cents: cents(amount),
  cost: cents(cost),
})

test('margin is label revenue less refunds less carrier cost', () => {
  const figures = figuresOf({
    capture: moved(3, 2550, 1800),
    refund: moved(1, 950, 590),
    release: moved(1, 650),
    deposit: moved(2, 5000),
  })
  expect(figures).toEqual({
    labels: 3,
    failed: 1,
    voided: 1,
    revenue: 1600,
    carrierCost: 1210,
    margin: 390,
    failureRate: 0.25,
    depositsSettled: 5000,
    depositCount: 2,
    takenBack: 0,
  })
})

test('deposits are net of reversals, also of earlier deposits', () => {
  expect(figuresOf({ deposit: moved(2, 5000), reversal: moved(1, 1200) })).toMatchObject({
    depositsSettled: 3800,
    depositCount: 2,
    takenBack: 1200,
  })
  expect(figuresOf({ reversal: moved(1, 700) })).toMatchObject({
    depositsSettled: -700,
    depositCount: 0,
    takenBack: 700,
  })
})

test('the months of a reader begin at local midnights, and there are thirteen of them', () => {
  const months = monthsOf(new Date('2026-03-01T04:30:00Z'), { timezone: 'America/New_York' })
  expect(months.map(({ date }) => date.slice(0, 7))).toEqual(
    ['2025-02', '2025-03', '2025-04', '2025-05', '2025-06', '2025-07', '2025-08', '2025-09'].concat(
      ['2025-10', '2025-11', '2025-12', '2026-01', '2026-02'],
    ),
  )
  expect(new Date(months.at(-1)!.at).toISOString()).toBe('2026-02-01T05:00:00.000Z')
})

test('a month ends with what the next one begins with, and months before the first movement are left out', () => {
  const month = (n: number) => new Date(Date.UTC(2026, n, 1))
  const quiet = { from: month(0), totals: {}, adjusted: cents(0) }
  const books = booksOf(
    [
      quiet,
      { from: month(1), totals: { deposit: moved(1, 9000) }, adjusted: cents(-500) },
      { ...quiet, from: month(2) },
      {
        from: month(3),
        totals: {
          deposit: moved(1, 1000),
          reversal: moved(1, 200),
          capture: moved(2, 1300, 1186),
          refund: moved(1, 650, 593),
          carrier_charge: moved(1, 75),
          carrier_credit: moved(1, 25),
          carrier_cost: moved(1, 75),
        },
        adjusted: cents(0),
      },
    ],
    cents(8600),
  )
  expect(
    books.map(one => [one.opening, one.depositsSettled, one.charged, one.refunded, one.closing]),
  ).toEqual([
    [8500, 800, 1375, 675, 8600],
    [8500, 0, 0, 0, 8500],
    [0, 9000, 0, 0, 8500],
  ])
  expect(books[0]).toMatchObject({ labels: 2, voided: 1, carrierCost: 668, margin: 32 })
  expect(booksOf([quiet], cents(0))).toEqual([])
})

test('a period without settlements has no failure rate', () => {
  expect(figuresOf({ deposit: moved(1, 100) })).toMatchObject({
    labels: 0,
    revenue: 0,
    margin: 0,
    failureRate: null,
  })
})

test('voids of earlier labels can make revenue and cost negative', () => {
  expect(figuresOf({ refund: moved(2, 1300, 1100) })).toMatchObject({
    revenue: -1300,
    carrierCost: -1100,
    margin: -200,
    failureRate: null,
  })
})

test('labels sold below cost have a negative margin', () => {
  expect(figuresOf({ capture: moved(1, 500, 620) })).toMatchObject({
    revenue: 500,
    carrierCost: 620,
    margin: -120,
  })
})

test('days before a clock change begin at the midnight of their own time', () => {
  const starts = (reader: { timezone?: string; offset: number }) =>
    periodStartsOf(new Date('2027-03-20T18:00:00Z'), [1, 7, 30], reader).map(({ from }) =>
      from.toISOString(),
    )
  expect(starts({ timezone: 'America/Chicago', offset: 0 })).toEqual([
    '2027-03-20T05:00:00.000Z',
    '2027-03-14T06:00:00.000Z',
    '2027-02-19T06:00:00.000Z',
  ])
  // Without a time zone, in whole quarters of an hour, as all time zones have.
  expect(starts({ offset: 352 })[0]).toBe('2027-03-19T18:15:00.000Z')
})
