/** The last look at a parcel before its refund is due. */
import { expect, test } from 'vitest'
import { findViolations } from '#server/ledger/service.ts'
import { pollParcels } from '#server/tracking/jobs.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { walletOfCustomer } from '#tests/support/silent-carrier.ts'
import {
  buyBatch,
  customer,
  labelStates,
  passDays,
  PRICE,
  trackingCarrier,
  withCarrier,
} from '#tests/support/tracking-carrier.ts'
import { payDueRefunds } from './delayed-refunds.ts'
import { voidOne } from './service.ts'

const DELAY_DAYS = 5
const delaying = () => trackingCarrier({ refundDelayDays: DELAY_DAYS })
const available = async (simulation: Simulation) => (await walletOfCustomer(simulation)).available
const work = async ({ ctx }: Simulation): Promise<void> => {
  await pollParcels(ctx)
  await payDueRefunds(ctx)
}

test.each([1, 3])(
  'with a delay of %i days a scan of the last day stops the refund too',
  async refundDelayDays => {
    const carrier = trackingCarrier({ refundDelayDays })
    await withCarrier(carrier, async simulation => {
      const [used, unused] = await buyBatch(simulation, ['', ''])
      const before = await available(simulation)
      await voidOne(simulation.ctx, customer(simulation), used!)
      await voidOne(simulation.ctx, customer(simulation), unused!)
      for (let day = 1; day < refundDelayDays; day++) {
        await passDays(simulation, 1)
        await pollParcels(simulation.ctx)
      }
      carrier.statuses.set(used!, 'in_transit')
      await passDays(simulation, 23.5 / 24)
      await pollParcels(simulation.ctx)
      await passDays(simulation, 1 / 24)
      await work(simulation)
      expect(await available(simulation)).toBe(before + PRICE)
      expect(await labelStates(simulation, [used!, unused!])).toEqual(['voiding', 'voided'])
    })
  },
)

test('a last look that the carrier does not answer is repeated, and a scan then stops the refund', async () => {
  const carrier = trackingCarrier({ refundDelayDays: 1 })
  await withCarrier(carrier, async simulation => {
    const [used] = await buyBatch(simulation, [''])
    const before = await available(simulation)
    await voidOne(simulation.ctx, customer(simulation), used!)
    carrier.statuses.set(used!, new Error('There was no answer'))
    await passDays(simulation, 23.5 / 24)
    await pollParcels(simulation.ctx)
    carrier.statuses.set(used!, 'in_transit')
    await passDays(simulation, 0.25 / 24)
    await pollParcels(simulation.ctx)
    await passDays(simulation, 1)
    await work(simulation)
    expect(await available(simulation)).toBe(before)
    expect(await labelStates(simulation, [used!])).toEqual(['voiding'])
  })
})

test('a refund whose day came while Evenpost was stopped waits for a last look, and a scan then stops it', async () => {
  const carrier = delaying()
  await withCarrier(carrier, async simulation => {
    const [used, unused] = await buyBatch(simulation, ['', ''])
    const before = await available(simulation)
    await voidOne(simulation.ctx, customer(simulation), used!)
    await voidOne(simulation.ctx, customer(simulation), unused!)
    carrier.statuses.set(used!, 'in_transit')
    await passDays(simulation, DELAY_DAYS + 90)
    await payDueRefunds(simulation.ctx)
    expect(await available(simulation)).toBe(before)
    await pollParcels(simulation.ctx)
    await passDays(simulation, 1.1 / 24)
    await work(simulation)
    expect(await available(simulation)).toBe(before + PRICE)
    expect(await labelStates(simulation, [used!, unused!])).toEqual(['voiding', 'voided'])
    expect(await findViolations(simulation.database.db)).toEqual([])
  })
})

test('a refund waits an hour for a carrier that does not tell where the parcel is, and no longer', async () => {
  const carrier = delaying()
  await withCarrier(carrier, async simulation => {
    const [id] = await buyBatch(simulation, [''])
    const before = await available(simulation)
    await voidOne(simulation.ctx, customer(simulation), id!)
    carrier.statuses.set(id!, new Error('There was no answer'))
    await passDays(simulation, DELAY_DAYS)
    await work(simulation)
    await work(simulation)
    const looks = carrier.calls.length
    await passDays(simulation, 0.25 / 24)
    await work(simulation)
    expect(carrier.calls.length).toBe(looks + 1)
    expect(await available(simulation)).toBe(before)
    await passDays(simulation, 0.8 / 24)
    await work(simulation)
    expect(await available(simulation)).toBe(before + PRICE)
  })
})
