/** What no carrier answers is ended by the operator's word: money, label and bulk order follow it once. A carrier's answer counts more. */
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { endIfReady } from '#server/batches/close.ts'
import { findCountedBatch, retryBatch } from '#server/batches/service.ts'
import type { PurchaseLookupResult, CarrierVoidResult } from '#server/carriers/port.ts'
import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import { findViolations, walletOf } from '#server/ledger/service.ts'
import { voidMany } from '#server/voids/service.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import {
  withSimulation,
  setCustomerBalance,
  advanceTime,
  UNKNOWN_WAIT_MS,
} from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import {
  resolveLabelManually,
  resolveVoidManually,
  manualResolutionFor,
} from './manual-resolution.ts'
import type { LabelResolution } from './manual-resolution.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { reconcile } from './reconcile.ts'
import { settlePurchases } from './settle.ts'
import { startPurchaseWorker } from './worker.ts'

const MONEY = 10_000
const DAY_MS = 24 * 60 * 60_000
const SOLD: LabelResolution = {
  outcome: 'sold',
  trackingNumber: sandboxTracking(4_711),
  cost: cents(593),
}
const NOT_SOLD: LabelResolution = { outcome: 'not-sold' }
const WHY = 'The carrier told us by telephone'

/** What the carrier says, of `later` rounds by itself; while a gate stands, its answer waits for it. */
type Carrier = {
  found: PurchaseLookupResult
  later: PurchaseLookupResult
  voids: CarrierVoidResult
  gate: Promise<void> | null
  asked: number
}

async function withSilence(
  game: (place: Simulation, carrier: Carrier) => Promise<void>,
): Promise<void> {
  const said: Carrier = {
    found: { found: 'unknown' },
    later: { found: 'unknown' },
    voids: { kind: 'submitted' },
    gate: null,
    asked: 0,
  }
  await withSimulation(
    {
      change: ({ carrier }) => ({
        carrier: {
          ...carrier,
          lookup: async ({ round }) => {
            said.asked++
            await said.gate
            return round === 1 ? said.found : said.later
          },
          void: async () => {
            said.asked++
            await said.gate
            return said.voids
          },
          fetchLabel: async () => ({
            kind: 'not_yet',
            code: 'WAIT',
            message: 'The label is being drawn',
          }),
        },
      }),
    },
    async place => {
      await setCustomerBalance(place, place.customerIds[0], MONEY)
      await game(place, said)
      expect(await findViolations(place.database.db)).toEqual([])
      expect(place.errors).toEqual([])
    },
  )
}

const work = ({ ctx }: Simulation): Promise<void> => startPurchaseWorker(ctx).stop()
const labels = async ({ database }: Simulation) =>
  (
    await database.pool.query<{
      id: number
      state: string
      round: number
      tracking: string | null
      cost: number | null
      reason: string | null
      refused: string | null
    }>(`select id, state, round, tracking_number as tracking, cost_cents as cost, reason, void_reason as refused
      from shipment_order order by id`)
  ).rows
const wallet = ({ database, customerIds }: Simulation) => walletOf(database.db, customerIds[0])
const audit = async ({ database }: Simulation, action: string) =>
  await database.db
    .selectFrom('audit_entry')
    .select(['actor_id as actor', 'subject_id as subject', 'detail'])
    .where('action', '=', action)
    .execute()

/** A bulk order whose second label was asked for and not answered, so long ago (ms). */
async function unanswered(place: Simulation, sinceMs: number): Promise<number> {
  await submitBatch(place, place.customerIds[0], ['', 'SANDBOX LOST'])
  await work(place)
  await advanceTime(place, sinceMs)
  const [, label] = await labels(place)
  expect(label!.state).toBe('unknown')
  return label!.id
}
const conflict = (words: string) => ({
  code: 'conflict',
  message: expect.stringContaining(words) as string,
})
const end = (place: Simulation, id: number, word: LabelResolution) =>
  resolveLabelManually(place.ctx, place.operator, id, word, WHY)

