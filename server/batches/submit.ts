import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SubmittedFile } from '#contract/batches.ts'
import { usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { loadPlaces } from '#contract/zip-places.ts'
import type { ZipPlaces } from '#contract/zip-places.ts'
import {
  assertWithinDailyLimit,
  countKeySpending,
  dailyLimitLeft,
} from '#server/accounts/api-keys.ts'
import { requireUser } from '#server/accounts/service.ts'
import { hasLivePrices, withQuotesFor } from '#server/catalogue/live-prices.ts'
import { priceListWithOptions } from '#server/catalogue/option-prices.ts'
import type { ParcelInput, PriceList } from '#server/catalogue/rules.ts'
import { assertAffordable, hold, walletOf } from '#server/ledger/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { prepareInsert, replaceOrders, selectBatchIdsOfOrders } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { LongList } from '#server/platform/http/long-list.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import { leaveRoomToUrgent } from '#server/platform/process/urgent-work.ts'
import type { WorkLimits } from '#server/platform/process/work-slots.ts'
import { forgetLateRefusal, hadLateRefusal, recordLateRefusal } from './late-refusals.ts'
import { createRowReading } from './row-reading.ts'
import type { RowReadingResult } from './row-reading.ts'
import { parcelOfRow, parseRows } from './rules.ts'
import { lockSubmissions } from './seen-store.ts'
import { isFileSeen, refuseSeen } from './seen.ts'
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
import type { BatchWarnings } from './warnings.ts'

/** A submit or retry of 50,000 rows takes seconds; a second tab waits for the first. */
export const SUBMIT_LIMITS: WorkLimits = {
  perUser: 1,
  total: 3,
  waitingPerUser: 40,
  waitingTotal: 400,
  patienceMs: 20_000,
}

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
  /** The key that submits it; null without one. */
  key?: Caller['key']
}

type SubmittedBatch = { batch: BatchRecord } & BatchWarnings

/**
 * Accepts all rows and holds their price in one transaction, or none. A repeat changes nothing. Throws Refusal: 422
 * naming every wrong field, or 'price_changed' above `maxCost`; 402; 409 for other rows, and for rows of a file that have a label; 404.
 *
 * Rows are inserted while later ones are read: docs/decisions/0074-rows-are-inserted-while-they-are-read.md.
 */
export async function submitBulkOrder(
  ctx: LabelContext,
  userId: number,
  submission: BatchSubmission,
): Promise<SubmittedBatch> {
  const { batchId, orderData, key = null, maxCost = null } = submission
  checkSize(orderData.length, ctx.config.bulkMaxRows)
  const known = await getOwnBatch(ctx, userId, batchId)
  const prices = await pricesFor(ctx, userId, { known, orderData })
  const places = await loadPlaces().catch(() => undefined)
  const priced: PricedSubmission = { ...submission, prices, places }
  if (known.status) return assertSameContent(known, await readAllRows(priced))
  if (hadLateRefusal(ctx.database, userId, performance.now()))
    return acceptAfterReading(ctx, userId, priced)
  const { db } = ctx.database
  const { available } = await walletOf(db, userId)
  const left = await dailyLimitLeft(db, key)
  const most = Math.min(available, left ?? Infinity, maxCost ?? Infinity)
  const accepted = await acceptRows(ctx, userId, priced, { most, areRead: false })
  return accepted ?? acceptAfterReading(ctx, userId, priced)
}

type PricedSubmission = BatchSubmission & { prices: PriceList; places: ZipPlaces | undefined }

/** Whether a repeat can refuse it: it names its file, and not every repeat is allowed. */
const refusesRepeats = ({ file, allowRepeats, repeats }: BatchSubmission): boolean =>
  Boolean(file) && !(allowRepeats && repeats === undefined)

const startReading = (submission: PricedSubmission) =>
  createRowReading({ ...submission, findsSeen: refusesRepeats(submission) })

