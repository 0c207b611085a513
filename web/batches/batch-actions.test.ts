import { beforeEach, expect, test } from 'vitest'
import type { Batch, FailedLabel } from '#contract/batches.ts'
import { followBatch, retryableLabels } from './batch-actions.ts'
import {
  hideModal,
  initializeOrder,
  minimize,
  resetBulkOrder,
  useProgress,
} from './progress/progress-store.ts'

const label = (row: number, retryable: boolean): FailedLabel => ({
  row,
  labelId: String(80 + row),
  orderItemId: `item-${row}`,
  receiver: 'June Rivera',
  address: '2210 E Olive Ave, Fresno CA 93701',
  reason: 'Refused',
  code: 'label_refused',
  retryable,
})
const batch = (change: Partial<Batch>): Batch => ({
  _id: '17',
  status: 'completed_with_errors',
  createdAt: '2026-11-20T11:42:00.000Z',
  totalCount: 10,
  processedCount: 10,
  failedCount: 2,
  failedLabels: [label(3, true), label(7, true)],
  pdfName: 'batch.pdf',
  resultCSVName: 'batch.csv',
  autoConfirmCSVName: null,
  autoConfirmLeftOut: 0,
  bulkOrderData: { cost: 65 },
  fileName: null,
  source: null,
  voidedCount: 0,
  finalCost: 52,
  ...change,
})

beforeEach(resetBulkOrder)

test('failed labels of an order that ended with errors can be retried', () => {
  expect(retryableLabels(batch({}))).toEqual({ count: 2, canRetry: true })
})

test('a label that is being checked with the carrier cannot be retried', () => {
  expect(retryableLabels(batch({ failedLabels: [label(3, true), label(7, false)] }))).toEqual({
    count: 1,
    canRetry: true,
  })
  expect(retryableLabels(batch({ failedLabels: [label(3, false), label(7, false)] }))).toEqual({
    count: 0,
    canRetry: false,
  })
})

test('a running order cannot be retried', () => {
  expect(retryableLabels(batch({ status: 'retrying_failed' }))).toEqual({
    count: 0,
    canRetry: false,
  })
})

test('when all labels failed, the rows can be edited but the order cannot be retried', () => {
  expect(retryableLabels(batch({ status: 'failed', failedCount: 2, totalCount: 2 }))).toEqual({
    count: 2,
    canRetry: false,
  })
})

test('the count includes failed labels beyond the listed ones', () => {
  expect(retryableLabels(batch({ failedCount: 2500 }))).toEqual({ count: 2500, canRetry: true })
})

test('an order from the list opens in the overlay with its counts and files', () => {
  followBatch(batch({}))
  expect(useProgress.getState()).toMatchObject({
    isVisible: true,
    orderId: '17',
    orderStatus: 'completed_with_errors',
    failedCount: 2,
    totalCount: 10,
    elapsedTime: 0,
    fileData: { pdfName: 'batch.pdf', resultCSVName: 'batch.csv', autoConfirmCSVName: null },
  })
})

test('opening the followed order only maximizes it', () => {
  initializeOrder({ orderId: '17', totalCount: 10, processedCount: 4 })
  minimize()
  followBatch(batch({ status: 'processing', processedCount: 2 }))
  expect(useProgress.getState()).toMatchObject({ isMinimized: false, processedCount: 4 })
})

test('an order that was bought again elsewhere is followed again', () => {
  followBatch(batch({}))
  hideModal()
  followBatch(batch({ status: 'retrying_failed', failedCount: 0, processedCount: 8 }))
  expect(useProgress.getState()).toMatchObject({ orderId: '17', orderStatus: 'retrying_failed' })
})
