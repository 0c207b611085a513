import { createHash } from 'node:crypto'
import type { BatchStatus } from '#contract/batch-status.ts'
import { sum } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { withGroupName } from '#contract/row-rules.ts'
import { toBulkRow, tidyRow } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import { priceParcel } from '#server/catalogue/rules.ts'
import type { PriceList } from '#server/catalogue/rules.ts'
import type { CarrierLabelFileRecord } from '#server/labels/carrier-label-file-store.ts'
import { orderRowErrors, newOrderFromRow } from '#server/orders/rules.ts'
import type { NewOrder } from '#server/orders/rules.ts'
import type { StateCounts } from '#server/orders/store.ts'
import { BUCKET_UNREACHABLE } from '#server/platform/storage/port.ts'

/** A batch whose rows may still be bought. Once its files are being made they may not. */
export const isOpen = (status: BatchStatus): boolean =>
  status === 'processing' || status === 'retrying_failed'

/** A batch whose rows or files are not yet what they will be. */
export const isUnfinished = (status: BatchStatus): boolean =>
  isOpen(status) || status === 'generating_files'

/**
 * How long ago a label of an open batch may have become unknown and still be bought by it, once it is proven not to be (ms).
 * What was unknown before a retry began has been counted as failed, and the retry leaves it alone (architecture, 5).
 */
export const requeueWindowMs = (status: BatchStatus, retriedMs: number | null): number =>
  status === 'processing' ? Infinity : (retriedMs ?? 0)

export type BatchCounts = { processed: number; failed: number }

/**
 * What a batch shows while it runs and what it freezes at its end (architecture, 5). A label of unknown outcome is not yet
 * processed while the batch waits for it, and counts as failed afterwards. During a retry the labels opened again have left
 * `processed` but stay in `failed` until they are bought.
 */
export function countsOf(status: BatchStatus, states: StateCounts): BatchCounts {
  const bought = states.purchased + states.voiding + states.voided
  const open = states.queued + states.purchasing
  switch (status) {
    case 'processing':
      return { processed: bought + states.failed, failed: states.failed }
    case 'retrying_failed':
      return {
        processed: bought + states.failed + states.unknown,
        failed: states.failed + states.unknown + open,
      }
    default:
      return {
        processed: bought + states.failed + states.unknown,
        failed: states.failed + states.unknown,
      }
  }
}

/**
 * How a batch ends. `failed` only when nothing was bought and there is no failed label either, only such as nobody knows the fate of
 * (architecture, 5). Labels that another batch has taken over count as ever: what is ordered elsewhere changes no status here.
 */
export function finalStatus(states: StateCounts): 'completed' | 'completed_with_errors' | 'failed' {
  if (states.failed + states.unknown === 0) return 'completed'
  const bought = states.purchased + states.voiding + states.voided
  return bought + states.failed === 0 ? 'failed' : 'completed_with_errors'
}

/** How long a batch waits for labels of unknown outcome before it ends without them. */
export const UNKNOWN_PATIENCE_MS = 15 * 60 * 1000

/** How long a batch waits for label files that its carrier has not sent yet; what comes later is put into its files then. */
export const LABEL_FILE_PATIENCE_MS = 2 * 60 * 1000

/**
 * Whether a batch without open rows may end now: `unknown` rows are waited for, but not again in a retry, and so are files of labels
 * that are still `wanted`.
 */
export const mayEnd = (
  status: BatchStatus,
  unknown: number,
  wanted: number,
  waitedMs: number,
): boolean =>
  (unknown === 0 || status === 'retrying_failed' || waitedMs >= UNKNOWN_PATIENCE_MS)
  && (wanted === 0 || waitedMs >= LABEL_FILE_PATIENCE_MS)

/** Why a bought label is not among the printed ones, for its row in the result file; null where it is. */
export function missingLabelReason(
  paper: Pick<CarrierLabelFileRecord, 'state' | 'problem'> | undefined,
): string | null {
  if (!paper || paper.state === 'wanted')
    return 'Bought. The label’s file has not come from the carrier yet'
  if (paper.state === 'gone') return 'Bought. The carrier does not have the label’s file any more'
  return paper.problem === null
    ? null
    : 'Bought. This label can only be printed by itself, from Orders'
}

/** Rows as they were sent, tidied. */
export const parseRows = (orderData: readonly unknown[]): BulkRow[] =>
  orderData.map(given => tidyRow(toBulkRow(given)))

/** A sum over everything that was submitted: the same rows again are the same order, other rows under its id are refused. */
export type ContentHash = { add(rows: readonly BulkRow[]): void; hash(): string }

export function createContentHash(replaces: readonly string[]): ContentHash {
  const content = createHash('sha256').update(JSON.stringify(replaces.toSorted()))
  return {
    add(rows) {
      for (const row of rows) content.update(JSON.stringify(row))
    },
    hash: () => content.digest('base64url'),
  }
}

