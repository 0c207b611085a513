/**
 * Batches of shipments. Their orders are placed one by one in the background (buy-jobs.ts) and
 * bought by the workers like all others.
 */
import { randomUUID } from 'node:crypto'
import type * as z from 'zod'
import type { BatchShipments, CreateBatchBody, ShipmentInput } from '#contract/easypost-bodies.ts'
import { requireUser } from '#server/accounts/service.ts'
import { priceListWithOptions } from '#server/catalogue/option-prices.ts'
import type { PriceList } from '#server/catalogue/rules.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { publish } from '#server/platform/outbox/outbox.ts'
import type { OutboxMessage } from '#server/platform/outbox/outbox.ts'
import type { WorkSlot } from '#server/platform/process/work-slots.ts'
import { addressCopyOf, findKnownParts, isTrimTurn, parcelCopyOf } from './addresses.ts'
import type { KnownParts } from './addresses.ts'
import {
  addMembers,
  countMembers,
  countMembersOf,
  countQueued,
  deleteEmptyBeyondLimit,
  endBatches,
  insertBatch,
  lockBatch,
  lockQueue,
  queueMembers,
  removeMembers,
  selectEndedBatches,
  startBuying,
  selectBatch,
  selectMembers,
  touchBatch,
} from './batch-store.ts'
import type { BatchMember, BatchRecord, NamedShipment } from './batch-store.ts'
import { countStatuses, stateOf } from './batch-wire.ts'
import type { EasypostContext } from './context.ts'
import { sentenceOf } from './errors.ts'
import { parseId } from './ids.ts'
import { selectIdPage } from './pages-store.ts'
import type { IdPage, PageRequest } from './pages-store.ts'
import { assertCarrierSold, storableOptions, textOrNull } from './rules.ts'
import { selectShipmentsByKey } from './shipment-store.ts'
import type { NewShipment } from './shipment-store.ts'
import { draftOf, keepDrafts, shipmentUnknown, withLiveRates } from './shipments.ts'
import { time } from './wire.ts'

/** Of one batch, and of a page of batches with more than one. */
const MAX_MEMBERS = 1_000
/** Shipments of one user that wait to be bought. */
const MAX_QUEUED = 5_000

type BatchInput = NonNullable<NonNullable<z.output<typeof CreateBatchBody>>['batch']>

/**
 * New shipments with what is wrong are in the batch too, as creation_failed with the reason. Throws
 * Refusal 'shipment_unknown' for an id that the user does not have. `slot`: its own, paused while a carrier is asked for prices.
 */
export async function createBatch(
  ctx: EasypostContext,
  userId: number,
  input: BatchInput,
  slot: WorkSlot,
): Promise<BatchRecord> {
  const members = input.shipments ?? []
  const existing = members.filter(one => one.id)
  const named = existing.length > 0 ? namedShipments(existing) : []
  const fresh = members.filter(one => !one.id)
  const { db } = ctx.database
  const [known, prices] = await Promise.all([
    findKnownParts(db, userId, fresh),
    priceListWithOptions(ctx, userId),
  ])
  const drafts = await withLiveRates(
    ctx,
    userId,
    prices,
    fresh.map(one => memberDraftOf(one, known, prices)),
    slot.pausedFor,
  )
  return ctx.database.tx(async tx => {
    await requireUser(tx, userId)
    const batch = await insertBatch(tx, userId, textOrNull(input.reference))
    if (isTrimTurn(batch.id)) await deleteEmptyBeyondLimit(tx, userId)
    if (drafts.length > 0) await keepDrafts(tx, userId, drafts, batch.id)
    if (named.length > 0) await addKnown(tx, userId, batch.id, named)
    await publish(tx, [batchMessage(userId, batch.id, 'created')])
    return batch
  })
}

/** With the service to buy; the reason instead of rates for one that cannot be shipped. */
function memberDraftOf(input: ShipmentInput, known: KnownParts, prices: PriceList): NewShipment {
  const batchService = textOrNull(input.service)
  try {
    return { ...draftOf(input, known, prices), batchService, batchState: 'created' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...failedDraftOf(input, known), batchService, batchMessage: sentenceOf(error) }
  }
}

