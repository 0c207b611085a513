import { expect, test } from 'vitest'
import { BATCH_STATUSES } from '#contract/batch-status.ts'
import { canRetry, batchDateText, statusText, statusTone } from './batch-view.ts'

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

test('only an order completed with errors can be retried', () => {
  expect(BATCH_STATUSES.filter(status => canRetry({ status, failedCount: 1 }))).toEqual([
    'completed_with_errors',
  ])
  expect(canRetry({ status: 'completed_with_errors', failedCount: 0 })).toBe(false)
})
