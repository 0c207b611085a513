import { createHash } from 'node:crypto'
import type { BatchStatus } from '#contract/batch-status.ts'
import type { FieldFault } from '#contract/faults.ts'
import { optionCellFaults, optionsOfCells, parseOptionCells } from '#contract/label-options.ts'
import { sum } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { pricedParcelOf } from '#contract/pricing.ts'
import { receiverEmailOf } from '#contract/receiver-email.ts'
import { itemsFault } from '#contract/row-items.ts'
import { withGroupName } from '#contract/row-rules.ts'
import { FIELDS, parseItems, tidyCells, toBulkRow } from '#contract/rows.ts'
import type { RowField, SubmittedRow } from '#contract/rows.ts'
import { addOptionPrices } from '#server/catalogue/option-rules.ts'
import { findPriceOrProblem } from '#server/catalogue/rules.ts'
import type { ParcelInput, PriceList } from '#server/catalogue/rules.ts'
import type { CarrierLabelFileRecord } from '#server/labels/service.ts'
import { newOrderFromRow, orderRowFaults } from '#server/orders/rules.ts'
import type { NewOrder, StateCounts } from '#server/orders/rules.ts'
import { BUCKET_UNREACHABLE } from '#server/platform/storage/port.ts'

/** Once files are being built no row may be bought. */
export const isOpen = (status: BatchStatus): boolean =>
  status === 'processing' || status === 'retrying_failed'

export const isUnfinished = (status: BatchStatus): boolean =>
  isOpen(status) || status === 'generating_files'

/**
 * How long ago (ms) a label of an open batch may have become unknown and still be queued again.
 * Labels that were unknown before a retry are counted as failed (docs/requirements.md#batches).
 */
export const requeueWindowMs = (status: BatchStatus, retriedMs: number | null): number =>
  status === 'processing' ? Infinity : (retriedMs ?? 0)

/** Distinct and sorted by id, for locking. */
export const batchIdsOf = (labels: { batchId: number | null }[]): number[] =>
  [...new Set(labels.map(({ batchId }) => batchId).filter(id => id !== null))].sort((a, b) => a - b)

export type BatchCounts = { processed: number; failed: number }

/**
 * An unknown label is not processed while the batch waits for it, and counts as failed afterwards.
 * During a retry reopened labels are not in `processed`, but stay in `failed` until they are bought
 * (docs/requirements.md#batches).
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

/** 'failed' only if all labels are unknown. Labels that another batch has replaced still count. */
export function finalStatus(states: StateCounts): 'completed' | 'completed_with_errors' | 'failed' {
  if (states.failed + states.unknown === 0) return 'completed'
  const bought = states.purchased + states.voiding + states.voided
  return bought + states.failed === 0 ? 'failed' : 'completed_with_errors'
}

/** Then the batch ends without its unknown labels. */
export const UNKNOWN_PATIENCE_MS = 15 * 60 * 1000

/** Label files that come later are added to the batch files then. */
export const LABEL_FILE_PATIENCE_MS = 2 * 60 * 1000

/**
 * Of a batch without open rows: nothing is left to wait for, or it has waited long enough. A retry
 * does not wait for unknown rows.
 */
export const needsNoMoreWaiting = (
  status: BatchStatus,
  unknown: number,
  pendingFiles: number,
  waitedMs: number,
): boolean =>
  (unknown === 0 || status === 'retrying_failed' || waitedMs >= UNKNOWN_PATIENCE_MS)
  && (pendingFiles === 0 || waitedMs >= LABEL_FILE_PATIENCE_MS)

/** For the result file; null if the label is in the printed file. */
export function missingLabelReason(
  file: Pick<CarrierLabelFileRecord, 'state' | 'problem'> | undefined,
): string | null {
  if (!file || file.state === 'pending')
    return 'Bought. The label’s file has not come from the carrier yet'
  if (file.state === 'unavailable')
    return 'Bought. The carrier does not have the label’s file any more'
  return file.problem === null
    ? null
    : 'Bought. This label can only be printed by itself, from Orders'
}

/** `itemsFault`: what is wrong with the items as they were sent. */
export type ParsedRow = SubmittedRow & { itemsFault?: FieldFault }

export const parseRows = (orderData: readonly unknown[]): ParsedRow[] =>
  orderData.map(given => {
    const row: ParsedRow = toBulkRow(given)
    tidyCells(row)
    const email = receiverEmailOf((given as { ToEmail?: unknown } | null | undefined)?.ToEmail)
    if (email !== '') row.ToEmail = email
    Object.assign(row, parseOptionCells(given))
    const sent = (given as { items?: unknown } | null | undefined)?.items
    if (sent === undefined || sent === null) return row
    const fault = itemsFault(sent)
    if (fault !== null) row.itemsFault = fault
    else if ((sent as unknown[]).length > 0) row.items = parseItems(sent)
    return row
  })

/** To recognize a repeated request. */
export type ContentHash = { add(rows: readonly SubmittedRow[]): void; hash(): string }

