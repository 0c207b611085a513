import { expect, test } from 'vitest'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { TrackingEvent, TrackingResult } from '#server/carriers/port.ts'
import { selectParcelEvents } from '#server/orders/service.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import {
  buyBatch,
  passDays,
  trackingCarrier,
  withCarrier,
} from '#tests/support/tracking-carrier.ts'
import { pollParcels } from './jobs.ts'
import { receiveCarrierMessage } from './messages.ts'

const event = (hour: number, status: TrackingStatus, text: string): TrackingEvent => ({
  at: new Date(Date.UTC(2026, 10, 20, hour)),
  status,
  text,
  place: 'Bend, OR',
})
const LABEL = event(8, 'pre_transit', 'Label created')
const ACCEPTED = event(10, 'in_transit', 'Accepted')
const ARRIVED = event(12, 'in_transit', 'Arrived')
const DELIVERED = event(15, 'delivered', 'Delivered')
const told = (...events: TrackingEvent[]): TrackingResult => {
  const newest = events.at(-1)!
  return { status: newest.status, detail: newest.text, at: newest.at, events }
}
const historyOf = ({ database }: Simulation, id: number) => selectParcelEvents(database.db, id)

test('each event is kept once, however often and in which order it comes', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    const answers = [
      told(ACCEPTED),
      told(LABEL, ACCEPTED, ARRIVED),
      told(ACCEPTED, LABEL),
      told(ARRIVED),
    ]
    for (const answer of answers) {
      carrier.statuses.set(one!, answer)
      await passDays(place, 1)
      await pollParcels(place.ctx)
    }
    expect(await historyOf(place, one!)).toEqual([LABEL, ACCEPTED, ARRIVED])
    const rows = { status: 'delivered' as const, detail: 'Delivered', at: DELIVERED.at }
    carrier.statuses.set(one!, rows)
    await passDays(place, 1)
    await pollParcels(place.ctx)
    // An answer without events counts as its newest one.
    expect(await historyOf(place, one!)).toEqual([
      LABEL,
      ACCEPTED,
      ARRIVED,
      { ...DELIVERED, place: '' },
    ])
  })
})

test('a message writes no event: only what the carrier answers then does, once for many messages', async () => {
  const carrier = trackingCarrier()
  await withCarrier(carrier, async place => {
    const [one] = await buyBatch(place, [''])
    const {
      rows: [label],
    } = await place.database.pool.query<{ n: string }>(
      'select tracking_number as n from shipment_order where id = $1',
      [one],
    )
    const message = (body: string, isSigned = true) =>
      receiveCarrierMessage(
        [
          {
            ...place.ctx,
            carrier: {
              ...place.ctx.carrier,
              readMessage: () =>
                Promise.resolve(
                  isSigned
                    ? { kind: 'parcel' as const, trackingNumber: label!.n }
                    : { kind: 'unsigned' as const },
                ),
            },
          },
        ],
        { body: new TextEncoder().encode(body), headers: {} },
      )
    await expect(message('{"status":"delivered"}', false)).rejects.toThrow()
    await pollParcels(place.ctx)
    expect(await historyOf(place, one!)).toEqual([])

    carrier.statuses.set(one!, told(LABEL, ACCEPTED))
    for (let again = 0; again < 3; again++) await message('{"status":"delivered"}')
    await pollParcels(place.ctx)
    expect(await historyOf(place, one!)).toEqual([LABEL, ACCEPTED])
    expect(carrier.calls).toEqual([one])
  })
})
