import { expect, test } from 'vitest'
import { getOrderWithTimeline } from '#server/admin/orders-service.ts'
import { endIfReady } from '#server/batches/close.ts'
import { orderWire } from '#server/orders/wire.ts'
import { startPurchaseWorker } from '#server/purchasing/worker.ts'
import { pollParcels } from '#server/tracking/jobs.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import {
  PRICE,
  buyBatch,
  customer,
  labelStates,
  passDays,
  refundNotes,
  settleAllVoids,
  spentCents,
  trackingCarrier,
  trackingOf,
  voidRequests,
  withCarrier,
} from '#tests/support/tracking-carrier.ts'
import { getBatchVoids, voidBatchLabels } from './batch-voids.ts'
import { voidMany, voidOne } from './service.ts'
import { processDueVoids } from './settle.ts'
import { voidUnusedLabels } from './unused-labels.ts'

test('no label is voided automatically before its time, or when the operator has switched this off', async () => {
  await withCarrier(trackingCarrier(), async place => {
    const ids = await buyBatch(place, ['', ''])
    await passDays(place, 27)
    await voidUnusedLabels(place.ctx)
    expect(await labelStates(place, ids)).toEqual(['purchased', 'purchased'])
    await passDays(place, 1.1)
    await voidUnusedLabels({ ...place.ctx, config: { ...place.ctx.config, voidUnused: false } })
    expect(await labelStates(place, ids)).toEqual(['purchased', 'purchased'])
  })
})

test('unused labels are refunded before the carrier’s window ends; used labels are not', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [used, unused] = await buyBatch(place, ['', ''])
    carrier.statuses.set(used!, 'in_transit')
    await passDays(place, 28.1)
    await voidUnusedLabels(place.ctx)
    await voidUnusedLabels(place.ctx)
    await settleAllVoids(place)
    expect(carrier.calls.toSorted((a, b) => a - b)).toEqual([used, unused])
    expect(await labelStates(place, [used!, unused!])).toEqual(['purchased', 'voided'])
    expect(await voidRequests(place)).toEqual([
      { actor: null, detail: { orderId: unused, automatic: true } },
    ])
    expect(await refundNotes(place)).toEqual([
      'Unused label: refunded before the carrier’s window ended',
    ])
    expect(await spentCents(place)).toBe(PRICE)
    const timelineOf = async (id: number) =>
      (await getOrderWithTimeline(place.database.db, id)).timeline.map(step => step.text)
    expect(await timelineOf(used!)).toContain('Parcel: In transit')
    expect(await timelineOf(unused!)).toContain(
      'Void requested automatically: the label was never used',
    )
    expect(
      [await trackingOf(place, used!), await trackingOf(place, unused!)].map(
        ({ is_watched }) => is_watched,
      ),
    ).toEqual([false, false])
  })
})

test('no label of a carrier without tracking is voided automatically: it may have been used', async () => {
  await withCarrier(trackingCarrier({ tracks: false }), async place => {
    const ids = await buyBatch(place, ['', ''])
    await passDays(place, 29.5)
    await voidUnusedLabels(place.ctx)
    expect(await labelStates(place, ids)).toEqual(['purchased', 'purchased'])
    expect(
      await voidBatchLabels(place.customerCtx, customer(place), place.batches[0]!),
    ).toMatchObject({
      refused: 0,
      skipped: 0,
    })
    await settleAllVoids(place)
    expect(await labelStates(place, ids)).toEqual(['voided', 'voided'])
    expect(await refundNotes(place)).toEqual([null, null])
  })
})

test('without an answer from the carrier the automatic void waits; after the deadline the last known status counts', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [seenBefore, neverSeen] = await buyBatch(place, ['', ''])
    carrier.statuses.set(neverSeen!, new Error('reset'))
    await passDays(place, 1)
    await pollParcels(place.ctx)
    carrier.statuses.set(seenBefore!, new Error('reset'))
    await passDays(place, 27.1)
    await voidUnusedLabels(place.ctx)
    expect(await labelStates(place, [seenBefore!, neverSeen!])).toEqual(['purchased', 'purchased'])
    await passDays(place, 1)
    await voidUnusedLabels(place.ctx)
    await settleAllVoids(place)
    expect(await labelStates(place, [seenBefore!, neverSeen!])).toEqual(['voided', 'purchased'])
    await passDays(place, 1)
    await voidUnusedLabels(place.ctx)
    expect(await trackingOf(place, neverSeen!)).toMatchObject({ is_watched: false })
    expect(await labelStates(place, [neverSeen!])).toEqual(['purchased'])
  })
})

test('when a process dies between tracking and the void, another process continues, and the price is refunded once', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    await passDays(place, 28.1)
    let isDying = true
    const { tx } = place.database
    const dying: typeof tx = work =>
      isDying && carrier.calls.length > 0 ? Promise.reject(new Error('killed')) : tx(work)
    await expect(
      voidUnusedLabels({ ...place.ctx, database: { ...place.database, tx: dying } }),
    ).rejects.toThrow('killed')
    expect(await labelStates(place, [one!])).toEqual(['purchased'])
    isDying = false
    await voidUnusedLabels(place.ctx)
    expect(await labelStates(place, [one!])).toEqual(['purchased']) // claimed by the dead process
    await passDays(place, 0.02)
    await Promise.all([voidUnusedLabels(place.ctx), voidUnusedLabels(place.ctx)])
    await Promise.all([processDueVoids(place.ctx), processDueVoids(place.ctx)])
    await settleAllVoids(place)
    expect(await labelStates(place, [one!])).toEqual(['voided'])
    expect(await spentCents(place)).toBe(0)
  })
})