export function createContentHash(replaces: readonly string[]): ContentHash {
  const content = createHash('sha256').update(JSON.stringify(replaces.toSorted()))
  return {
    add(rows) {
      for (const row of rows) content.update(JSON.stringify(row))
    },
    hash: () => content.digest('base64url'),
  }
}

export const parcelOfRow = (row: ParsedRow): ParcelInput => ({
  service: row.ServiceName,
  weight: row.PackageWeight,
  length: row.PackageLength,
  width: row.PackageWidth,
  height: row.PackageHeight,
  fromZip: row.FromZipPostal,
  toZip: row.ToZipPostal,
})

const ROW_FIELDS: ReadonlySet<string> = new Set(FIELDS.map(({ name }) => name))
const isRowField = (name: string): name is RowField => ROW_FIELDS.has(name)

export type RowsCheck =
  | { orders: NewOrder[]; cost: Cents }
  | { faults: [field: string, fault: FieldFault][]; wrongRows: number }

/**
 * Faults are named like '17.ToZipPostal'; rows are counted from 1, after the `before` rows of
 * earlier pages.
 */
export function checkRows(rows: readonly ParsedRow[], prices: PriceList, before = 0): RowsCheck {
  const faults: [string, FieldFault][] = []
  const orders: NewOrder[] = []
  let wrongRows = 0
  rows.forEach((row, index) => {
    const service = row.ServiceName.trim() === '' ? undefined : prices.find(row.ServiceName)
    const found = orderRowFaults(
      row,
      service ? { maxWeight: service.maxWeight, serviceUid: service.uid } : {},
    )
    const price = found.ServiceName
      ? null
      : findPriceOrProblem(prices, row.ServiceName, pricedParcelOf(row, found))
    if (price && 'fault' in price) found[price.field] ??= price.fault
    const options = optionsOfCells(row)
    const label =
      price && 'price' in price
        ? addOptionPrices(price.price, price.service, options, prices.optionsOf)
        : null
    const wrong: Record<string, FieldFault> = {
      ...found,
      ...optionCellFaults(row),
      ...(label && 'faults' in label && label.faults),
    }
    for (const field in wrong) {
      const { code, text } = wrong[field]!
      const name = `${before + index + 1}.${field}`
      faults.push([name, { code, text: isRowField(field) ? withGroupName(field, text) : text }])
    }
    if (row.itemsFault !== undefined) faults.push([`${before + index + 1}.items`, row.itemsFault])
    const isValid = row.itemsFault === undefined && isEmpty(wrong)
    if (isValid && price && 'price' in price && label && 'price' in label)
      orders.push(newOrderFromRow(row, price.service, { ...label, options }, price.quote))
    else wrongRows++
  })
  return wrongRows > 0
    ? { faults, wrongRows }
    : { orders, cost: sum(orders.map(order => order.price)) }
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false
  return true
}

/** The random key keeps the names from being guessed. `confirm` is without its ending. */
export function batchFileNames(
  id: number,
  key: string,
  sandbox: boolean,
): { pdf: string; result: string; confirm: string } {
  const stem = `${sandbox ? 'SAMPLE-' : ''}batch-${id}-${key.replaceAll('-', '')}`
  return { pdf: `${stem}.pdf`, result: `${stem}-result.csv`, confirm: `${stem}-auto-confirm` }
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

/** For the operator. Other errors are in the log. */
export const fileProblemText = (code: unknown): string =>
  FILE_PROBLEMS[String(code)]
  ?? `The files could not be written${typeof code === 'string' ? ` (${code})` : ''}`

const MIN_ESTIMATE_MS = 20_000
const MIN_LABELS_SEEN = 10
const MIN_RUNTIME_MS = 5_000

/**
 * In ms, null if that is soon or unknown. A rate limit is shared among `owners`, and the user's
 * older labels (`ahead`) come first.
 */
export function estimateRemainingMs(batch: {
  left: number
  ahead: number
  owners: number
  labelsPerMinute: number | null
  done: number
  ranMs: number
  pauseMs: number
}): number | null {
  const { left, labelsPerMinute, done, ranMs } = batch
  if (left <= 0) return null
  const byRateLimit =
    labelsPerMinute === null
      ? null
      : (((left + batch.ahead) * Math.max(1, batch.owners)) / labelsPerMinute) * 60_000
  const bySpeed = done >= MIN_LABELS_SEEN && ranMs >= MIN_RUNTIME_MS ? (left * ranMs) / done : null
  const ms = byRateLimit ?? bySpeed
  if (ms === null) return null
  const whole = Math.round(ms + Math.max(0, batch.pauseMs))
  return whole < MIN_ESTIMATE_MS ? null : whole
}

/** Only the operator sees the problem itself. */
export const accountProblemText = ({ reason }: { reason: string | null }): string | null =>
  reason === null
    ? null
    : 'Waiting for the carrier account. Your labels are bought as soon as it is ready.'