const EMPTY_PARTS = { from_address: {}, to_address: {} }

/** What can be kept of it, so that the program finds it in the batch. */
function failedDraftOf(input: ShipmentInput, known: KnownParts): NewShipment {
  const now = time(new Date())
  const address = (side: 'from_address' | 'to_address') => {
    try {
      return addressCopyOf(input[side], side, known, now)
    } catch {
      return addressCopyOf(
        EMPTY_PARTS[side] as NonNullable<ShipmentInput['to_address']>,
        side,
        known,
        now,
      )
    }
  }
  const parcel = () => {
    try {
      return parcelCopyOf(input.parcel, known, now)
    } catch {
      return { key: randomUUID(), length: null, width: null, height: null, weight: 0, at: now }
    }
  }
  return {
    sender: address('from_address'),
    receiver: address('to_address'),
    parcel: parcel(),
    reference: textOrNull(input.reference),
    options: storableOptions(input.options ?? {}),
    rates: { offers: [], unavailable: [] },
    batchService: null,
    batchState: 'creation_failed',
    batchMessage: null,
  }
}

async function addKnown(
  tx: Tx,
  userId: number,
  batchId: number,
  named: readonly NamedShipment[],
): Promise<void> {
  await lockBatch(tx, batchId)
  const keys = named.map(({ key }) => key)
  const found = await selectShipmentsByKey(tx, userId, keys)
  if (found.length < keys.length) throw shipmentUnknown()
  if ((await addMembers(tx, userId, batchId, named)) < keys.length)
    throw new Refusal(
      'batch_member_refused',
      'A shipment can be in one batch only. Nothing was added.',
    )
  if ((await countMembers(tx, batchId)) > MAX_MEMBERS)
    throw new Refusal(
      'too_many_rows',
      `A batch may have at most ${MAX_MEMBERS.toLocaleString('en-US')} shipments. Nothing was added.`,
    )
  await touchBatch(tx, batchId)
}

/** Ids of batches. The page ends before the batch that takes its shipments above MAX_MEMBERS. */
export async function findBatchPage(db: Db, userId: number, request: PageRequest): Promise<IdPage> {
  const { ids, hasMore } = await selectIdPage(db, 'api_batch', userId, request)
  const sizes = await countMembersOf(db, ids)
  // After an id the oldest of the newer batches are the page.
  const isAscending = request.after !== null && request.before === null
  const inReading = isAscending ? ids.toReversed() : ids
  let members = 0
  const end = inReading.findIndex((id, index) => {
    members += sizes.get(id) ?? 0
    return index > 0 && members > MAX_MEMBERS
  })
  if (end < 0) return { ids, hasMore }
  const kept = inReading.slice(0, end)
  return { ids: isAscending ? kept.toReversed() : kept, hasMore: true }
}

/** Throws Refusal 'batch_unknown'. */
export async function getBatch(db: Db, userId: number, id: string): Promise<BatchRecord> {
  const key = parseId('batch', id)
  const batch = key === null ? undefined : await selectBatch(db, userId, key)
  if (!batch) throw new Refusal('batch_unknown', 'The requested batch could not be found')
  return batch
}

/** Each shipment once, with the last service that is named for it. Throws Refusal. */
function namedShipments(shipments: z.output<typeof BatchShipments>): NamedShipment[] {
  if (!shipments || shipments.length === 0)
    throw refuseField('shipments', 'required', 'Missing required parameter: shipments')
  const services = new Map<string, string | null>()
  for (const one of shipments) {
    const { id, service } = one
    const key = parseId('shp', id ?? '')
    if (key === null) throw shipmentUnknown()
    assertCarrierSold(one)
    services.set(key, textOrNull(service) ?? services.get(key) ?? null)
  }
  return [...services].map(([key, service]) => ({ key, service }))
}