export type RowsCheck =
  | { orders: NewOrder[]; cost: Cents }
  | { errors: [field: string, text: string][]; wrongRows: number }

/**
 * Checks and prices rows, of which `before` have gone before. Any wrong field is named as '17.ToZipPostal', rows counted from 1; one
 * wrong row and nothing is accepted (architecture, 5).
 */
export function checkRows(rows: readonly BulkRow[], prices: PriceList, before = 0): RowsCheck {
  const errors: [string, string][] = []
  const orders: NewOrder[] = []
  let wrongRows = 0
  rows.forEach((row, index) => {
    const service = row.ServiceName.trim() === '' ? undefined : prices.find(row.ServiceName)
    const found = orderRowErrors(row, service ? { maxWeight: service.maxWeight } : {})
    const weight = found.PackageWeight ? null : Number(row.PackageWeight)
    const price = found.ServiceName ? null : priceParcel(prices, row.ServiceName, weight)
    if (price && 'problem' in price) found[price.field] ??= price.problem
    for (const field in found)
      errors.push([
        `${before + index + 1}.${field}`,
        withGroupName(field as RowField, found[field as RowField]!),
      ])
    if (isEmpty(found) && price && 'price' in price)
      orders.push(newOrderFromRow(row, price.service, price.price))
    else wrongRows++
  })
  return wrongRows > 0
    ? { errors, wrongRows }
    : { orders, cost: sum(orders.map(order => order.price)) }
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false
  return true
}

/** Names of a batch's files: its number to find it, its key to keep it from guessing. */
export function batchFileNames(
  id: number,
  key: string,
  sandbox: boolean,
): { pdf: string; result: string; confirm: string } {
  const stem = `${sandbox ? 'SAMPLE-' : ''}batch-${id}-${key.replaceAll('-', '')}`
  return { pdf: `${stem}.pdf`, result: `${stem}-result.csv`, confirm: `${stem}-auto-confirm.txt` }
}

const OVERLOADED = 'The bucket for files is overloaded'
const WRONG_KEYS = 'The keys of the bucket for files are not right'
const FILE_PROBLEMS: Record<string, string> = {
  ENOSPC: 'There is no space left for files',
  EDQUOT: 'There is no space left for files',
  EACCES: 'The folder for files may not be written to',
  EPERM: 'The folder for files may not be written to',
  EROFS: 'The folder for files can only be read',
  EMFILE: 'Too many files are open at once',
  EIO: 'The disk for files has a fault',
  [BUCKET_UNREACHABLE]: 'The bucket for files cannot be reached',
  SlowDown: OVERLOADED,
  ServiceUnavailable: OVERLOADED,
  NoSuchBucket: 'The bucket for files does not exist',
  AccessDenied: 'The bucket for files may not be written to',
  InvalidAccessKeyId: WRONG_KEYS,
  SignatureDoesNotMatch: WRONG_KEYS,
}

/** What the operator is told of files that could not be made; `code` is that of the error. What is not in the table is in the log. */
export const fileProblemText = (code: unknown): string =>
  FILE_PROBLEMS[String(code)]
  ?? `The files could not be written${typeof code === 'string' ? ` (${code})` : ''}`

/** What is done sooner needs no forecast, and from fewer labels none can be made. */
const MIN_ESTIMATE_MS = 20_000
const MIN_LABELS_SEEN = 10
const MIN_RUNTIME_MS = 5_000

/**
 * How long (ms) until the `left` labels of a batch are bought; null where that is soon or nobody knows. By the carrier's pace, shared
 * among `owners` who all wait, his own older labels (`ahead`) first; without a pace by how it went so far.
 */
export function estimateRemainingMs(seen: {
  left: number
  ahead: number
  owners: number
  labelsPerMinute: number | null
  done: number
  ranMs: number
  restMs: number
}): number | null {
  const { left, labelsPerMinute, done, ranMs } = seen
  if (left <= 0) return null
  const byPace =
    labelsPerMinute === null
      ? null
      : (((left + seen.ahead) * Math.max(1, seen.owners)) / labelsPerMinute) * 60_000
  const bySight = done >= MIN_LABELS_SEEN && ranMs >= MIN_RUNTIME_MS ? (left * ranMs) / done : null
  const ms = byPace ?? bySight
  if (ms === null) return null
  const whole = Math.round(ms + Math.max(0, seen.restMs))
  return whole < MIN_ESTIMATE_MS ? null : whole
}

/** What a customer is told while the carrier's account has a problem; the problem itself is the operator's. */
export const accountProblemText = ({ reason }: { reason: string | null }): string | null =>
  reason === null
    ? null
    : 'Waiting for the carrier account. Your labels are bought as soon as it is ready.'
