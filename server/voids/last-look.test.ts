/** The last look at a parcel before its refund is due. */
import { expect, test } from 'vitest'
import { findViolations } from '#server/ledger/service.ts'
import { pollParcels } from '#server/tracking/jobs.ts'
import {
  availableCents,
  buyBatch,
  DELAY_DAYS,
  delayingCarrier,
  labelStates,
  passDays,
  PRICE,
  trackingCarrier,
  voidLabel,
  withCarrier,
  workOnVoids,
} from '#tests/support/tracking-carrier.ts'
import { payDueRefunds } from './delayed-refunds.ts'

test.each([1, 3])(
  'with a delay of %i days a scan of the last day stops the refund too',
  async refundDelayDays => {
    const carrier = trackingCarrier({ refundDelayDays })
    await withCarrier(carrier, async simulation => {
      const [used, unused] = await buyBatch(simulation, ['', ''])
      const before = await availableCents(simulation)
      await voidLabel(simulation, used!)
      await voidLabel(simulation, unused!)
      for (let day = 1; day < refundDelayDays; day++) {
        await passDays(simulation, 1)
        await pollParcels(simulation.ctx)
      }
      carrier.statuses.set(used!, 'in_transit')
      await passDays(simulation, 23.5 / 24)
      await pollParcels(simulation.ctx)
      await passDays(simulation, 1 / 24)
      await workOnVoids(simulation)
      expect(await availableCents(simulation)).toBe(before + PRICE)
      expect(await labelStates(simulation, [used!, unused!])).toEqual(['voiding', 'voided'])
    })
  },
)

test('a last look that the carrier does not answer is repeated, and a scan then stops the refund', async () => {
  const carrier = trackingCarrier({ refundDelayDays: 1 })
  await withCarrier(carrier, async simulation => {
    const [used] = await buyBatch(simulation, [''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, used!)
    carrier.statuses.set(used!, new Error('There was no answer'))
    await passDays(simulation, 23.5 / 24)
    await pollParcels(simulation.ctx)
    carrier.statuses.set(used!, 'in_transit')
    await passDays(simulation, 0.25 / 24)
    await pollParcels(simulation.ctx)
    await passDays(simulation, 1)
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before)
    expect(await labelStates(simulation, [used!])).toEqual(['voiding'])
  })
})

test('a refund whose day came while Evenpost was stopped waits for a last look, and a scan then stops it', async () => {
  const carrier = delayingCarrier()
  await withCarrier(carrier, async simulation => {
    const [used, unused] = await buyBatch(simulation, ['', ''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, used!)
    await voidLabel(simulation, unused!)
    carrier.statuses.set(used!, 'in_transit')
    await passDays(simulation, DELAY_DAYS + 90)
    await payDueRefunds(simulation.ctx)
    expect(await availableCents(simulation)).toBe(before)
    await pollParcels(simulation.ctx)
    await passDays(simulation, 1.1 / 24)
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before + PRICE)
    expect(await labelStates(simulation, [used!, unused!])).toEqual(['voiding', 'voided'])
    expect(await findViolations(simulation.database.db)).toEqual([])
  })
})

test('a refund waits an hour for a carrier that does not tell where the parcel is, and no longer', async () => {
  const carrier = delayingCarrier()
  await withCarrier(carrier, async simulation => {
    const [id] = await buyBatch(simulation, [''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, id!)
    carrier.statuses.set(id!, new Error('There was no answer'))
    await passDays(simulation, DELAY_DAYS)
    await workOnVoids(simulation)
    await workOnVoids(simulation)
    const looks = carrier.calls.length
    await passDays(simulation, 0.25 / 24)
    await workOnVoids(simulation)
    expect(carrier.calls.length).toBe(looks + 1)
    expect(await availableCents(simulation)).toBe(before)
    await passDays(simulation, 0.8 / 24)
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before + PRICE)
  })
})