export type NamedShipments = Parameters<typeof namedShipments>[0]

export async function addShipments(
  ctx: EasypostContext,
  userId: number,
  id: string,
  shipments: NamedShipments,
): Promise<BatchRecord> {
  const batch = await getBatch(ctx.database.db, userId, id)
  const named = namedShipments(shipments)
  await ctx.database.tx(tx => addKnown(tx, userId, batch.id, named))
  return batch
}

/** Throws Refusal for a shipment that is not in the batch, or is being bought. */
export async function removeShipments(
  ctx: EasypostContext,
  userId: number,
  id: string,
  shipments: NamedShipments,
): Promise<BatchRecord> {
  const batch = await getBatch(ctx.database.db, userId, id)
  const keys = namedShipments(shipments).map(({ key }) => key)
  await ctx.database.tx(async tx => {
    await lockBatch(tx, batch.id)
    if ((await removeMembers(tx, batch.id, keys)) < keys.length)
      throw new Refusal(
        'batch_member_refused',
        'Some of these shipments are not in the batch, or are being bought. Nothing was changed.',
      )
    await touchBatch(tx, batch.id)
  })
  return batch
}

/**
 * Its shipments without an order are bought from now on. A second call queues what was refused;
 * with nothing to buy it changes nothing.
 * Throws Refusal 'too_many_rows' when too many of the user wait.
 */
export async function buyBatch(
  ctx: EasypostContext,
  { userId, key }: Caller,
  id: string,
): Promise<BatchRecord> {
  const batch = await getBatch(ctx.database.db, userId, id)
  await ctx.database.tx(async tx => {
    await lockQueue(tx, userId)
    await lockBatch(tx, batch.id)
    // If nothing is queued, the batch is unchanged and no event is sent.
    if ((await queueMembers(tx, batch.id, key?.id ?? null)) === 0) return
    if ((await countQueued(tx, userId)) > MAX_QUEUED)
      throw new Refusal(
        'too_many_rows',
        `At most ${MAX_QUEUED.toLocaleString('en-US')} shipments may wait to be bought. `
          + 'Nothing was queued: buy this batch when others are done.',
      )
    await startBuying(tx, batch.id)
  })
  return batch
}

/** Throws Refusal 'batch_label_unavailable' until all is bought, and without any label. */
export async function requestLabels(
  ctx: EasypostContext,
  userId: number,
  batch: BatchRecord,
  format: 'pdf' | 'zpl',
): Promise<BatchRecord> {
  const members = await membersOf(ctx.database.db, batch)
  if (stateOf(batch, countStatuses(members)) === 'purchasing')
    throw new Refusal(
      'batch_label_unavailable',
      'The batch is still being bought: ask for labels when it is',
    )
  if (!members.some(({ orderState }) => orderState === 'purchased'))
    throw new Refusal('batch_label_unavailable', 'The batch has no labels yet: buy it first')
  await ctx.database.tx(async tx => {
    await touchBatch(tx, batch.id, format)
    await publish(tx, [batchMessage(userId, batch.id, 'updated')])
  })
  return { ...batch, labelFormat: format }
}

export const membersOf = async (db: Db, { id }: Pick<BatchRecord, 'id'>): Promise<BatchMember[]> =>
  (await selectMembers(db, [id])).get(id) ?? []

const batchMessage = (
  userId: number,
  batchId: number,
  event: 'created' | 'updated',
): OutboxMessage => ({
  userId,
  type: 'easypost.batch',
  data: { batchId: String(batchId), event },
})

const ENDED_AT_ONCE = 50

/** Tells once of batches of which everything queued is bought or refused. */
export async function tellEndedBatches({ database }: EasypostContext): Promise<void> {
  const ids = await selectEndedBatches(database.db, ENDED_AT_ONCE)
  if (ids.length === 0) return
  await database.tx(async tx => {
    const ended = await endBatches(tx, ids)
    await publish(
      tx,
      ended.map(({ id, userId }) => batchMessage(userId, id, 'updated')),
    )
  })
}