/** Null if every repeat is allowed. */
function rowsToBuy(submission: PricedSubmission, { seen }: RowReadingResult): RowsToBuy | null {
  const { batchId, file, allowRepeats = false, repeats = null } = submission
  if (!file || !refusesRepeats(submission)) return null
  const fileHash = file.sha256.toLowerCase()
  return { ...seen, exceptBatchId: batchId, fileHash, repeats: allowRepeats ? repeats : null }
}

/** Ends a transaction whose rows cannot all be accepted. */
const NOT_ACCEPTED = Symbol('not accepted')

/**
 * Returns null and changes nothing if a row is wrong, the rows cost more than `most` cents, the bulk order is submitted already, or,
 * unless all rows were read before (`areRead`), their file was bought before or a replaced row may not be replaced. Throws as
 * `submitBulkOrder`.
 */
async function acceptRows(
  ctx: LabelContext,
  userId: number,
  submission: PricedSubmission,
  { most, areRead }: { most: number; areRead: boolean },
): Promise<SubmittedBatch | null> {
  const { batchId, orderData, file = null, key = null } = submission
  const replaced = [...new Set(submission.replaces.map(Number))]
  let isInserted = false
  try {
    const accepted = await ctx.database.tx(async tx => {
      isInserted = false
      await lockSubmissions(tx, userId, { refusesRepeats: refusesRepeats(submission) })
      const old = await selectBatchIdsOfOrders(tx, userId, replaced)
      const batch = (await lockBatches(tx, [...old, batchId])).find(one => one.id === batchId)
      if (!batch) throw submissionNotFound()
      if (batch.status) throw NOT_ACCEPTED
      await requireUser(tx, userId)
      if ((await replaceOrders(tx, userId, replaced, batchId)) !== replaced.length)
        throw areRead ? changedMeanwhile() : NOT_ACCEPTED
      if (!areRead && refusesRepeats(submission) && (await isFileSeen(tx, userId, file!)))
        throw NOT_ACCEPTED
      const onInsert = (): void => void (isInserted = true)
      const read = await insertRows(tx, userId, submission, { most, onInsert })
      const { hash, cost, warnings, warningCount } = read
      const toBuy = rowsToBuy(submission, read)
      // Before the batch has its file: it would be found as a repeat of itself.
      if (toBuy) await refuseSeen(tx, userId, toBuy)
      const total = orderData.length
      const keyId = key?.id ?? null
      await acceptBatch(tx, batchId, { contentHash: hash, total, cost, file, keyId })
      await hold(tx, userId, cost, { batchId, submission: 1 })
      const stored = (await findBatch(tx, batchId))!
      await countKeySpending(tx, key, { amount: cost, at: stored.acceptedAt! })
      return { batch: stored, warnings, warningCount }
    })
    forgetLateRefusal(ctx.database, userId)
    ctx.batchProgress.emitAccepted(batchId)
    return accepted
  } catch (error) {
    if (isInserted && (error === NOT_ACCEPTED || error instanceof Refusal))
      recordLateRefusal(ctx.database, userId, performance.now())
    if (error === NOT_ACCEPTED) return null
    throw error
  }
}

const changedMeanwhile = (): Refusal =>
  new Refusal(
    'changed_meanwhile',
    'Some of these rows have been retried or replaced meanwhile. Please load the failed rows again.',
  )

/**
 * Reads all rows before one is inserted, and throws the refusal that is due. Accepts them if there is none; of a bulk order that is
 * submitted already, it returns that one.
 */