test.each([1, 2, 3])(
  'the system and a customer void the same labels at the same moment (run %i)',
  async () => {
    await withCarrier(trackingCarrier(), async place => {
      const ids = await buyBatch(place, Array<string>(12).fill(''))
      await passDays(place, 28.1)
      await Promise.all([
        voidUnusedLabels(place.ctx),
        voidMany(place.ctx, customer(place), ids),
        voidUnusedLabels(place.ctx),
        voidBatchLabels(place.ctx, customer(place), place.batches[0]!),
      ])
      await settleAllVoids(place)
      expect(new Set(await labelStates(place, ids))).toEqual(new Set(['voided']))
      expect(await spentCents(place)).toBe(0)
      expect(await refundNotes(place)).toHaveLength(12)
    })
  },
)

test('when a parcel is scanned after the void request, the carrier decides, once', async () => {
  const carrier = trackingCarrier({ voidAnswer: () => ({ kind: 'submitted' }) })
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    const { order: waiting, void: status } = await voidOne(place.ctx, customer(place), one!)
    expect([status, orderWire(waiting, true).voidSubmittedAt]).toEqual([
      'requested',
      expect.any(String),
    ])
    carrier.statuses.set(one!, 'in_transit')
    await passDays(place, 1)
    await pollParcels(place.ctx)
    carrier.voidAnswer = () => ({ kind: 'permanent', code: 'USED', message: 'The label was used' })
    await passDays(place, 1)
    await settleAllVoids(place)
    expect(await labelStates(place, [one!])).toEqual(['purchased'])
    await expect(voidOne(place.ctx, customer(place), one!)).rejects.toMatchObject({
      code: 'label_not_voidable',
    })
    expect(await voidRequests(place)).toHaveLength(1)
    expect(await spentCents(place)).toBe(PRICE)
  })
})

test('all unused labels of a bulk order are voided together, and a second click finds nothing to void', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const ids = await buyBatch(place, [
      '',
      'SANDBOX NOVOID',
      '',
      'SANDBOX REFUSE',
      ...Array<string>(20).fill(''),
    ])
    carrier.statuses.set(ids[0]!, 'out_for_delivery')
    await passDays(place, 1)
    await pollParcels(place.ctx)
    const [batch] = place.batches
    const voids = () => getBatchVoids(place.ctx, customer(place), batch!)
    expect(await voids()).toEqual({
      unused: 22,
      amount: 22 * PRICE,
      refused: 0,
      voiding: 0,
      voided: 0,
      underWay: 1,
      onForms: 0,
    })

    const [first, second] = await Promise.all(
      [1, 2].map(() => voidBatchLabels(place.ctx, customer(place), batch!)),
    )
    const asked = [first!, second!].map(
      ({ requested, voided, refused }) => requested + voided + refused,
    )
    expect(asked.toSorted((a, b) => a - b)).toEqual([0, 22])
    expect([first!.skipped, second!.skipped]).toEqual([1, 1])
    await settleAllVoids(place)
    expect(await voids()).toEqual({
      unused: 1,
      amount: PRICE,
      refused: 1,
      voiding: 0,
      voided: 21,
      underWay: 1,
      onForms: 0,
    })
    expect(await spentCents(place)).toBe(2 * PRICE)
    expect((await voidRequests(place))[0]!.detail).toEqual({ batchId: batch, labels: 22 })
  })
})

test('voids that the carrier does not decide in time are settled by the worker and refunded', async () => {
  const carrier = trackingCarrier({ voidAnswer: () => ({ kind: 'submitted' }) })
  await withCarrier(carrier, async place => {
    const ids = await buyBatch(place, Array<string>(30).fill(''))
    expect(await voidBatchLabels(place.customerCtx, customer(place), place.batches[0]!)).toEqual({
      requested: 30,
      voided: 0,
      refused: 0,
      skipped: 0,
    })
    expect(await getBatchVoids(place.ctx, customer(place), place.batches[0]!)).toMatchObject({
      unused: 0,
      voiding: 30,
    })
    carrier.voidAnswer = () => null
    await passDays(place, 1)
    await settleAllVoids(place)
    expect(new Set(await labelStates(place, ids))).toEqual(new Set(['voided']))
    expect(await spentCents(place)).toBe(0)
  })
})

test('only the owner and administrators can void a bulk order, and only after it has finished', async () => {
  await withCarrier(trackingCarrier(), async place => {
    await submitBatch(place, place.customerIds[0], ['', ''])
    const [batch] = place.batches
    const operator = { ...customer(place), userId: place.operator, role: 'admin' as const }
    await expect(voidBatchLabels(place.ctx, operator, batch!)).rejects.toMatchObject({
      code: 'batch_processing',
    })
    await startPurchaseWorker(place.ctx).stop()
    await endIfReady(place.ctx, batch!)
    const ben = { ...customer(place), userId: place.customerIds[1] }
    await expect(voidBatchLabels(place.ctx, ben, batch!)).rejects.toMatchObject({
      code: 'batch_unknown',
    })
    await expect(getBatchVoids(place.ctx, ben, batch!)).rejects.toMatchObject({
      code: 'batch_unknown',
    })
    const { requested, voided } = await voidBatchLabels(place.ctx, operator, batch!)
    expect(requested + voided).toBe(2)
    await settleAllVoids(place)
    expect((await voidRequests(place))[0]!.actor).toBe(place.operator)
  })
})
