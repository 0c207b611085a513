import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { figuresOf, periodStartsOf } from './dashboard-rules.ts'

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
