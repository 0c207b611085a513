import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SubmittedFile } from '#contract/batches.ts'
import type { FieldFault } from '#contract/faults.ts'
import { sum, usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { invalidRowsText } from '#contract/row-rules.ts'
import { loadPlaces } from '#contract/zip-places.ts'
import { assertWithinDailyLimit, countKeySpending } from '#server/accounts/api-keys.ts'
import { requireUser } from '#server/accounts/service.ts'
import { optionsOfAccounts } from '#server/carriers/service.ts'
import { hasLivePrices, withQuotesFor } from '#server/catalogue/live-prices.ts'
import { readOptions } from '#server/catalogue/option-prices.ts'
import type { ParcelInput, PriceList } from '#server/catalogue/rules.ts'
import { priceList } from '#server/catalogue/service.ts'
import { assertAffordable, hold } from '#server/ledger/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { prepareInsert, replaceOrders, selectBatchIdsOfOrders } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { LongList } from '#server/platform/http/long-list.ts'
import { Refusal, unlistedFieldsText } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import { leaveRoomToUrgent } from '#server/platform/process/urgent-work.ts'
import { checkRows, createContentHash, parcelOfRow, parseRows } from './rules.ts'
import { createSeenKeys } from './seen-rules.ts'
import { lockSubmissions } from './seen-store.ts'
import { refuseSeen } from './seen.ts'
import type { RowsToBuy } from './seen.ts'
import {
  acceptBatch,
  deleteUnusedBeyond,
  deleteUnusedOlderThan,
  findBatch,
  insertBatch,
  lockBatches,
} from './store.ts'
import type { BatchRecord } from './store.ts'
import { createWarnings } from './warnings.ts'
import type { BatchWarnings } from './warnings.ts'

/** The id is the idempotency key of `submitBulkOrder`. */
export const createBatch = (ctx: LabelContext, userId: number): Promise<number> =>
  ctx.database.tx(async tx => {
    const batchId = await insertBatch(tx, userId)
    await deleteUnusedBeyond(tx, userId, MAX_UNUSED_BATCHES)
    return batchId
  })

/** Of one user; a page reserves an id at each submit. */
const MAX_UNUSED_BATCHES = 100
const UNUSED_FOR_HOURS = 24

/** At most `limit`. Returns how many ids that were never submitted are gone. */
export const sweepUnusedBatches = (ctx: LabelContext, limit: number): Promise<number> =>
  ctx.database.tx(tx => deleteUnusedOlderThan(tx, UNUSED_FOR_HOURS, limit))

/**
 * `allowRepeats`: rows of the file may have a label already; with `repeats`, so many of them.
 * `maxCost`: of all rows; null for any.
 */
export type BatchSubmission = {
  batchId: number
  orderData: LongList
  replaces: readonly string[]
  file?: SubmittedFile | null
  allowRepeats?: boolean
  repeats?: number
  maxCost?: Cents | null
  /** That submits it. */
  key?: Caller['key']
}

/**
 * Accepts all rows and holds their price in one transaction, or none. Repeating the same rows under
 * the same id changes nothing. Throws Refusal: 422 naming every wrong field, or 'price_changed' above
 * `maxCost`; 402, before rows are inserted; 409 for other rows, and for rows of a file
 * that have a label; 404.
 */
export async function submitBulkOrder(
  ctx: LabelContext,
  userId: number,
  submission: BatchSubmission,
): Promise<{ batch: BatchRecord } & BatchWarnings> {
  const check = await checkSubmission(ctx, userId, submission)
  const warnings = check.warnings.found()
  return { batch: await acceptSubmission(ctx, userId, submission, check), ...warnings }
}

async function acceptSubmission(
  ctx: LabelContext,
  userId: number,
  submission: BatchSubmission,
  { known, prices, hash, cost, refusal, toBuy }: SubmissionCheck,
): Promise<BatchRecord> {
  const { batchId, orderData, file = null, maxCost = null, key = null } = submission
  if (known.status) return assertSameContent(known, hash)
  if (refusal) throw refusal
  if (maxCost !== null && cost > maxCost)
    throw new Refusal(
      'price_changed',
      `These labels cost ${usd(cost)}, more than maxCost ${usd(maxCost)}. Nothing was bought.`,
    )
  const already = await refuseUnaffordable(ctx, userId, { batchId, cost, toBuy, key })
  if (already) return assertSameContent(already, hash)
  const replaced = [...new Set(submission.replaces.map(Number))]
  const accepted = await ctx.database.tx(async tx => {
    await lockSubmissions(tx, userId, { refusesRepeats: toBuy !== null })
    const old = await selectBatchIdsOfOrders(tx, userId, replaced)
    const batch = (await lockBatches(tx, [...old, batchId])).find(one => one.id === batchId)
    if (!batch) throw submissionNotFound()
    if (batch.status) return assertSameContent(batch, hash)
    await requireUser(tx, userId)
    if (toBuy) await refuseSeen(tx, userId, toBuy)
    await acceptBatch(tx, batchId, {
      contentHash: hash,
      total: orderData.length,
      cost,
      file,
      keyId: key?.id ?? null,
    })
    if (
      replaced.length > 0
      && (await replaceOrders(tx, userId, replaced, batchId)) !== replaced.length
    ) {
      throw new Refusal(
        'changed_meanwhile',
        'Some of these rows have been retried or replaced meanwhile. Please load the failed rows again.',
      )
    }
    await insertBatchRows(tx, userId, batchId, orderData, prices)
    await hold(tx, userId, cost, { batchId, submission: 1 })
    const stored = (await findBatch(tx, batchId))!
    await countKeySpending(tx, key, { amount: cost, at: stored.acceptedAt! })
    return stored
  })
  ctx.batchProgress.emitAccepted(batchId)
  return accepted
}

type Affordability = {
  batchId: number
  cost: Cents
  toBuy: RowsToBuy | null
  key: Caller['key']
}

/**
 * Before rows are inserted; the hold decides. Returns the batch if another request has submitted it
 * meanwhile, which took the money. Throws Refusal 402, or 409 if labels for
 * the same rows took the money.
 */
async function refuseUnaffordable(
  ctx: LabelContext,
  userId: number,
  { batchId, cost, toBuy, key }: Affordability,
): Promise<BatchRecord | null> {
  const { db } = ctx.database
  try {
    await assertAffordable(db, userId, cost)
    await assertWithinDailyLimit(db, key, cost)
    return null
  } catch (error) {
    const batch = await findBatch(db, batchId)
    if (batch?.status) return batch
    if (toBuy) await refuseSeen(db, userId, toBuy)
    throw error
  }
}

/** An id that was swept looks like one that was never given. */
const submissionNotFound = (): Refusal =>
  new Refusal(
    'batch_unknown',
    'There is no such bulk order. An id ends when it is not submitted within 24 hours, or when '
      + `${MAX_UNUSED_BATCHES} newer ones were reserved: please reserve a new id and submit again.`,
  )

/** Also before it is submitted. Throws Refusal 404. */
export async function getOwnBatch(
  ctx: LabelContext,
  userId: number,
  batchId: number,
): Promise<BatchRecord> {
  const batch = await findBatch(ctx.database.db, batchId)
  if (batch?.userId !== userId) throw submissionNotFound()
  return batch
}

/** `rows` is unknown when reading stopped at the limit. */
export function tooManyRows(most: number, rows?: number): Refusal {
  const count = rows === undefined ? 'more' : rows.toLocaleString('en-US')
  return new Refusal(
    'too_many_rows',
    `A bulk order may have at most ${most.toLocaleString('en-US')} rows; this one has ${count}`,
  )
}

/** A page of rows gives way so long to single orders. Not while rows are inserted: they hold locks of their user. */
const MOST_WAIT_MS = 50

/** Keeps the response to 50,000 wrong rows smaller than the request. */
const MAX_FIELD_ERRORS = 20_000

/** Of all rows together. */
const MAX_ITEMS = 200_000

/** `refusal`: set if any row is wrong. `toBuy`: null if every repeat is allowed. */
type SubmissionCheck = {
  known: BatchRecord
  prices: PriceList
  hash: string
  cost: Cents
  refusal: Refusal | null
  toBuy: RowsToBuy | null
  warnings: ReturnType<typeof createWarnings>
}

async function checkSubmission(
  ctx: LabelContext,
  userId: number,
  submission: BatchSubmission,
): Promise<SubmissionCheck> {
  const { batchId, orderData, replaces, file } = submission
  checkSize(orderData.length, ctx.config.bulkMaxRows)
  const repeats = submission.allowRepeats ? (submission.repeats ?? Infinity) : null
  const asksSeen = file && repeats !== Infinity
  const known = await getOwnBatch(ctx, userId, batchId)
  const prices = await pricesFor(ctx, userId, { known, orderData })
  const warnings = createWarnings(await loadPlaces().catch(() => undefined))
  const content = createContentHash(replaces)
  const seenKeys = createSeenKeys()
  const costs: Cents[] = []
  const named: [field: string, fault: FieldFault][] = []
  let [seen, items, wrongRows, wrongFields] = [0, 0, 0, 0]
  for (const page of orderData.pages()) {
    const rows = parseRows(page)
    content.add(rows)
    const checked = checkRows(rows, prices, seen)
    if (asksSeen) seenKeys.add(rows, seen)
    items += rows.reduce((count, row) => count + (row.items?.length ?? 0), 0)
    if (items > MAX_ITEMS) throw tooManyItems()
    if ('cost' in checked) {
      costs.push(checked.cost)
      warnings.add(rows, seen)
    } else {
      wrongRows += checked.wrongRows
      wrongFields += checked.faults.length
      named.push(...checked.faults.slice(0, MAX_FIELD_ERRORS - named.length))
    }
    seen += rows.length
    await yieldToOthers()
    await leaveRoomToUrgent(MOST_WAIT_MS)
  }
  const refusal =
    wrongRows === 0
      ? null
      : new Refusal(
          'rows_invalid',
          invalidRowsText(wrongRows) + unlistedFieldsText(wrongFields - named.length),
          { fields: Object.fromEntries(named) },
        )
  const toBuy = asksSeen
    ? { ...seenKeys.found(), fileHash: file.sha256.toLowerCase(), repeats }
    : null
  return { known, prices, hash: content.hash(), cost: sum(costs), refusal, toBuy, warnings }
}

/** With the prices of options, and what the carrier quotes for rows of live services, unless the batch is submitted already. */
async function pricesFor(
  ctx: LabelContext,
  userId: number,
  { known, orderData }: { known: BatchRecord; orderData: LongList },
): Promise<PriceList> {
  const { db } = ctx.database
  const [listed, optionsOf] = await Promise.all([
    priceList(db, userId),
    readOptions(db, optionsOfAccounts(ctx)),
  ])
  const prices: PriceList = { ...listed, optionsOf }
  if (known.status || !hasLivePrices(prices)) return prices
  const parcels: ParcelInput[] = []
  for (const page of orderData.pages()) {
    for (const row of parseRows(page)) parcels.push(parcelOfRow(row))
    await yieldToOthers()
  }
  return withQuotesFor(ctx, userId, prices, parcels)
}

const tooManyItems = (): Refusal =>
  new Refusal(
    'too_many_rows',
    `A bulk order may have at most ${MAX_ITEMS.toLocaleString('en-US')} order items; this one has more`,
  )

/** A page at a time, so that never all rows are in memory as objects; the next page is prepared while one is inserted. */
async function insertBatchRows(
  tx: Tx,
  userId: number,
  batchId: number,
  orderData: LongList,
  prices: PriceList,
): Promise<void> {
  let before = 0
  let inserting: Promise<unknown> = Promise.resolve()
  try {
    for (const page of orderData.pages()) {
      const checked = checkRows(parseRows(page), prices, before)
      if ('faults' in checked)
        throw new Error('rows that passed the check before do not pass it now')
      const insert = prepareInsert({ userId, orders: checked.orders, batchId, before })
      await inserting
      inserting = insert(tx)
      // A failure is thrown by the next await, or at the end.
      inserting.catch(() => {})
      before += page.length
      // The statement is sent in a later turn, before the next page is prepared.
      await nextTurn()
    }
    await inserting
  } finally {
    // No statement may follow the end of the transaction.
    await inserting.catch(() => {})
  }
}

function checkSize(rows: number, most: number): void {
  if (rows === 0) throw new Refusal('no_rows', 'A bulk order needs at least one row')
  if (rows > most) throw tooManyRows(most, rows)
}

function assertSameContent(batch: BatchRecord, hash: string): BatchRecord {
  if (batch.contentHash !== hash)
    throw new Refusal(
      'batch_submitted',
      `Bulk order ${batch.id} was submitted before, with other rows`,
    )
  return batch
}
