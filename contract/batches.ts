import * as z from 'zod'
import { UserSummary } from './accounts.ts'
import { BATCH_STATUSES } from './batch-status.ts'
import {
  AfterId,
  defineEndpoint,
  DollarsInput,
  DollarsOutput,
  Id,
  MessageResponse,
  Moment,
  PageQuery,
  SeenFile,
  SeenRow,
  UserParams,
} from './endpoint.ts'
import type { RefusalCode } from './refusals.ts'
import { SOURCES } from './sources.ts'
import { WARNING_CODES } from './warnings.ts'

/** Names of a batch's files; null while a file does not exist. */
export const BatchFileNames = z.object({
  pdfName: z.string().nullable(),
  resultCSVName: z.string().nullable(),
  autoConfirmCSVName: z.string().nullable(),
})
export type BatchFileNames = z.output<typeof BatchFileNames>

/** Codes of refusals.ts: not bought, or not known yet. */
const UNBOUGHT_CODES = ['label_refused', 'label_unknown'] as const satisfies RefusalCode[]
export type UnboughtCode = (typeof UNBOUGHT_CODES)[number]

export const FailedLabel = z.object({
  row: z.number(),
  labelId: Id,
  orderItemId: z.string(),
  receiver: z.string(),
  address: z.string(),
  reason: z.string(),
  code: z.enum(UNBOUGHT_CODES),
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

/**
 * `voidedCount`: confirmed voids. `finalCost`: of the labels that were bought and not voided; null
 * until the bulk order has ended.
 */
const BatchOutcome = z.object({
  fileName: z.string().nullable(),
  source: z.enum(SOURCES).nullable(),
  voidedCount: z.number(),
  finalCost: DollarsOutput.nullable(),
})

export const Batch = BatchOutcome.extend({
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

/** The file that rows come from. `sha256`: of its bytes, in hexadecimal. */
export const SubmittedFile = z.object({
  name: z.string().min(1).max(255),
  sha256: z.string().regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hexadecimal'),
  source: z.enum(SOURCES),
})
export type SubmittedFile = z.output<typeof SubmittedFile>

/** An order item of a row; see `RowItem`. */
export const BatchItem = z.object({
  orderId: z.string().optional(),
  orderItemId: z.string(),
  sku: z.string(),
  quantity: z.string(),
  extra: z.record(z.string(), z.string()).optional(),
})

/** What to check in a row that was accepted. `row` counts from 1. */
const BatchWarning = z.object({
  row: z.number(),
  field: z.string(),
  code: z.enum(WARNING_CODES),
  message: z.string(),
})
export type BatchWarning = z.output<typeof BatchWarning>

export const initBatch = defineEndpoint({
  name: 'initBatch',
  method: 'POST',
  path: '/api/orders/bulk/init',
  access: 'self',
  scope: 'labels:buy',
  summary: 'Reserve an id for a bulk order. It is the idempotency key of process',
  body: z.object({ userId: Id }),
  response: z.object({ orderId: Id }),
})

export const processBatch = defineEndpoint({
  name: 'processBatch',
  method: 'POST',
  path: '/api/orders/bulk/process/:userId',
  access: 'self',
  scope: 'labels:buy',
  status: 202,
  bodyLimit: BULK_BODY_LIMIT,
  streamedList: 'orderData',
  refusals: [404, 422],
  summary:
    'Buy a label for each row. Rows have flat bulk row fields, and items if they combine order items; one invalid row refuses all '
    + 'and names every invalid field. With file, rows that have a label are refused unless allowRepeats is true; '
    + 'repeats is how many of them the caller knows, and more are refused. With maxCost, rows that cost more are refused',
  params: UserParams,
  otherStatuses: {
    402: 'Insufficient balance',
    409: 'Other rows were submitted under this id, or code already_bought: rows have a label',
  },
  body: z.object({
    orderId: Id,
    orderData: z.array(z.unknown()),
    replaces: z.array(Id).max(50_000).optional(),
    file: SubmittedFile.nullish(),
    allowRepeats: z.boolean().optional(),
    repeats: z.int().min(0).max(50_000).optional(),
    maxCost: DollarsInput.optional(),
  }),
  response: z.object({
    orderId: Id,
    accepted: z.literal(true),
    totalCount: z.number(),
    cost: DollarsOutput,
    // The first of them; absent without any.
    warnings: z.array(BatchWarning).optional(),
    warningCount: z.number().optional(),
  }),
})

/** Most rows of one question, and bytes of its body. */
export const MAX_SEEN_ROWS = 50_000
const SEEN_BODY_LIMIT = 16 * 1024 * 1024

export const seenRows = defineEndpoint({
  name: 'seenRows',
  method: 'POST',
  path: '/api/orders/bulk/seen/:userId',
  access: 'self',
  scope: 'labels:read',
  readOnly: true,
  bodyLimit: SEEN_BODY_LIMIT,
  streamedList: 'rows',
  refusals: [404, 422],
  summary:
    'Find rows of a file that have a label: bought or being bought in the last 90 days, and not voided. '
    + 'Rows have row, orderId and orderItemId. Ids are compared without # and letter case. '
    + 'With failedOf, the rows are failed rows of this bulk order, and only labels ordered since in another one count',
  params: UserParams,
  body: z.object({
    fileHash: SubmittedFile.shape.sha256.nullish(),
    failedOf: Id.nullish(),
    rows: z.array(z.unknown()),
  }),
  response: z.object({ file: SeenFile.nullable(), rows: z.array(SeenRow) }),
})

/** A page of bulk orders after an id, or for a key. */
export const BatchPage = z.object({ batches: z.array(Batch), next: Id.nullable() })

export const listBatches = defineEndpoint({
  name: 'listBatches',
  method: 'GET',
  path: '/api/orders/bulk/:userId',
  access: 'self',
  isPersonal: true,
  scope: 'labels:read',
  summary: 'List bulk orders, newest first, with their number in X-Total-Count',
  params: UserParams,
  query: PageQuery.extend({ after: AfterId }),
  response: z.array(Batch),
  pagedResponse: BatchPage,
})

export const batchStatus = defineEndpoint({
  name: 'batchStatus',
  method: 'GET',
  path: '/api/orders/bulk/status/:orderId',
  access: 'signed-in',
  scope: 'labels:read',
  refusals: [404],
  summary:
    'Get the progress of a bulk order. Use failedLabels=none when polling: 10,000 failed labels are more than 1 MB',
  params: z.object({ orderId: Id }),
  query: z.object({ failedLabels: z.enum(['all', 'none']).default('all') }),
  response: BatchProgress.extend({
    ...BatchOutcome.shape,
    failedLabels: z.array(FailedLabel),
  }),
})

export const runningBatch = defineEndpoint({
  name: 'runningBatch',
  method: 'GET',
  path: '/api/orders/bulk/running/:userId',
  access: 'self',
  scope: 'labels:read',
  summary: 'Get the newest bulk order in progress, if any',
  params: UserParams,
  response: z.object({ running: BatchProgress.extend({ startedAt: Moment }).nullable() }),
})

export const listFailedRows = defineEndpoint({
  name: 'listFailedRows',
  method: 'GET',
  path: '/api/orders/bulk/failed-rows/:orderId',
  access: 'signed-in',
  scope: 'labels:read',
  refusals: [404],
  summary: 'List failed rows as bulk row fields, to edit and submit again',
  params: z.object({ orderId: Id }),
  response: z.object({
    rows: z.array(
      z.object({
        orderId: Id,
        row: z.number(),
        reason: z.string(),
        data: z.record(z.string(), z.string()),
        items: z.array(BatchItem).optional(),
      }),
    ),
  }),
})

export const retryFailedLabels = defineEndpoint({
  name: 'retryFailedLabels',
  method: 'POST',
  path: '/api/orders/bulk/retry-failed/:orderId',
  access: 'signed-in',
  scope: 'labels:buy',
  refusals: [404, 422],
  summary:
    'Retry failed labels at their original price. Rows that a later bulk order has bought are refused unless allowRepeats is 1',
  otherStatuses: {
    402: 'Insufficient balance',
    409: 'Nothing to retry now, or code already_bought: rows have a label of another bulk order',
  },
  params: z.object({ orderId: Id }),
  query: z.object({ allowRepeats: z.literal('1').optional() }),
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
  name: 'listBatchFileFailures',
  method: 'GET',
  path: '/api/admin/batches/files',
  access: 'admin',
  summary: 'List bulk orders whose files failed, oldest first',
  query: PageQuery,
  response: z.object({ batches: z.array(BatchFileFailure), totalCount: z.number() }),
})

export const rebuildBatchFiles = defineEndpoint({
  name: 'rebuildBatchFiles',
  method: 'POST',
  path: '/api/admin/batches/:batchId/files',
  access: 'admin',
  refusals: [404, 409],
  summary: 'Rebuild the files of a bulk order now',
  params: z.object({ batchId: Id }),
  response: MessageResponse,
})
