import { expect, test } from 'vitest'
import type { DashboardPeriod } from '#contract/admin.ts'
import { shareText } from '#web/charts/series.ts'
import { FIGURE_ROWS } from './figure-rows.ts'

const quiet: DashboardPeriod = {
  days: 1,
  from: '2026-11-21T05:00:00.000Z',
  labels: 0,
  failed: 0,
  voided: 0,
  revenue: 0,
  carrierCost: 0,
  margin: 0,
  failureRate: null,
  depositsSettled: 0,
  depositCount: 0,
  takenBack: 0,
  newUsers: 0,
}
const read = (period: DashboardPeriod) =>
  Object.fromEntries(
    FIGURE_ROWS.map(({ name, value, detail }) => [name, [value(period), detail?.(period) ?? null]]),
  )

test('a day without sales has zeros, no rate and no details', () => {
  expect(read(quiet)).toEqual({
    Labels: ['0', null],
    'Failure rate': ['–', null],
    Revenue: ['$0.00', null],
    'Carrier cost': ['$0.00', null],
    Margin: ['$0.00', null],
    'Deposits settled': ['$0.00', null],
    'New users': ['0', null],
  })
})

test('deposits taken back are shown below the settled sum', () => {
  const taken = { ...quiet, depositsSettled: 80, depositCount: 1, takenBack: 20 }
  expect(read(taken)['Deposits settled']).toEqual(['$80.00', '1 deposit, less $20.00 taken back'])
  expect(read({ ...taken, depositsSettled: -20, depositCount: 0 })['Deposits settled']).toEqual([
    '−$20.00',
    'less $20.00 taken back',
  ])
})

test('a day with sales shows volume, failures and margin', () => {
  const busy = {
    ...quiet,
    labels: 12_340,
    failed: 260,
    voided: 1,
    revenue: 80_210,
    carrierCost: 73_176.2,
    margin: 7_033.8,
    failureRate: 260 / 12_600,
    depositsSettled: 1500,
    depositCount: 3,
    newUsers: 2,
  }
  expect(read(busy)).toEqual({
    Labels: ['12,340', '1 label voided'],
    'Failure rate': ['2.1%', '260 labels failed'],
    Revenue: ['$80,210.00', null],
    'Carrier cost': ['$73,176.20', null],
    Margin: ['$7,033.80', '8.8% of revenue'],
    'Deposits settled': ['$1,500.00', '3 deposits'],
    'New users': ['2', null],
  })
})

test('a period with negative revenue has no margin share', () => {
  expect(
    read({ ...quiet, voided: 2, revenue: -13, carrierCost: -11.86, margin: -1.14 }),
  ).toMatchObject({ Revenue: ['−$13.00', null], Margin: ['−$1.14', null] })
})

test('a small share is not shown as zero', () => {
  expect([0, 0.0004, 0.0005, 0.5, 1, -0.0001, -0.12].map(shareText)).toEqual([
    '0%',
    '<0.1%',
    '0.1%',
    '50%',
    '100%',
    '>−0.1%',
    '−12%',
  ])
})
