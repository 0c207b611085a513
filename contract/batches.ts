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

/** The event of the socket and the answer of the poll (specification, 3). */
export const BatchProgress = z.object({
  orderId: Id,
  status: z.enum(BATCH_STATUSES),
  processedCount: z.number(),
  failedCount: z.number(),
  totalCount: z.number(),
  fileData: BatchFileNames.nullable(),
  updatedAt: Moment,
  /** When it is expected to be done, while that is some time off; what it waits for, where it cannot go on for the moment. */
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
  /** Bought labels that are not in the confirmation yet: rows without an item id, of orders that are not bought whole. */
  autoConfirmLeftOut: z.number(),
  bulkOrderData: z.object({ cost: DollarsOutput }),
})
export type Batch = z.output<typeof Batch>

/** 64 MB hold 50,000 rows of the widest kind (architecture, 12). */
const BULK_BODY_LIMIT = 64 * 1024 * 1024

export const initBatch = defineEndpoint({
  method: 'POST',
  path: '/api/orders/bulk/init',
  access: 'self',
  summary: 'An id for a bulk order to come; it is the idempotency key of process',
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
    'Buy a label for each row. Rows are flat bulk row fields; any invalid row refuses all and names every wrong field',
  params: UserParams,
  otherStatuses: { 402: 'Too little money' },
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
  summary: 'Bulk orders, newest first; X-Total-Count has their number',
  params: UserParams,
  query: PageQuery,
  response: z.array(Batch),
})

export const batchStatus = defineEndpoint({
  method: 'GET',
  path: '/api/orders/bulk/status/:orderId',
  access: 'signed-in',
  summary:
    'Progress of a bulk order. failedLabels=none leaves them out, for who asks each second: of 10,000 they are more than 1 MB',
  params: z.object({ orderId: Id }),
  query: z.object({ failedLabels: z.enum(['all', 'none']).default('all') }),
  response: BatchProgress.extend({ failedLabels: z.array(FailedLabel) }),
})

export const runningBatch = defineEndpoint({
  method: 'GET',
  path: '/api/orders/bulk/running/:userId',
  access: 'self',
  summary: 'The newest bulk order still at work, if any',
  params: UserParams,
  response: z.object({ running: BatchProgress.extend({ startedAt: Moment }).nullable() }),
})

export const listFailedRows = defineEndpoint({
  method: 'GET',
  path: '/api/orders/bulk/failed-rows/:orderId',
  access: 'signed-in',
  summary: 'Failed rows as bulk row fields, to edit and submit anew',
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
  summary: 'Buy the failed labels again, at their old price',
  otherStatuses: { 402: 'Too little money' },
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

/** A bulk order whose files could not be made. */
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
  summary: 'Bulk orders whose files could not be made, oldest first',
  query: PageQuery,
  response: z.object({ batches: z.array(BatchFileFailure), totalCount: z.number() }),
})

export const rebuildBatchFiles = defineEndpoint({
  method: 'POST',
  path: '/api/admin/batches/:batchId/files',
  access: 'admin',
  summary: 'Make the files of a bulk order now',
  params: z.object({ batchId: Id }),
  response: MessageResponse,
})