test('a label that the carrier sold is paid for, wants its file, and its bulk order ends with it', () =>
  withSilence(async place => {
    const id = await unanswered(place, 11 * 60_000)
    const trackingNumber = sandboxTracking(4_711)
    expect(await end(place, id, SOLD)).toMatchObject({
      isAnswered: false,
      order: { state: 'purchased', trackingNumber },
    })
    expect((await labels(place))[1]).toMatchObject({ state: 'purchased', cost: 593, reason: null })
    expect(await wallet(place)).toMatchObject({ available: MONEY - 1_300, held: 0, spent: 1_300 })
    const { rows } = await place.database.pool.query(
      'select state from carrier_label_file where order_id = $1',
      [id],
    )
    expect(rows).toEqual([{ state: 'pending' }])
    expect(await audit(place, 'label-ended')).toEqual([
      {
        actor: place.operator,
        subject: place.customerIds[0],
        detail: { orderId: id, outcome: 'sold', round: 1, trackingNumber, cost: 5.93, reason: WHY },
      },
    ])
  }))

test('one that it did not sell is given back, and Retry Failed buys it in a new round', () =>
  withSilence(async place => {
    const id = await unanswered(place, UNKNOWN_WAIT_MS + 60_000)
    const batchId = place.batches[0]!
    await endIfReady(place.ctx, batchId)
    await advanceTime(place, UNKNOWN_WAIT_MS + 60_000)
    await place.database.pool.query(`update carrier_label_file set state = 'unavailable'`)
    await endIfReady(place.ctx, batchId)
    expect((await findCountedBatch(place.database.db, batchId))!.batch.status).toBe(
      'completed_with_errors',
    )
    expect(await end(place, id, NOT_SOLD)).toMatchObject({
      isAnswered: false,
      order: { state: 'failed' },
    })
    expect(await wallet(place)).toMatchObject({ available: MONEY - 650, held: 0 })
    expect((await labels(place))[1]).toMatchObject({
      state: 'failed',
      reason: 'The carrier did not sell this label',
      round: 1,
    })
    await retryBatch(place.customerCtx, { userId: place.customerIds[0], role: 'user' }, batchId)
    expect((await labels(place))[1]).toMatchObject({ state: 'queued', round: 2 })
  }))

test('one that it sold after all is counted in its bulk order, which was closed without it', () =>
  withSilence(async place => {
    const id = await unanswered(place, UNKNOWN_WAIT_MS + 60_000)
    const batchId = place.batches[0]!
    const close = async () => {
      await endIfReady(place.ctx, batchId)
      await advanceTime(place, UNKNOWN_WAIT_MS + 60_000)
      await place.database.pool.query(`update carrier_label_file set state = 'unavailable'`)
      await endIfReady(place.ctx, batchId)
      return findCountedBatch(place.database.db, batchId)
    }
    expect(await close()).toMatchObject({
      batch: { status: 'completed_with_errors' },
      counts: { processed: 2, failed: 1 },
    })
    await end(place, id, SOLD)
    expect(await close()).toMatchObject({
      batch: { status: 'completed' },
      counts: { processed: 2, failed: 0 },
    })
    expect(await wallet(place)).toMatchObject({ available: MONEY - 1_300, held: 0, spent: 1_300 })
  }))

test('a sale that is heard of after its label was ended as not sold and tried again changes nothing', () =>
  withSilence(async place => {
    const id = await unanswered(place, UNKNOWN_WAIT_MS + 60_000)
    const batchId = place.batches[0]!
    const {
      rows: [late],
    } = await place.database.pool.query<PurchaseClaim>(
      `
    select id, user_id as "userId", batch_id as "batchId", round, attempt, fence, price_cents as price
      from shipment_order where id = $1`,
      [id],
    )
    await endIfReady(place.ctx, batchId)
    await advanceTime(place, UNKNOWN_WAIT_MS + 60_000)
    await place.database.pool.query(`update carrier_label_file set state = 'unavailable'`)
    await endIfReady(place.ctx, batchId)
    await end(place, id, NOT_SOLD)
    await retryBatch(place.customerCtx, { userId: place.customerIds[0], role: 'user' }, batchId)
    const sold = {
      ok: true as const,
      purchase: { trackingNumber: sandboxTracking(77), costCents: cents(593) },
    }
    await settlePurchases(place.ctx, [
      { claim: { ...late!, waitedMs: 0, doubtMs: null }, outcome: sold },
    ])
    expect((await labels(place))[1]).toMatchObject({ state: 'queued', round: 2, tracking: null })
    expect(await wallet(place)).toMatchObject({ available: MONEY - 1_300, held: 650, spent: 650 })
  }))

