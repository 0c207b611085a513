import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { sum } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { invalidRowsText } from '#contract/row-rules.ts'
import type { BulkRow } from '#contract/rows.ts'
import { requireUser } from '#server/accounts/service.ts'
import type { PriceList } from '#server/catalogue/rules.ts'
import { priceList } from '#server/catalogue/service.ts'
import { findOmittedRows } from '#server/labels/auto-confirm.ts'
import { hold } from '#server/ledger/service.ts'
import { BEING_CHECKED, bulkRowFromOrder } from '#server/orders/rules.ts'
import {
  selectBatchIdsOfOrders,
  countRetryable,
  countStates,
  insertOrders,
  replaceOrders,
  selectRetryable,
  selectUnbought,
} from '#server/orders/store.ts'
import type { UnboughtRow } from '#server/orders/store.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { LongList } from '#server/platform/http/long-list.ts'
import { unlistedFieldsText, Refusal } from '#server/platform/http/refusal.ts'
import { reopenFailed } from '#server/purchasing/queue-store.ts'
import type { WithBatches } from './close.ts'
import { selectPartiallyPurchased } from './partially-purchased-store.ts'
import { checkRows, createContentHash, countsOf, isUnfinished, parseRows } from './rules.ts'
import type { BatchCounts } from './rules.ts'
import {
  acceptBatch,
  findBatch,
  findRunning,
  insertBatch,
  lockBatches,
  selectBatches,
  startRetry,
} from './store.ts'
import type { BatchRecord } from './store.ts'

export type BatchRequester = { userId: number; role: string }

/** An id for a bulk order to come: the idempotency key of `submit`. */
export const createBatch = (ctx: WithBatches, userId: number): Promise<number> =>
  ctx.database.tx(tx => insertBatch(tx, userId))

export type BatchSubmission = { batchId: number; orderData: LongList; replaces: readonly string[] }

/**
 * Accepts the rows of a bulk order: all of them with a hold for their price, in one transaction, or none. The same rows under
 * the same id are the same order; other rows are refused. Throws Refusal: 'unprocessable' naming every wrong field,
 * 'insufficient_balance', 'conflict', 'not_found'.
 */
export async function submitBulkOrder(
  ctx: WithBatches,
  userId: number,
  submission: BatchSubmission,
): Promise<BatchRecord> {
  const { batchId, orderData } = submission
  const known = await findBatch(ctx.database.db, batchId)
  if (known?.userId !== userId) throw batchNotFound()
  checkSize(orderData.length, ctx.config.bulkMaxRows)
  const prices = await priceList(ctx.database.db, userId)
  const { hash, cost, refusal } = await checkSubmission(submission, prices)
  if (known.status) return assertSameContent(known, hash)
  if (refusal) throw refusal
  const replaced = [...new Set(submission.replaces.map(Number))]
  const accepted = await ctx.database.tx(async tx => {
    const old = await selectBatchIdsOfOrders(tx, userId, replaced)
    const batch = (await lockBatches(tx, [...old, batchId])).find(one => one.id === batchId)!
    if (batch.status) return assertSameContent(batch, hash)
    await requireUser(tx, userId)
    await acceptBatch(tx, batchId, { contentHash: hash, total: orderData.length, cost })
    if (
      replaced.length > 0
      && (await replaceOrders(tx, userId, replaced, batchId)) !== replaced.length
    ) {
      throw new Refusal(
        'conflict',
        'Some of these rows have been retried or replaced meanwhile. Please open the failed rows again.',
      )
    }
    await insertBatchRows(tx, userId, batchId, orderData, prices)
    await hold(tx, userId, cost, { batchId, submission: 1 })
    return (await findBatch(tx, batchId))!
  })
  ctx.batchKeeper.progressed([batchId])
  return accepted
}

/** So many wrong fields are named. Whoever sends 50,000 rows of another kind is not answered with a file larger than his. */
const MAX_FIELD_ERRORS = 20_000

