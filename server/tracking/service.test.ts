import { expect, test } from 'vitest'
import { findOrder } from '#server/orders/service.ts'
import { orderWire } from '#server/orders/wire.ts'
import { voidOne } from '#server/voids/service.ts'
import { voidUnusedLabels } from '#server/voids/unused-labels.ts'
import {
  SEEN_AT,
  buyBatch,
  customer,
  passDays,
  trackingCarrier,
  trackingOf,
  voidRequests,
  withCarrier,
} from '#tests/support/tracking-carrier.ts'
import { pollParcels } from './jobs.ts'

test('a parcel is polled from some hours after the purchase until it is delivered', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one, two] = await buyBatch(place, ['', '', 'SANDBOX REFUSE'])
    expect(await trackingOf(place, one!)).toEqual({
      status: 'unknown',
      in_hours: 6,
      is_watched: true,
    })
    await pollParcels(place.ctx)
    expect(carrier.calls).toEqual([])
    expect(orderWire((await findOrder(place.database.db, one!))!, true).tracking).toBeNull()

    carrier.statuses.set(one!, 'in_transit').set(two!, new Error('reset'))
    await passDays(place, 1)
    await pollParcels(place.ctx)
    expect(await trackingOf(place, one!)).toMatchObject({ status: 'in_transit', in_hours: 3 })
    expect(await trackingOf(place, two!)).toMatchObject({ status: 'unknown', in_hours: 0 })
    expect(orderWire((await findOrder(place.database.db, one!))!, true).tracking).toEqual({
      status: 'in_transit',
      detail: 'Seen: in_transit',
      at: SEEN_AT.toISOString(),
    })

    carrier.statuses.set(one!, 'delivered').set(two!, 'unknown')
    await passDays(place, 1)
    await pollParcels(place.ctx)
    expect(await trackingOf(place, one!)).toMatchObject({ status: 'delivered', in_hours: null })
    expect(await trackingOf(place, two!)).toMatchObject({ status: 'unknown', in_hours: 6 })
    carrier.calls.length = 0
    await passDays(place, 1)
    await pollParcels(place.ctx)
    expect(carrier.calls).toEqual([two])
  })
})

test.each(['unknown', 'pre_transit'] as const)(
  'a label stays used when the carrier answers %s after a scan',
  async later => {
    const carrier = trackingCarrier()
    await withCarrier(carrier, async place => {
      const [one] = await buyBatch(place, [''])
      for (const status of ['in_transit', later] as const) {
        carrier.statuses.set(one!, status)
        await passDays(place, 1)
        await pollParcels(place.ctx)
      }
      expect(await trackingOf(place, one!)).toMatchObject({ status: 'in_transit' })
      await expect(voidOne(place.ctx, customer(place), one!)).rejects.toMatchObject({
        code: 'label_not_voidable',
        message: /on its way/,
      })
      expect(await voidRequests(place)).toEqual([])
    })
  },
)

test('parcels of an account that is not connected delay none of the connected one, and are given up some day', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const ids = await buyBatch(
      place,
      Array.from({ length: 20 }, () => ''),
    )
    const mine = ids.pop()!
    const { pool } = place.database
    await pool.query(`update shipment_order set carrier_account = 'sandbox:old' where id <> $1`, [
      mine,
    ])
    const dueTimes = async () =>
      (
        await pool.query<{ times: number }>(
          'select count(next_check_at)::int + count(auto_void_at)::int as times from parcel_tracking where order_id <> $1',
          [mine],
        )
      ).rows[0]!.times
    await passDays(place, 1)
    await pool.query(
      `update parcel_tracking set next_check_at = next_check_at - interval '1 hour' where order_id <> $1`,
      [mine],
    )
    await pollParcels(place.ctx)
    expect(carrier.calls).toEqual([mine])
    expect(await dueTimes()).toBe(2 * ids.length)

    await passDays(place, 90)
    await pollParcels(place.ctx)
    await voidUnusedLabels(place.ctx)
    expect(await dueTimes()).toBe(0)
  })
})

test('a parcel about which the carrier never answers is given up after 45 days', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    carrier.statuses.set(one!, new Error('reset'))
    await passDays(place, 46)
    await pollParcels(place.ctx)
    expect(await trackingOf(place, one!)).toMatchObject({ status: 'unknown', in_hours: null })
  })
})
