import { expect, test } from 'vitest'
import { selectVoidedScans } from '#server/admin/voided-scans-store.ts'
import { voidOne } from '#server/voids/service.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import {
  buyBatch,
  customer,
  labelStates,
  passDays,
  PRICE,
  settleAllVoids,
  trackingCarrier,
  trackingOf,
  withCarrier,
} from '#tests/support/tracking-carrier.ts'
import { pollParcels } from './jobs.ts'

const voidLabel = async (simulation: Simulation, id: number): Promise<void> => {
  await voidOne(simulation.ctx, customer(simulation), id)
  await settleAllVoids(simulation)
}
const scansOf = async ({ database }: Simulation) =>
  (await selectVoidedScans(database.db, 0, 10)).rows

test('a label that is scanned after its refund is told to the operator, once', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async simulation => {
    const [used, unused] = await buyBatch(simulation, ['', ''])
    await voidLabel(simulation, used!)
    await voidLabel(simulation, unused!)
    await passDays(simulation, 1)
    await pollParcels(simulation.ctx)
    expect(carrier.calls.toSorted((a, b) => a - b)).toEqual([used, unused])
    expect(await scansOf(simulation)).toEqual([])

    carrier.statuses.set(used!, 'in_transit')
    await passDays(simulation, 2)
    await pollParcels(simulation.ctx)
    const scans = await scansOf(simulation)
    expect(scans).toMatchObject([
      {
        orderId: used,
        user: { id: simulation.customerIds[0] },
        trackingNumber: expect.any(String),
        status: 'in_transit',
        price: PRICE,
        refundedAt: expect.any(Date),
        scannedAt: expect.any(Date),
      },
    ])
    carrier.calls.length = 0
    await passDays(simulation, 2)
    await pollParcels(simulation.ctx)
    expect(carrier.calls).toEqual([unused])
    expect(await scansOf(simulation)).toEqual(
      scans.map(scan => ({ ...scan, refundedAt: expect.any(Date) })),
    )
    // The money stays as it is: a charge is the administrator's decision.
    expect(await labelStates(simulation, [used!, unused!])).toEqual(['voided', 'voided'])
  })
})

test('a voided label is followed for 30 days, and a carrier without an answer does not end that', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async simulation => {
    const [label] = await buyBatch(simulation, [''])
    await voidLabel(simulation, label!)
    carrier.statuses.set(label!, 'cancelled')
    for (const days of [1, 28]) {
      await passDays(simulation, days)
      await pollParcels(simulation.ctx)
    }
    carrier.statuses.set(label!, new Error('reset'))
    await passDays(simulation, 1)
    await pollParcels(simulation.ctx)
    expect(carrier.calls).toHaveLength(3)
    await passDays(simulation, 30)
    await pollParcels(simulation.ctx)
    expect(carrier.calls).toHaveLength(3)
    expect(await trackingOf(simulation, label!)).toMatchObject({ in_hours: null })
  })
})

test('live labels are polled before voided ones', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async simulation => {
    const ids = await buyBatch(simulation, ['', '', '', ''])
    await voidLabel(simulation, ids[0]!)
    await voidLabel(simulation, ids[1]!)
    await passDays(simulation, 1)
    await pollParcels(simulation.ctx)
    expect(new Set(carrier.calls.slice(0, 2))).toEqual(new Set(ids.slice(2)))
    expect(new Set(carrier.calls.slice(2))).toEqual(new Set(ids.slice(0, 2)))
  })
})
