import { expect, test } from 'vitest'
import type { TrackingStatus } from '#contract/tracking.ts'
import { resolveVoidManually } from '#server/purchasing/manual-resolution.ts'
import { voidOne } from '#server/voids/service.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import {
  buyBatch,
  customer,
  labelStates,
  passDays,
  trackingCarrier,
  trackingOf,
  withCarrier,
} from '#tests/support/tracking-carrier.ts'
import type { TrackingCarrier } from '#tests/support/tracking-carrier.ts'
import { pollParcels } from './jobs.ts'

/** Begins a look-up; `answer` lets the carrier answer it, and returns when the answer is stored. */
async function lookUpSlowly({ statuses, calls }: TrackingCarrier, place: Simulation, id: number) {
  const { promise, resolve } = Promise.withResolvers<TrackingStatus>()
  const before = calls.length
  statuses.set(id, promise)
  const polled = pollParcels(place.ctx)
  await expect.poll(() => calls.length).toBe(before + 1)
  return async (status: TrackingStatus): Promise<void> => {
    resolve(status)
    await polled
  }
}

const lookUpNow = async (place: Simulation): Promise<void> => {
  await place.database.pool.query(
    `update parcel_tracking set next_check_at = least(next_check_at, clock_timestamp()),
      void_check_at = least(void_check_at, clock_timestamp())`,
  )
  await pollParcels(place.ctx)
}

async function voidedYesterday(place: Simulation): Promise<number> {
  const [id] = await buyBatch(place, [''])
  await voidOne(place.ctx, customer(place), id!)
  await passDays(place, 1)
  return id!
}

test('of two look-ups of a parcel at once, the one that was asked later says where it is', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    await passDays(place, 1)
    const answer = await lookUpSlowly(carrier, place, one!)
    carrier.statuses.set(one!, 'delivered')
    await lookUpNow(place)
    await answer('in_transit')
    expect(await trackingOf(place, one!)).toMatchObject({ status: 'delivered', in_hours: null })
  })
})

test('a label that is valid again during a look-up is followed as a valid one', async () => {
  const carrier = trackingCarrier({ refundDelayDays: 5 })
  await withCarrier(carrier, async place => {
    const used = await voidedYesterday(place)
    carrier.statuses.set(used, 'in_transit')
    await pollParcels(place.ctx)
    await place.database.pool.query('update parcel_tracking set void_check_at = clock_timestamp()')
    const answer = await lookUpSlowly(carrier, place, used)
    await resolveVoidManually(place.ctx, place.operator, used, 'refused', 'Was used')
    await answer('in_transit')
    expect(await labelStates(place, [used])).toEqual(['purchased'])
    expect(await trackingOf(place, used)).toMatchObject({ status: 'in_transit', in_hours: 3 })
  })
})

test('a delivered label whose refund was refused is not looked up any more', async () => {
  const carrier = trackingCarrier({ refundDelayDays: 5 })
  await withCarrier(carrier, async place => {
    const used = await voidedYesterday(place)
    const answer = await lookUpSlowly(carrier, place, used)
    carrier.statuses.set(used, 'delivered')
    await passDays(place, 1)
    await pollParcels(place.ctx)
    await answer('unknown')
    await resolveVoidManually(place.ctx, place.operator, used, 'refused', 'Was used')
    await passDays(place, 1)
    await pollParcels(place.ctx)
    expect(carrier.calls).toEqual([used, used])
    expect(await trackingOf(place, used)).toMatchObject({ status: 'delivered', in_hours: null })
  })
})
