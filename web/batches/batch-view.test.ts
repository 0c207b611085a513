import { expect, test } from 'vitest'
import { BATCH_STATUSES } from '#contract/batch-status.ts'
import {
  batchDateText,
  batchName,
  batchShares,
  boughtCount,
  canRetry,
  rowTone,
  sharesText,
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
  // The labels under way are still counted as failed.
  expect(
    boughtCount({ status: 'retrying_failed', totalCount: 6, processedCount: 3, failedCount: 3 }),
  ).toBe(3)
})

test('bought and voided labels are written out where not all were bought', () => {
  const text = (change: object) =>
    sharesText(batchShares({ status: 'completed_with_errors', ...COUNTS, ...change }))
  expect(text({})).toBe('57 bought, 2 voided')
  expect(text({ voidedCount: 0 })).toBe('59 bought')
  expect(text({ failedCount: 60, voidedCount: 0 })).toBe('0 bought')
  expect(text({ failedCount: 0, voidedCount: 0 })).toBe('')
  const running = { status: 'processing', failedCount: 0, voidedCount: 0 }
  expect(text({ ...running, processedCount: 0 })).toBe('')
  expect(text({ ...running, processedCount: 40 })).toBe('40 bought')
  expect(text({ ...running, processedCount: 40, failedCount: 3 })).toBe('37 bought')
})