test('clicked twice at once, a label is ended once', () =>
  withSilence(async place => {
    const id = await unanswered(place, 11 * 60_000)
    const clicks = await Promise.allSettled([
      end(place, id, NOT_SOLD),
      end(place, id, NOT_SOLD),
      end(place, id, SOLD),
    ])
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const click of clicks)
      if (click.status === 'rejected') expect(click.reason).toMatchObject({ code: 'conflict' })
    expect(await audit(place, 'label-ended')).toHaveLength(1)
    await expect(end(place, id, NOT_SOLD)).rejects.toMatchObject({ code: 'conflict' })
  }))

test('the carrier is asked first: what it says counts, and the administrator is told', () =>
  withSilence(async (place, carrier) => {
    const id = await unanswered(place, 11 * 60_000)
    const trackingNumber = sandboxTracking(5)
    carrier.found = { found: 'purchased', purchase: { trackingNumber, costCents: cents(610) } }
    expect(await end(place, id, NOT_SOLD)).toMatchObject({
      isAnswered: true,
      order: { state: 'purchased', trackingNumber },
    })
    expect(await audit(place, 'label-ended')).toEqual([])
    expect(await audit(place, 'label-checked')).toHaveLength(1)
  }))

test('an answer that comes to somebody else meanwhile is not overruled', () =>
  withSilence(async (place, carrier) => {
    const id = await unanswered(place, 11 * 60_000)
    const gate = Promise.withResolvers<void>()
    carrier.gate = gate.promise
    place.ctx.config.carrierTimeoutMs = 60_000
    const ending = end(place, id, NOT_SOLD).catch((error: unknown) => error)
    await expect.poll(() => carrier.asked).toBe(1)
    carrier.gate = null
    carrier.found = {
      found: 'purchased',
      purchase: { trackingNumber: sandboxTracking(6), costCents: cents(610) },
    }
    await advanceTime(place, 60_000)
    await reconcile(place.ctx)
    carrier.found = { found: 'unknown' }
    gate.resolve()
    expect(await ending).toMatchObject({ code: 'conflict' })
    expect((await labels(place))[1]).toMatchObject({
      state: 'purchased',
      tracking: sandboxTracking(6),
    })
    expect(await audit(place, 'label-ended')).toEqual([])
  }))

test('after a restore, a carrier that is silent about the rounds that were forgotten is silent', () =>
  withSilence(async (place, carrier) => {
    const id = await unanswered(place, 11 * 60_000)
    await place.database.pool.query(
      `insert into app_setting (key, value) values ('restored_at', now()::text)`,
    )
    carrier.found = { found: 'not_purchased' }
    expect(await end(place, id, NOT_SOLD)).toMatchObject({
      isAnswered: false,
      order: { state: 'failed' },
    })
    expect(await wallet(place)).toMatchObject({ available: MONEY - 650, held: 0 })
  }))

test('nobody ends a label too early, without a number that can be its own, or against what the carrier said too late', () =>
  withSilence(async (place, carrier) => {
    const id = await unanswered(place, 9 * 60_000)
    await expect(end(place, id, NOT_SOLD)).rejects.toMatchObject(conflict('10 minutes'))
    const { resolution } = await manualResolutionFor(place.ctx, id)
    expect(resolution).toMatchObject({ what: 'label' })
    await advanceTime(place, 2 * 60_000)
    const [other] = await labels(place)
    for (const trackingNumber of [
      '',
      'none',
      '9400100110368068951637',
      sandboxTracking(7).slice(0, -1),
      other!.tracking!,
    ]) {
      await expect(
        end(place, id, { ...SOLD, trackingNumber }),
        trackingNumber,
      ).rejects.toMatchObject({ code: 'unprocessable' })
    }
    await expect(end(place, other!.id, NOT_SOLD)).rejects.toMatchObject({ code: 'conflict' })
    await expect(end(place, 999_999, NOT_SOLD)).rejects.toMatchObject({ code: 'not_found' })
    await place.database.pool.query(
      `update carrier_call set outcome = 'bought', finished_at = now() where order_id = $1`,
      [id],
    )
    await expect(end(place, id, NOT_SOLD)).rejects.toMatchObject(conflict('sold this label'))
    expect((await labels(place))[1]!.state).toBe('unknown')
    expect(await wallet(place)).toMatchObject({ held: 650 })
    expect(await end(place, id, SOLD)).toMatchObject({ order: { state: 'purchased' } })
    expect(carrier.asked).toBeGreaterThan(0)
  }))