async function acceptAfterReading(
  ctx: LabelContext,
  userId: number,
  submission: PricedSubmission,
): Promise<SubmittedBatch> {
  const { batchId, maxCost = null, key = null } = submission
  const read = await readAllRows(submission)
  const { cost } = read
  const known = await getOwnBatch(ctx, userId, batchId)
  if (known.status) return assertSameContent(known, read)
  if (read.refusal) throw read.refusal
  if (maxCost !== null && cost > maxCost)
    throw new Refusal(
      'price_changed',
      `These labels cost ${usd(cost)}, more than maxCost ${usd(maxCost)}. Nothing was bought.`,
    )
  const toBuy = rowsToBuy(submission, read)
  const already = await refuseUnaffordable(ctx, userId, { batchId, cost, toBuy, key })
  if (already) return assertSameContent(already, read)
  if (toBuy) await refuseSeen(ctx.database.db, userId, toBuy)
  const accepted = await acceptRows(ctx, userId, submission, { most: Infinity, areRead: true })
  if (accepted) return accepted
  const submitted = await getOwnBatch(ctx, userId, batchId)
  if (!submitted.status) throw new Error('rows that passed the check before do not pass it now')
  return assertSameContent(submitted, read)
}

type Affordability = {
  batchId: number
  cost: Cents
  toBuy: RowsToBuy | null
  key: Caller['key']
}

/**
 * The hold decides. Returns the batch if another request has submitted it
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

/** A page of rows gives way so long to single orders. */
const MOST_WAIT_MS = 50
/** The same while the transaction holds locks of the user. About half of the time that the database takes for a page. */
const MOST_WAIT_INSERTING_MS = 8

async function readAllRows(submission: PricedSubmission): Promise<RowReadingResult> {
  const reading = startReading(submission)
  for (const page of submission.orderData.pages()) {
    reading.read(page)
    await yieldToOthers()
    await leaveRoomToUrgent(MOST_WAIT_MS)
  }
  return reading.found()
}

/** With what the carrier quotes for rows of live services, unless the batch is submitted already. */
async function pricesFor(
  ctx: LabelContext,
  userId: number,
  { known, orderData }: { known: BatchRecord; orderData: LongList },
): Promise<PriceList> {
  const prices = await priceListWithOptions(ctx, userId)
  if (known.status || !hasLivePrices(prices)) return prices
  const parcels: ParcelInput[] = []
  for (const page of orderData.pages()) {
    for (const row of parseRows(page)) parcels.push(parcelOfRow(row))
    await yieldToOthers()
  }
  return withQuotesFor(ctx, userId, prices, parcels)
}

/**
 * A page at a time, so that never all rows are in memory as objects; the next page is read while one is inserted. Throws NOT_ACCEPTED
 * for a wrong row, and for rows that cost more than `most` cents, before their page is inserted.
 */
async function insertRows(
  tx: Tx,
  userId: number,
  submission: PricedSubmission,
  { most, onInsert }: { most: number; onInsert: () => void },
): Promise<RowReadingResult> {
  const { batchId, orderData } = submission
  const reading = startReading(submission)
  let before = 0
  let inserting: Promise<unknown> = Promise.resolve()
  try {
    for (const page of orderData.pages()) {
      const orders = reading.read(page)
      if (!orders || reading.cost() > most) throw NOT_ACCEPTED
      await yieldToOthers()
      const insert = prepareInsert({ userId, orders, batchId, before })
      await inserting
      onInsert()
      inserting = insert(tx)
      // A failure is thrown by the next await, or at the end.
      inserting.catch(() => {})
      before += page.length
      // The statement is sent in a later turn, before the next page is read.
      await nextTurn()
      await leaveRoomToUrgent(MOST_WAIT_INSERTING_MS)
    }
    await inserting
  } finally {
    // No statement may follow the end of the transaction.
    await inserting.catch(() => {})
  }
  return reading.found()
}

function checkSize(rows: number, most: number): void {
  if (rows === 0) throw new Refusal('no_rows', 'A bulk order needs at least one row')
  if (rows > most) throw tooManyRows(most, rows)
}

function assertSameContent(
  batch: BatchRecord,
  { hash, warnings, warningCount }: RowReadingResult,
): SubmittedBatch {
  if (batch.contentHash !== hash)
    throw new Refusal(
      'batch_submitted',
      `Bulk order ${batch.id} was submitted before, with other rows`,
    )
  return { batch, warnings, warningCount }
}