/** What all rows come to; `refusal` if any of them is wrong. A page at a time, so that others are served meanwhile. */
async function checkSubmission(
  { orderData, replaces }: BatchSubmission,
  prices: PriceList,
): Promise<{ hash: string; cost: Cents; refusal: Refusal | null }> {
  const content = createContentHash(replaces)
  const costs: Cents[] = []
  const named: [field: string, text: string][] = []
  let [seen, wrongRows, wrongFields] = [0, 0, 0]
  for (const page of orderData.pages()) {
    const rows = parseRows(page)
    content.add(rows)
    const checked = checkRows(rows, prices, seen)
    seen += rows.length
    if ('cost' in checked) costs.push(checked.cost)
    else {
      wrongRows += checked.wrongRows
      wrongFields += checked.errors.length
      named.push(...checked.errors.slice(0, MAX_FIELD_ERRORS - named.length))
    }
    await turn()
  }
  const refusal =
    wrongRows === 0
      ? null
      : new Refusal(
          'unprocessable',
          invalidRowsText(wrongRows) + unlistedFieldsText(wrongFields - named.length),
          Object.fromEntries(named),
        )
  return { hash: content.hash(), cost: sum(costs), refusal }
}

/** Writes rows that have been found to be sound, a page at a time: the text and the objects of all of them are never there at once. */
async function insertBatchRows(
  tx: Tx,
  userId: number,
  batchId: number,
  orderData: LongList,
  prices: PriceList,
): Promise<void> {
  let before = 0
  for (const page of orderData.pages()) {
    const checked = checkRows(parseRows(page), prices, before)
    if ('errors' in checked) throw new Error('rows that were sound have become wrong')
    await insertOrders(tx, userId, checked.orders, batchId, before)
    before += page.length
  }
}

function checkSize(rows: number, most: number): void {
  if (rows === 0) throw new Refusal('unprocessable', 'A bulk order needs at least one row')
  if (rows > most) {
    const [limit, count] = [most, rows].map(number => number.toLocaleString('en-US'))
    throw new Refusal(
      'unprocessable',
      `A bulk order may have at most ${limit} rows; this one has ${count}`,
    )
  }
}

function assertSameContent(batch: BatchRecord, hash: string): BatchRecord {
  if (batch.contentHash !== hash)
    throw new Refusal('conflict', `Bulk order ${batch.id} was submitted before, with other rows`)
  return batch
}

const batchNotFound = (): Refusal => new Refusal('not_found', 'There is no such bulk order')

/** A batch of the caller's own, or any for an administrator; an id without rows is not yet one. */
export async function getBatchFor(
  ctx: WithBatches,
  caller: BatchRequester,
  batchId: number,
): Promise<BatchRecord> {
  const batch = await findBatch(ctx.database.db, batchId)
  if (!batch?.status || (batch.userId !== caller.userId && caller.role !== 'admin'))
    throw batchNotFound()
  return batch
}

/** A batch with its counts: of its rows while it runs, frozen once it has ended. */
export type CountedBatch = { batch: BatchRecord; counts: BatchCounts }

export async function findCountedBatch(db: Db, batchId: number): Promise<CountedBatch | null> {
  const batch = await findBatch(db, batchId)
  return batch?.status ? { batch, counts: (await getCountsOf(db, [batch])).get(batchId)! } : null
}

async function getCountsOf(db: Db, batches: BatchRecord[]): Promise<Map<number, BatchCounts>> {
  const running = batches.filter(batch => isUnfinished(batch.status!))
  const states = await countStates(
    db,
    running.map(batch => batch.id),
  )
  return new Map(
    batches.map(batch => {
      const counted = states.get(batch.id)
      return [
        batch.id,
        counted
          ? countsOf(batch.status!, counted)
          : { processed: batch.processed, failed: batch.failed },
      ]
    }),
  )
}

/** A label that did not come to be. `retryable` is false for one of unknown outcome or taken over by another batch. */
export type UnboughtLabel = {
  row: number
  itemRef: string
  receiver: string
  reason: string
  retryable: boolean
}

const toUnboughtLabel = ({
  row,
  state,
  receiver,
  itemRef,
  reason,
  replacedBy,
}: UnboughtRow): UnboughtLabel => ({
  row,
  itemRef: itemRef ?? '',
  receiver,
  reason: state === 'unknown' ? BEING_CHECKED : (reason ?? 'The carrier refused this label'),
  retryable: state === 'failed' && replacedBy === null,
})

export async function listFailedLabels(db: Db, batchId: number): Promise<UnboughtLabel[]> {
  return (await selectUnbought(db, [batchId], null)).map(toUnboughtLabel)
}

/** A list shows this many failed labels of a batch, and no more of all its batches together; the status call shows all. */
const FAILED_IN_LIST = 1_000
const FAILED_IN_ALL = 50_000

