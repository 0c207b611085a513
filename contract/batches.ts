import * as z from 'zod'
import { UserSummary } from './accounts.ts'
import { BATCH_STATUSES } from './batch-status.ts'
import {
  defineEndpoint,
  DollarsOutput,
  Id,
  MessageResponse,
  Moment,
  PageQuery,
  UserParams,
} from './endpoint.ts'

/** Names of a batch's files; null while a file does not exist. */
export const BatchFileNames = z.object({
  pdfName: z.string().nullable(),
  resultCSVName: z.string().nullable(),
  autoConfirmCSVName: z.string().nullable(),
})
export type BatchFileNames = z.output<typeof BatchFileNames>

export const FailedLabel = z.object({
  row: z.number(),
  orderItemId: z.string(),
  receiver: z.string(),
  reason: z.string(),
  retryable: z.boolean(),
})
export type FailedLabel = z.output<typeof FailedLabel>

/** The socket's event and the response of the poll. */
export const BatchProgress = z.object({
  orderId: Id,
  status: z.enum(BATCH_STATUSES),
  processedCount: z.number(),
  failedCount: z.number(),
  totalCount: z.number(),
  fileData: BatchFileNames.nullable(),
  updatedAt: Moment,
  /**
   * `expectedAt`: the expected end, when it is more than a moment away; `waitingFor`: why it cannot
   * go on now.
   */
  expectedAt: Moment.optional(),
  waitingFor: z.string().optional(),
})
export type BatchProgress = z.output<typeof BatchProgress>

export const Batch = z.object({
  _id: Id,
  status: z.enum(BATCH_STATUSES),
  createdAt: Moment,
  totalCount: z.number(),
  processedCount: z.number(),
  failedCount: z.number(),
  failedLabels: z.array(FailedLabel),
  pdfName: z.string().nullable(),
  resultCSVName: z.string().nullable(),
  autoConfirmCSVName: z.string().nullable(),
  /**
   * Bought labels that Auto Confirm leaves out: rows without an item id, of partially purchased
   * orders.
   */
  autoConfirmLeftOut: z.number(),
  bulkOrderData: z.object({ cost: DollarsOutput }),
})
export type Batch = z.output<typeof Batch>

/** 64 MB hold 50,000 rows at their widest. */
const BULK_BODY_LIMIT = 64 * 1024 * 1024

export const initBatch = defineEndpoint({
  method: 'POST',
  path: '/api/orders/bulk/init',
  access: 'self',
  summary: 'Reserve an id for a bulk order. It is the idempotency key of process',
  body: z.object({ userId: Id }),
  response: z.object({ orderId: Id }),
})

export const processBatch = defineEndpoint({
  method: 'POST',
  path: '/api/orders/bulk/process/:userId',
  access: 'self',
  status: 202,
  bodyLimit: BULK_BODY_LIMIT,
  streamedList: 'orderData',
  summary:
    'Buy a label for each row. Rows have flat bulk row fields; one invalid row refuses all and names every invalid field',
  params: UserParams,
  otherStatuses: { 402: 'Insufficient balance' },
  body: z.object({
    orderId: Id,
    orderData: z.array(z.unknown()),
    replaces: z.array(Id).max(50_000).optional(),
  }),
  response: z.object({
    orderId: Id,
    accepted: z.literal(true),
    totalCount: z.number(),
    cost: DollarsOutput,
  }),
})

export const listBatches = defineEndpoint({
  method: 'GET',
  path: '/api/orders/bulk/:userId',
  access: 'self',
  summary: 'List bulk orders, newest first, with their number in X-Total-Count',
  params: UserParams,
  query: PageQuery,
  response: z.array(Batch),
})

export const batchStatus = defineEndpoint({
  method: 'GET',
  path: '/api/orders/bulk/status/:orderId',
  access: 'signed-in',
  summary:
    'Get the progress of a bulk order. Use failedLabels=none when polling: 10,000 failed labels are more than 1 MB',
  params: z.object({ orderId: Id }),
  query: z.object({ failedLabels: z.enum(['all', 'none']).default('all') }),
  response: BatchProgress.extend({ failedLabels: z.array(FailedLabel) }),
})

export const runningBatch = defineEndpoint({
  method: 'GET',
  path: '/api/orders/bulk/running/:userId',
  access: 'self',
  summary: 'Get the newest bulk order in progress, if any',
  params: UserParams,
  response: z.object({ running: BatchProgress.extend({ startedAt: Moment }).nullable() }),
})

export const listFailedRows = defineEndpoint({
  method: 'GET',
  path: '/api/orders/bulk/failed-rows/:orderId',
  access: 'signed-in',
  summary: 'List failed rows as bulk row fields, to edit and submit again',
  params: z.object({ orderId: Id }),
  response: z.object({
    rows: z.array(
      z.object({
        orderId: Id,
        row: z.number(),
        reason: z.string(),
        data: z.record(z.string(), z.string()),
      }),
    ),
  }),
})

export const retryFailedLabels = defineEndpoint({
  method: 'POST',
  path: '/api/orders/bulk/retry-failed/:orderId',
  access: 'signed-in',
  summary: 'Retry failed labels at their original price',
  otherStatuses: { 402: 'Insufficient balance' },
  params: z.object({ orderId: Id }),
  response: z.object({
    fileData: BatchFileNames.nullable(),
    finalProcessedCount: z.number(),
    finalFailedCount: z.number(),
    status: z.enum(BATCH_STATUSES),
    updatedTotalCount: z.number(),
    newlySuccessfulCount: z.number(),
  }),
})

export const BatchFileFailure = z.object({
  batchId: Id,
  user: UserSummary,
  totalCount: z.number(),
  problem: z.string(),
  since: Moment,
})
export type BatchFileFailure = z.output<typeof BatchFileFailure>

export const listBatchFileFailures = defineEndpoint({
  method: 'GET',
  path: '/api/admin/batches/files',
  access: 'admin',
  summary: 'List bulk orders whose files failed, oldest first',
  query: PageQuery,
  response: z.object({ batches: z.array(BatchFileFailure), totalCount: z.number() }),
})

export const rebuildBatchFiles = defineEndpoint({
  method: 'POST',
  path: '/api/admin/batches/:batchId/files',
  access: 'admin',
  summary: 'Rebuild the files of a bulk order now',
  params: z.object({ batchId: Id }),
  response: MessageResponse,
})
