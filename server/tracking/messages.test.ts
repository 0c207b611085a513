import { expect, test } from 'vitest'
import type { CarrierMessageResult } from '#server/carriers/port.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import {
  buyBatch,
  passDays,
  trackingCarrier,
  trackingOf,
  withCarrier,
} from '#tests/support/tracking-carrier.ts'
import { pollParcels } from './jobs.ts'
import { receiveCarrierMessage } from './messages.ts'

/** The carrier tells about a parcel, or sends what it `told`, which each account at it reads in its way. */
const tell = ({ ctx }: Simulation, ...told: (CarrierMessageResult | Error)[]): Promise<void> =>
  receiveCarrierMessage(
    told.map(result => ({
      ...ctx,
      carrier: {
        ...ctx.carrier,
        readMessage: () =>
          result instanceof Error ? Promise.reject(result) : Promise.resolve(result),
      },
    })),
    { body: new Uint8Array(), headers: {} },
  )
const numberOf = async ({ database }: Simulation, id: number): Promise<string> =>
  (
    await database.pool.query<{ n: string }>(
      'select tracking_number as n from shipment_order where id = $1',
      [id],
    )
  ).rows[0]!.n
const aboutParcel = async (place: Simulation, id: number): Promise<CarrierMessageResult> => ({
  kind: 'parcel',
  trackingNumber: await numberOf(place, id),
})

test('a parcel is looked up at once when the carrier tells about it, then once a day', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one, two] = await buyBatch(place, ['', ''])
    carrier.statuses.set(one!, 'in_transit').set(two!, 'in_transit')
    await tell(place, await aboutParcel(place, one!))
    await pollParcels(place.ctx)
    expect(carrier.calls).toEqual([one])
    expect(await trackingOf(place, one!)).toMatchObject({ status: 'in_transit', in_hours: 24 })

    // Four days without a message: looked up every few hours again.
    await place.database.pool.query(
      `update carrier_message set last_at = last_at - interval '4 days'`,
    )
    await passDays(place, 1)
    await pollParcels(place.ctx)
    expect(await trackingOf(place, two!)).toMatchObject({ status: 'in_transit', in_hours: 3 })
  })
})

/** With a round of look-ups after each message. */
async function tellFiveTimes(place: Simulation, id: number): Promise<void> {
  const told = await aboutParcel(place, id)
  for (let times = 0; times < 5; times++) {
    await tell(place, told)
    await pollParcels(place.ctx)
  }
}

test('many messages about a parcel are one look-up a minute', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    await tellFiveTimes(place, one!)
    expect(carrier.calls).toEqual([one])
    expect(await trackingOf(place, one!)).toMatchObject({ in_hours: 0 })
  })
})

test('many messages about a parcel are one look-up a minute also while the carrier does not answer', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    carrier.statuses.set(one!, new Error('There was no answer'))
    await tellFiveTimes(place, one!)
    expect(carrier.calls).toEqual([one])
    expect(await trackingOf(place, one!)).toMatchObject({ in_hours: 0 })
  })
})

test('a message during a look-up leads to another one, whose answer is newer', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    const told = await aboutParcel(place, one!)
    await tell(place, told)
    const track = place.ctx.carrier.track!
    const during: typeof track = async (...call) => {
      const answer = await track(...call)
      await tell(place, told)
      return answer
    }
    await pollParcels({ ...place.ctx, carrier: { ...place.ctx.carrier, track: during } })
    expect(await trackingOf(place, one!)).toMatchObject({ in_hours: 0 })
  })
})

test('an unsigned message is refused, and one about another number changes nothing', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    await expect(tell(place, { kind: 'unsigned' })).rejects.toMatchObject({
      code: 'signature_invalid',
    })
    await expect(tell(place, new Error('no keys'))).rejects.toMatchObject({
      code: 'carrier_unavailable',
    })
    await tell(place, { kind: 'other' })
    await tell(place, { kind: 'parcel', trackingNumber: '9400100110368060235012' })
    await pollParcels(place.ctx)
    expect(carrier.calls).toEqual([])
    expect(await trackingOf(place, one!)).toMatchObject({ status: 'unknown', in_hours: 6 })
    const { rows } = await place.database.pool.query('select 1 from carrier_message')
    expect(rows).toEqual([])
  })
})

test('a message of one account is taken while the keys of another cannot be read', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    const told = await aboutParcel(place, one!)
    await expect(tell(place, { kind: 'unsigned' }, new Error('no keys'))).rejects.toMatchObject({
      code: 'carrier_unavailable',
    })
    await tell(place, new Error('no keys'), told)
    await pollParcels(place.ctx)
    expect(carrier.calls).toEqual([one])
  })
})
