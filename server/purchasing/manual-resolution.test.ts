import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { endIfReady } from '#server/batches/close.ts'
import { findCountedBatch, retryBatch } from '#server/batches/service.ts'
import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import { UNKNOWN_WAIT_MS, advanceTime } from '#tests/model/simulation.ts'
import {
  BALANCE,
  NOT_SOLD,
  REASON,
  SOLD,
  auditEntries,
  conflict,
  createUnknownLabel,
  readLabels,
  resolveLabel,
  walletOfCustomer,
  withSilentCarrier,
} from '#tests/support/silent-carrier.ts'
import { manualResolutionFor } from './manual-resolution.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { reconcile } from './reconcile.ts'
import { settlePurchases } from './settle.ts'

test('a label resolved as sold is captured, requests its file, and finishes its bulk order', () =>
  withSilentCarrier(async place => {
    const id = await createUnknownLabel(place, 11 * 60_000)
    const trackingNumber = sandboxTracking(4_711)
    expect(await resolveLabel(place, id, SOLD)).toMatchObject({
      isAnswered: false,
      order: { state: 'purchased', trackingNumber },
    })
    expect((await readLabels(place))[1]).toMatchObject({
      state: 'purchased',
      cost: 593,
      reason: null,
    })
    expect(await walletOfCustomer(place)).toMatchObject({
      available: BALANCE - 1_300,
      held: 0,
      spent: 1_300,
    })
    const { rows } = await place.database.pool.query(
      'select state from carrier_label_file where order_id = $1',
      [id],
    )
    expect(rows).toEqual([{ state: 'pending' }])
    expect(await auditEntries(place, 'label-ended')).toEqual([
      {
        actor: place.operator,
        subject: place.customerIds[0],
        detail: {
          orderId: id,
          outcome: 'sold',
          round: 1,
          trackingNumber,
          cost: 5.93,
          reason: REASON,
        },
      },
    ])
  }))

test('a label resolved as not sold releases its hold, and Retry Failed buys it in a new round', () =>
  withSilentCarrier(async place => {
    const id = await createUnknownLabel(place, UNKNOWN_WAIT_MS + 60_000)
    const batchId = place.batches[0]!
    await endIfReady(place.ctx, batchId)
    await advanceTime(place, UNKNOWN_WAIT_MS + 60_000)
    await place.database.pool.query(`update carrier_label_file set state = 'unavailable'`)
    await endIfReady(place.ctx, batchId)
    expect((await findCountedBatch(place.database.db, batchId))!.batch.status).toBe(
      'completed_with_errors',
    )
    expect(await resolveLabel(place, id, NOT_SOLD)).toMatchObject({
      isAnswered: false,
      order: { state: 'failed' },
    })
    expect(await walletOfCustomer(place)).toMatchObject({ available: BALANCE - 650, held: 0 })
    expect((await readLabels(place))[1]).toMatchObject({
      state: 'failed',
      reason: 'The carrier did not sell this label',
      round: 1,
    })
    await retryBatch(place.customerCtx, { userId: place.customerIds[0], role: 'user' }, batchId)
    expect((await readLabels(place))[1]).toMatchObject({ state: 'queued', round: 2 })
  }))

test('a label resolved as sold is counted in its bulk order that finished without it', () =>
  withSilentCarrier(async place => {
    const id = await createUnknownLabel(place, UNKNOWN_WAIT_MS + 60_000)
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
    await resolveLabel(place, id, SOLD)
    expect(await close()).toMatchObject({
      batch: { status: 'completed' },
      counts: { processed: 2, failed: 0 },
    })
    expect(await walletOfCustomer(place)).toMatchObject({
      available: BALANCE - 1_300,
      held: 0,
      spent: 1_300,
    })
  }))

test('a late sale of a label resolved as not sold and bought again changes nothing', () =>
  withSilentCarrier(async place => {
    const id = await createUnknownLabel(place, UNKNOWN_WAIT_MS + 60_000)
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
    await resolveLabel(place, id, NOT_SOLD)
    await retryBatch(place.customerCtx, { userId: place.customerIds[0], role: 'user' }, batchId)
    const sold = {
      ok: true as const,
      purchase: { trackingNumber: sandboxTracking(77), costCents: cents(593) },
    }
    await settlePurchases(place.ctx, [
      { claim: { ...late!, waitedMs: 0, doubtMs: null }, outcome: sold },
    ])
    expect((await readLabels(place))[1]).toMatchObject({
      state: 'queued',
      round: 2,
      tracking: null,
    })
    expect(await walletOfCustomer(place)).toMatchObject({
      available: BALANCE - 1_300,
      held: 650,
      spent: 650,
    })
  }))

test('a number that another label has is refused, unless it is so old that the carrier gives it again', () =>
  withSilentCarrier(async place => {
    const { pool } = place.database
    const id = await createUnknownLabel(place, 11 * 60_000)
    const [other] = await readLabels(place)
    const change = (columns: string) =>
      pool.query(`update shipment_order set ${columns} where id = $1`, [other!.id])
    await change(`tracking_number = '${sandboxTracking(4_711)}'`)
    const taken = `Label ${other!.id} already has this tracking number`
    await expect(resolveLabel(place, id, SOLD)).rejects.toMatchObject({ message: taken })
    await change(`purchased_at = purchased_at - interval '121 days'`)
    expect((await resolveLabel(place, id, SOLD)).order.state).toBe('purchased')
    await change(`tracking_number = '${other!.tracking}', purchased_at = clock_timestamp()`)
  }))