/** `leftOut`: bought labels that the confirmation file leaves out, where there is such a file. */
export type BatchListItem = CountedBatch & { failedLabels: UnboughtLabel[]; leftOut: number }

export async function getBatchesPage(
  db: Db,
  userId: number,
  page: number,
  limit: number,
): Promise<{ listed: BatchListItem[]; total: number }> {
  const { batches, total } = await selectBatches(db, userId, (page - 1) * limit, limit)
  const counts = await getCountsOf(db, batches)
  const each = Math.min(FAILED_IN_LIST, Math.floor(FAILED_IN_ALL / Math.max(1, batches.length)))
  const failed = Map.groupBy(
    await selectUnbought(
      db,
      batches.map(batch => batch.id),
      each,
    ),
    label => label.batchId,
  )
  const confirmed = batches.filter(
    ({ status, confirmName }) => confirmName !== null && !isUnfinished(status!),
  )
  const halves = Map.groupBy(
    await selectPartiallyPurchased(
      db,
      confirmed.map(batch => batch.id),
    ),
    row => row.batchId,
  )
  const listed = batches.map(batch => ({
    batch,
    counts: counts.get(batch.id)!,
    failedLabels: (failed.get(batch.id) ?? []).map(toUnboughtLabel),
    leftOut: findOmittedRows(halves.get(batch.id) ?? []).length,
  }))
  return { listed, total }
}

export async function findRunningBatch(db: Db, userId: number): Promise<CountedBatch | null> {
  const batch = await findRunning(db, userId)
  return batch ? { batch, counts: (await getCountsOf(db, [batch])).get(batch.id)! } : null
}

/** Failed rows that may still be bought again, as rows to be edited. */
export async function listEditableRows(
  ctx: WithBatches,
  caller: BatchRequester,
  batchId: number,
): Promise<{ orderId: number; row: number; reason: string; data: BulkRow }[]> {
  const batch = await getBatchFor(ctx, caller, batchId)
  const failed = await selectRetryable(ctx.database.db, batch.id)
  return failed.map(order => ({
    orderId: order.id,
    row: order.rowNo!,
    reason: order.reason ?? '',
    data: bulkRowFromOrder(order),
  }))
}

/** How long Retry Failed waits for the outcome before it answers with what there is (architecture, 5). */
const RETRY_PATIENCE_MS = 20_000

export type BatchRetryResult = CountedBatch & { recovered: number }

/**
 * Buys the failed labels again, as they are and at the price they were ordered at. Throws Refusal: 'conflict' when the batch is
 * at work or has nothing to retry, 'insufficient_balance'.
 */
export async function retryBatch(
  ctx: WithBatches,
  caller: BatchRequester,
  batchId: number,
): Promise<BatchRetryResult> {
  await getBatchFor(ctx, caller, batchId)
  const boughtBefore = await reopenBatch(ctx, batchId)
  ctx.batchKeeper.progressed([batchId])
  const patience = Date.now() + RETRY_PATIENCE_MS
  for (;;) {
    await wait(50)
    const progress = (await findCountedBatch(ctx.database.db, batchId))!
    if (isUnfinished(progress.batch.status!) && !ctx.closing.aborted && Date.now() <= patience)
      continue
    return { ...progress, recovered: (await countBought(ctx.database.db, batchId)) - boughtBefore }
  }
}

async function reopenBatch(ctx: WithBatches, batchId: number): Promise<number> {
  return ctx.database.tx(async tx => {
    const [batch] = await lockBatches(tx, [batchId])
    if (isUnfinished(batch!.status!)) {
      throw new Refusal('conflict', 'This bulk order is still being processed')
    }
    await requireUser(tx, batch!.userId)
    if ((await countRetryable(tx, batchId)) === 0)
      throw new Refusal('conflict', 'There is no failed label to retry in this bulk order')
    const bought = await countBought(tx, batchId)
    const opened = await reopenFailed(tx, batchId)
    const submission = batch!.submission + 1
    await hold(tx, batch!.userId, sum(opened.map(order => order.price)), { batchId, submission })
    await startRetry(tx, batchId, submission)
    return bought
  })
}

async function countBought(db: Db, batchId: number): Promise<number> {
  const states = (await countStates(db, [batchId])).get(batchId)!
  return states.purchased + states.voiding + states.voided
}
