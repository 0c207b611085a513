import type * as z from 'zod'
import { batchFailures } from '#contract/batch-failures.ts'
import * as batches from '#contract/batches.ts'
import type { Batch, BatchProgress } from '#contract/batches.ts'
import { batchVoidSummary, voidBatch } from '#contract/voids.ts'
import { exampleOf } from './example.ts'
import type { Examples } from './example.ts'
import { ME } from './examples-labels.ts'

const BATCH = { orderId: '7' }

const ROW = {
  orderId: '1001',
  orderItemId: '1001-1',
  ServiceName: 'usps:GROUND_ADVANTAGE',
  FromSenderName: 'Mason Trading',
  FromStreet1: '100 Congress Ave',
  FromCity: 'Austin',
  FromStateProvince: 'TX',
  FromZipPostal: '78701',
  ToRecipientName: 'June Rivera',
  ToStreet1: '2210 E Olive Ave',
  ToCity: 'Fresno',
  ToStateProvince: 'CA',
  ToZipPostal: '93701',
  PackageLength: '9',
  PackageWidth: '6',
  PackageHeight: '3',
  PackageWeight: '1.5',
}

const FILES = {
  pdfName: 'bulk-7-labels.pdf',
  resultCSVName: 'bulk-7-result.csv',
  autoConfirmCSVName: 'bulk-7-auto-confirm.csv',
}
const FAILED = {
  row: 2,
  labelId: '83',
  orderItemId: '1002-1',
  receiver: 'Ida Moss',
  address: '88 Fulton Street, New York NY 10038',
  reason: 'The carrier does not know the address',
  code: 'label_refused' as const,
  retryable: true,
}
const PROGRESS: BatchProgress = {
  ...BATCH,
  status: 'processing',
  processedCount: 40,
  failedCount: 1,
  totalCount: 100,
  fileData: null,
  updatedAt: '2026-11-20T15:04:09.000Z',
  expectedAt: '2026-11-20T15:04:21.000Z',
}
const OUTCOME = {
  fileName: 'november.csv',
  source: 'template',
  voidedCount: 0,
  finalCost: 643.5,
} as const
const ENDED: Batch = {
  ...OUTCOME,
  ...FILES,
  _id: '7',
  status: 'completed_with_errors',
  createdAt: '2026-11-20T15:04:05.000Z',
  totalCount: 100,
  processedCount: 100,
  failedCount: 1,
  failedLabels: [FAILED],
  autoConfirmLeftOut: 0,
  bulkOrderData: { cost: 650 },
}

export const BULK_EXAMPLES: Examples = {
  ...exampleOf(batches.initBatch, { body: ME, response: BATCH }),
  ...exampleOf(batches.processBatch, {
    params: ME,
    body: { ...BATCH, orderData: [ROW] },
    response: { ...BATCH, accepted: true, totalCount: 1, cost: 6.5 },
  }),
  ...exampleOf(batches.seenRows, {
    params: ME,
    body: { rows: [{ row: 1, orderId: '1001', orderItemId: '1001-1' }] },
    response: {
      file: null,
      rows: [
        {
          row: 1,
          orderId: '81',
          trackingNumber: '9434636106000000000001',
          at: '2026-11-20T15:04:05.000Z',
        },
      ],
    },
  }),
  // As keys get it.
  listBatches: {
    params: ME,
    query: { limit: 20 },
    response: { batches: [ENDED], next: null } satisfies z.input<typeof batches.BatchPage>,
  },
  ...exampleOf(batches.batchStatus, {
    params: BATCH,
    query: { failedLabels: 'none' },
    response: { ...PROGRESS, ...OUTCOME, finalCost: null, failedLabels: [] },
  }),
  ...exampleOf(batches.runningBatch, {
    params: ME,
    response: { running: { ...PROGRESS, startedAt: '2026-11-20T15:04:05.000Z' } },
  }),
  ...exampleOf(batches.listFailedRows, {
    params: BATCH,
    response: {
      rows: [{ orderId: '83', row: 2, reason: FAILED.reason, data: { ...ROW, orderId: '1002' } }],
    },
  }),
  ...exampleOf(batches.retryFailedLabels, {
    params: BATCH,
    response: {
      fileData: FILES,
      finalProcessedCount: 100,
      finalFailedCount: 0,
      status: 'completed',
      updatedTotalCount: 100,
      newlySuccessfulCount: 1,
    },
  }),
  ...exampleOf(batchFailures, {
    params: BATCH,
    response: {
      reasons: [{ reason: FAILED.reason, count: 1 }],
      otherCount: 0,
      editableCount: 1,
      released: 6.5,
      checkingCount: 0,
      held: 0,
    },
  }),
  ...exampleOf(batchVoidSummary, {
    params: BATCH,
    response: {
      unused: 97,
      amount: 630.5,
      refused: 0,
      voiding: 0,
      voided: 0,
      underWay: 2,
      onForms: 0,
    },
  }),
  ...exampleOf(voidBatch, {
    params: BATCH,
    response: { requested: 0, voided: 97, refused: 0, skipped: 2 },
  }),
}
