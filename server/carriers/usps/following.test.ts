/** USPS parcels from the request to the money: unused labels are found and given back. */
import { afterAll, expect, test } from 'vitest'
import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { callPurchase, callTrack } from '#server/carriers/calls.ts'
import { selectParcelEvents } from '#server/orders/service.ts'
import { pollParcels } from '#server/tracking/jobs.ts'
import { voidUnusedLabels } from '#server/voids/unused-labels.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import { PATIENCE_MS, shipmentOf } from '#tests/support/carriers/buyer.ts'
import { openUspsStub, USPS_ACCOUNT, USPS_KEYS } from '#tests/support/carriers/usps-stub.ts'
import { uspsTrackingContract } from '#tests/support/carriers/usps-tracking-contract.ts'
import { testDatabase } from '#tests/support/database.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import {
  buyBatch,
  labelStates,
  passDays,
  PRICE,
  settleAllVoids,
  spentCents,
  voidRequests,
} from '#tests/support/tracking-carrier.ts'
import { uspsCarrier } from './adapter.ts'

const database = await testDatabase()
const stub = await openUspsStub()
afterAll(stub.close)

const carrierOf = (notes: Pick<TestDatabase, 'tx' | 'db'>, instance = 'unit') =>
  uspsCarrier({
    ...USPS_KEYS,
    url: stub.urlOn(),
    account: USPS_ACCOUNT,
    instance: () => Promise.resolve(instance),
    notes: createAttemptNotes(notes as TestDatabase),
    rateLimit: { perMinute: 60_000, burst: 6_000 },
  })
const SHIPMENT = shipmentOf('usps:PRIORITY_MAIL')

test('a look-up is as published, charges nothing, and tells no one who signed', async () => {
  const carrier = carrierOf(database)
  const attempt = { reference: '1', round: 1 }
  const outcome = await callPurchase(carrier, attempt, SHIPMENT, PATIENCE_MS)
  if (!outcome.ok) throw new Error(outcome.message)
  const { trackingNumber } = outcome.purchase
  const track = (number = trackingNumber) =>
    callTrack(carrier, { attempt, trackingNumber: number }, PATIENCE_MS)

  expect(await track()).toMatchObject({ status: 'unknown', events: [] })
  const label = [...stub.labels.values()].at(-1)!
  label.parcel = 'delivered'
  const tracked = await track()
  expect(tracked).toMatchObject({ status: 'delivered', expectedDay: '2026-11-27' })
  expect(tracked!.events!.map(({ status }) => status)).toEqual([
    'pre_transit',
    'in_transit',
    'out_for_delivery',
    'delivered',
  ])
  expect(JSON.stringify(tracked)).not.toContain('RIVERA')
  // Another number, expired tokens: no answer about this parcel, and new tokens by themselves.
  expect(await track('9205590999999999999999')).toBeNull()
  stub.revokeTokens()
  expect(await track()).toMatchObject({ status: 'delivered' })

  const asked = stub.requests.filter(({ what }) => what === 'GET /tracking/v3/tracking/*')
  expect(asked.length).toBeGreaterThan(3)
  for (const { request } of asked) {
    expect(uspsTrackingContract.requestErrors(request)).toEqual([])
    expect(request.query.get('expand')).toBe('DETAIL')
    expect(request.headers).not.toHaveProperty('x-payment-authorization-token')
  }
})

test('unused USPS labels are refunded before their window ends; used ones are not', async () => {
  await withSimulation(
    {
      change: ({ database: own, config }) => ({
        config: { ...config, carrierTimeoutMs: PATIENCE_MS },
        carrier: carrierOf(own as TestDatabase, 'unused'),
      }),
    },
    async place => {
      await setCustomerBalance(place, place.customerIds[0], 1_000_000)
      const sold = new Set(stub.labels.keys())
      const ids = await buyBatch(place, ['', '', ''])
      expect(ids).toHaveLength(3)
      const { rows } = await place.database.pool.query<{ id: number; n: string }>(
        'select id, tracking_number as n from shipment_order order by id',
      )
      const labelOf = (id: number) =>
        [...stub.labels.values()].find(
          ({ key, trackingNumber }) =>
            !sold.has(key) && trackingNumber === rows.find(row => row.id === id)!.n,
        )!
      const [used, announced, silent] = ids as [number, number, number]
      labelOf(used).parcel = 'in_transit'
      labelOf(announced).parcel = 'pre_transit'
      await passDays(place, 1)
      await pollParcels(place.ctx)
      const history = await selectParcelEvents(place.database.db, used)
      expect(history.map(({ text, place: where }) => [text, where])).toEqual([
        ['Shipping Label Created, USPS Awaiting Item', 'New Berlin, WI'],
        ['Departed USPS Facility', 'New Berlin, WI'],
      ])

      await passDays(place, 27.1)
      await voidUnusedLabels(place.ctx)
      await voidUnusedLabels(place.ctx)
      await settleAllVoids(place)
      expect(await labelStates(place, [used, announced, silent])).toEqual([
        'purchased',
        'voided',
        'voided',
      ])
      expect([used, announced, silent].map(id => labelOf(id).state)).toEqual([
        'sold',
        'cancelled',
        'cancelled',
      ])
      expect(await voidRequests(place)).toHaveLength(2)
      expect(await spentCents(place)).toBe(PRICE)
    },
  )
})
