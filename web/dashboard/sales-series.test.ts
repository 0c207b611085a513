import { expect, test } from 'vitest'
import type { SalesReport } from '#contract/reports.ts'
import { salesChart } from './sales-series.ts'

const none = { labels: 0, charged: 0, voided: 0, refunded: 0 }
const report: SalesReport = {
  from: '2026-11-19T05:00:00.000Z',
  days: [
    {
      ...none,
      day: '2026-11-19',
      labels: 3,
      charged: 22.5,
      services: [
        { ...none, service: 'ground', labels: 2, charged: 13 },
        { ...none, service: 'priority', labels: 1, charged: 9.5 },
      ],
    },
    { ...none, day: '2026-11-20', voided: 1, refunded: 9.5, services: [] },
    {
      ...none,
      day: '2026-11-21',
      labels: 2,
      charged: 58,
      services: [{ ...none, service: 'express', labels: 2, charged: 58 }],
    },
  ],
  services: [
    { ...none, service: 'ground', name: 'Ground', labels: 2, charged: 13 },
    { ...none, service: 'express', name: 'Express', labels: 2, charged: 58 },
    { ...none, service: 'priority', name: 'Priority', labels: 1, charged: 9.5 },
  ],
  totals: { labels: 5, charged: 80.5, voided: 1, refunded: 9.5 },
}

test('labels are counted by day and service, and the busiest day is named', () => {
  const { series, peak, refunds } = salesChart(report, 'labels', 'Other')
  expect(series.map(({ name, values }) => [name, ...values])).toEqual([
    ['Ground', 2, 0, 0],
    ['Express', 0, 0, 2],
    ['Priority', 1, 0, 0],
  ])
  expect(peak).toEqual({ day: '2026-11-19', value: 3, count: 1 })
  expect(refunds).toBeNull()
})

test('spending shows what was charged and what came back, with the services in the same order', () => {
  const { series, peak, refunds } = salesChart(report, 'spend', 'Other')
  expect(series.map(({ key }) => key)).toEqual(['ground', 'express', 'priority'])
  expect(peak).toEqual({ day: '2026-11-21', value: 58, count: 1 })
  expect(refunds).toEqual([0, 9.5, 0])
})

test('a time without labels has no busiest day', () => {
  const empty = { ...report, days: [report.days[1]!], services: [] }
  expect(salesChart(empty, 'labels', 'Other')).toMatchObject({ series: [], peak: null })
})