/** A bought label whose void the carrier has taken and not decided, so many days ago. */
async function undecided(place: Simulation, days: number): Promise<number> {
  await submitBatch(place, place.customerIds[0], [''])
  await work(place)
  const [label] = await labels(place)
  await voidMany(
    place.customerCtx,
    { userId: place.customerIds[0], role: 'user', sessionId: 0, impersonatorId: null },
    [label!.id],
  )
  await place.database.pool.query(
    `update shipment_order set void_requested_at = void_requested_at - $1 * interval '1 day',
    void_submitted_at = void_submitted_at - $1 * interval '1 day'`,
    [days],
  )
  expect((await labels(place))[0]!.state).toBe('voiding')
  return label!.id
}
const endVoid = (place: Simulation, id: number, word: 'paid-back' | 'refused') =>
  resolveVoidManually(place.ctx, place.operator, id, word, WHY)

test('a void that the carrier has paid back gives the customer his money once, however often one clicks', () =>
  withSilence(async place => {
    const id = await undecided(place, 16)
    const clicks = await Promise.allSettled([
      endVoid(place, id, 'paid-back'),
      endVoid(place, id, 'refused'),
      endVoid(place, id, 'paid-back'),
    ])
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [label] = await labels(place)
    expect(['voided', 'purchased']).toContain(label!.state)
    expect(await wallet(place)).toMatchObject({
      available: label!.state === 'voided' ? MONEY : MONEY - 650,
      held: 0,
    })
    expect(await audit(place, 'void-ended')).toHaveLength(1)
  }))

test('one that it paid back is voided, one that it refused stays good', () =>
  withSilence(async place => {
    const id = await undecided(place, 16)
    expect(await endVoid(place, id, 'refused')).toMatchObject({
      isAnswered: false,
      order: { state: 'purchased' },
    })
    expect((await labels(place))[0]).toMatchObject({
      state: 'purchased',
      refused: 'The carrier did not pay it back',
    })
    expect(await wallet(place)).toMatchObject({ available: MONEY - 650 })
    await place.database.pool.query(
      `update shipment_order set state = 'voiding', void_reason = null`,
    )
    expect(await endVoid(place, id, 'paid-back')).toMatchObject({
      isAnswered: false,
      order: { state: 'voided' },
    })
    expect(await wallet(place)).toMatchObject({ available: MONEY })
    expect(await audit(place, 'void-ended')).toMatchObject([
      {
        actor: place.operator,
        subject: place.customerIds[0],
        detail: { orderId: id, outcome: 'refused', reason: WHY },
      },
      { detail: { outcome: 'paid-back' } },
    ])
  }))

test('a void is not ended too early, and the carrier’s word counts where it comes', () =>
  withSilence(async (place, carrier) => {
    const id = await undecided(place, 14)
    await expect(endVoid(place, id, 'refused')).rejects.toMatchObject(conflict('15 days'))
    await place.database.pool.query(
      `update shipment_order set void_submitted_at = now() - $1 * interval '1 ms'`,
      [16 * DAY_MS],
    )
    carrier.voids = { kind: 'voided' }
    expect(await endVoid(place, id, 'refused')).toMatchObject({
      isAnswered: true,
      order: { state: 'voided' },
    })
    expect(await wallet(place)).toMatchObject({ available: MONEY })
    expect(await audit(place, 'void-ended')).toEqual([])
  }))
