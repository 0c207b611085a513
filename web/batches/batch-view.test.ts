import { expect, test } from 'vitest'
import { BATCH_STATUSES } from '#contract/batch-status.ts'
import type { BatchStatus } from '#contract/batch-status.ts'
import {
  batchDateText,
  batchName,
  batchShares,
  canRetry,
  countsText,
  hasFewFailures,
  rowTone,
  statusText,
  statusTone,
} from './batch-view.ts'

test('the date of a bulk order is month, day, year and time, or a dash', () => {
  expect(batchDateText(new Date(2026, 10, 3, 15, 7, 59))).toBe('Nov 3, 2026 | 15:07')
  expect(batchDateText('')).toBe('–')
})

test('the list of bulk orders shows status and failures', () => {
  expect(statusText('completed_with_errors', 3)).toBe('Completed with errors (3 Failed)')
  expect(statusText('retrying_failed', 0)).toBe('Retrying failed')
  expect(BATCH_STATUSES.map(statusTone)).toEqual([
    'blue',
    'blue',
    'blue',
    'green',
    'yellow',
    'red',
    'red',
    'red',
  ])
})

test('a row that needs no attention has no tint', () => {
  expect(BATCH_STATUSES.filter(status => !rowTone(status))).toEqual(['completed'])
})

test('only an order completed with errors can be retried', () => {
  expect(BATCH_STATUSES.filter(status => canRetry({ status, failedCount: 1 }))).toEqual([
    'completed_with_errors',
  ])
  expect(canRetry({ status: 'completed_with_errors', failedCount: 0 })).toBe(false)
})

test('a bulk order is named after its file and its number', () => {
  expect(batchName({ _id: '5', fileName: 'orders.txt' })).toBe('orders.txt · #5')
  expect(batchName({ _id: '5', fileName: null })).toBe('Bulk order #5')
})

const COUNTS = { totalCount: 60, processedCount: 60, failedCount: 1, voidedCount: 2 }

test('bought, failed, voided and open labels add up to all labels, at every moment', () => {
  for (const status of BATCH_STATUSES)
    for (const processedCount of [0, 1, 40, 60])
      for (const failedCount of [0, 1, 60])
        for (const voidedCount of [0, 2, 60]) {
          const batch = { status, totalCount: 60, processedCount, failedCount, voidedCount }
          const { bought, failed, voided, open } = batchShares(batch)
          expect(bought + failed + voided + open, JSON.stringify(batch)).toBe(60)
          expect(Math.min(bought, failed, voided, open)).toBeGreaterThanOrEqual(0)
        }
  expect(batchShares({ status: 'completed_with_errors', ...COUNTS })).toEqual({
    bought: 57,
    failed: 1,
    voided: 2,
    open: 0,
  })
})

test('bought and voided labels are written out where not all were bought', () => {
  const text = (change: Partial<Parameters<typeof countsText>[0]>) =>
    countsText({ status: 'completed_with_errors', ...COUNTS, ...change })
  expect(text({})).toBe('59 of 60 bought, 2\u00a0voided')
  expect(text({ voidedCount: 0 })).toBe('59 of 60 bought')
  expect(text({ failedCount: 60, voidedCount: 0 })).toBe('0 of 60 bought')
  expect(text({ failedCount: 0, voidedCount: 0 })).toBe('60 labels')
  expect(text({ failedCount: 0, voidedCount: 3 })).toBe('60 labels, 3\u00a0voided')
  const running = { status: 'processing', failedCount: 0, voidedCount: 0 } as const
  expect(text({ ...running, processedCount: 0 })).toBe('0 of 60 labels')
  expect(text({ ...running, processedCount: 40 })).toBe('40 of 60 labels: 40 bought')
  expect(text({ ...running, processedCount: 40, failedCount: 3 })).toBe(
    '40 of 60 labels: 37 bought',
  )
})

test('less than one failed label in 20 is few, once the order has ended', () => {
  const few = (failedCount: number, status: BatchStatus = 'completed_with_errors') =>
    hasFewFailures({ status, failedCount, totalCount: 60 })
  expect(few(2)).toBe(true)
  expect(few(3)).toBe(false)
  expect(few(2, 'processing')).toBe(false)
  expect(few(2, 'failed')).toBe(false)
})
