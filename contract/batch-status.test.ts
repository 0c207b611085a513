import { expect, test } from 'vitest'
import { boughtCount } from './batch-status.ts'
import type { BatchStatus } from './batch-status.ts'

test('labels that were bought stay bought while failed ones are tried again', () => {
  const bought = (status: BatchStatus, processedCount: number, failedCount: number) =>
    boughtCount({ status, totalCount: 8, processedCount, failedCount })
  expect(bought('processing', 3, 1)).toBe(2)
  expect(bought('completed_with_errors', 8, 3)).toBe(5)
  // The labels under way are still counted as failed.
  expect(bought('retrying_failed', 5, 3)).toBe(5)
  expect(bought('retrying_failed', 7, 1)).toBe(7)
  expect(bought('failed', 8, 8)).toBe(0)
})