test('two clicks at once resolve a label once', () =>
  withSilentCarrier(async place => {
    const id = await createUnknownLabel(place, 11 * 60_000)
    const clicks = await Promise.allSettled([
      resolveLabel(place, id, NOT_SOLD),
      resolveLabel(place, id, NOT_SOLD),
      resolveLabel(place, id, SOLD),
    ])
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const click of clicks)
      if (click.status === 'rejected') expect(click.reason).toMatchObject({ status: 409 })
    expect(await auditEntries(place, 'label-ended')).toHaveLength(1)
    await expect(resolveLabel(place, id, NOT_SOLD)).rejects.toMatchObject({ status: 409 })
  }))

test('the carrier is asked first; its answer counts, and the administrator sees it', () =>
  withSilentCarrier(async (place, carrier) => {
    const id = await createUnknownLabel(place, 11 * 60_000)
    const trackingNumber = sandboxTracking(5)
    carrier.found = { found: 'purchased', purchase: { trackingNumber, costCents: cents(610) } }
    expect(await resolveLabel(place, id, NOT_SOLD)).toMatchObject({
      isAnswered: true,
      order: { state: 'purchased', trackingNumber },
    })
    expect(await auditEntries(place, 'label-ended')).toEqual([])
    expect(await auditEntries(place, 'label-checked')).toHaveLength(1)
  }))

test('an answer that another process receives meanwhile is not overruled', () =>
  withSilentCarrier(async (place, carrier) => {
    const id = await createUnknownLabel(place, 11 * 60_000)
    const gate = Promise.withResolvers<void>()
    carrier.gate = gate.promise
    place.ctx.config.carrierTimeoutMs = 60_000
    const ending = resolveLabel(place, id, NOT_SOLD).catch((error: unknown) => error)
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
    expect(await ending).toMatchObject({ status: 409 })
    expect((await readLabels(place))[1]).toMatchObject({
      state: 'purchased',
      tracking: sandboxTracking(6),
    })
    expect(await auditEntries(place, 'label-ended')).toEqual([])
  }))

test('after a restore, a carrier without an answer for later rounds counts as unanswered', () =>
  withSilentCarrier(async (place, carrier) => {
    const id = await createUnknownLabel(place, 11 * 60_000)
    await place.database.pool.query(
      `insert into app_setting (key, value) values ('restored_at', now()::text)`,
    )
    carrier.found = { found: 'not_purchased' }
    expect(await resolveLabel(place, id, NOT_SOLD)).toMatchObject({
      isAnswered: false,
      order: { state: 'failed' },
    })
    expect(await walletOfCustomer(place)).toMatchObject({ available: BALANCE - 650, held: 0 })
  }))

test('a label cannot be resolved too early, with an invalid tracking number, or against a late answer of the carrier', () =>
  withSilentCarrier(async (place, carrier) => {
    const id = await createUnknownLabel(place, 9 * 60_000)
    await expect(resolveLabel(place, id, NOT_SOLD)).rejects.toMatchObject(conflict('10 minutes'))
    const { resolution } = await manualResolutionFor(place.ctx, id)
    expect(resolution).toMatchObject({ what: 'label' })
    await advanceTime(place, 2 * 60_000)
    const [other] = await readLabels(place)
    for (const trackingNumber of [
      '',
      'none',
      '9400100110368068951637',
      sandboxTracking(7).slice(0, -1),
      other!.tracking!,
    ]) {
      await expect(
        resolveLabel(place, id, { ...SOLD, trackingNumber }),
        trackingNumber,
      ).rejects.toMatchObject({ status: 422 })
    }
    await expect(resolveLabel(place, other!.id, NOT_SOLD)).rejects.toMatchObject({
      code: 'wrong_state',
    })
    await expect(resolveLabel(place, 999_999, NOT_SOLD)).rejects.toMatchObject({
      code: 'order_unknown',
    })
    // The answer comes after the lease of its call has ended.
    const {
      rows: [late],
    } = await place.database.pool.query<PurchaseClaim>(
      `with ended as (
        update carrier_call set outcome = null, finished_at = null where order_id = $1 returning order_id, round, attempt, fence)
      select id, user_id as "userId", batch_id as "batchId", ended.round, ended.attempt, ended.fence, price_cents as price
        from shipment_order join ended on order_id = id`,
      [id],
    )
    const purchase = { trackingNumber: sandboxTracking(77), costCents: cents(593) }
    await settlePurchases(place.ctx, [
      { claim: { ...late!, waitedMs: 0, doubtMs: null }, outcome: { ok: true, purchase } },
    ])
    await expect(resolveLabel(place, id, NOT_SOLD)).rejects.toMatchObject(
      conflict('sold this label'),
    )
    expect((await readLabels(place))[1]!.state).toBe('unknown')
    expect(await walletOfCustomer(place)).toMatchObject({ held: 650 })
    expect(await resolveLabel(place, id, SOLD)).toMatchObject({ order: { state: 'purchased' } })
    expect(carrier.asked).toBeGreaterThan(0)
  }))
