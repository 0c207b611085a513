import { expect, test } from 'vitest'
import { callPurchase, callLookup } from '#server/carriers/calls.ts'
import { shipmentOf } from '#tests/support/carriers/buyer.ts'
import { testDatabase } from '#tests/support/database.ts'
import { sandboxCarrier } from './adapter.ts'
import { FaultPlan } from './fault-plan.ts'
import { faultFor } from './with-faults.ts'
import type { Fault } from './with-faults.ts'

const database = await testDatabase()
const carrier = sandboxCarrier(database, { latencyMs: 0 })
const shipment = shipmentOf('usps:PRIORITY_MAIL')
const { signal } = new AbortController()

test('the same attempt returns the same label, however often and by which process', async () => {
  const attempt = { reference: '1', round: 1 }
  const first = await carrier.purchase(
    attempt,
    { ...shipment, fence: 1, waitedMs: 3 } as typeof shipment,
    signal,
  )
  const again = await Promise.all(
    [2, 3, 4].map(fence =>
      carrier.purchase(
        attempt,
        { ...shipment, fence, waitedMs: 900 * fence } as typeof shipment,
        signal,
      ),
    ),
  )
  expect(first.ok).toBe(true)
  expect(again).toEqual([first, first, first])
  expect(await carrier.lookup(attempt, signal)).toMatchObject({ found: 'purchased' })
})

test('another shipment under the same attempt is refused; a new round is a new label', async () => {
  const attempt = { reference: '2', round: 1 }
  const first = await carrier.purchase(attempt, shipment, signal)
  const heavier = { ...shipment, package: { ...shipment.package, weight: 3 } }
  expect(await carrier.purchase(attempt, heavier, signal)).toMatchObject({
    ok: false,
    kind: 'permanent',
    code: 'KEY_REUSED',
  })
  const second = await carrier.purchase({ ...attempt, round: 2 }, heavier, signal)
  expect(
    second.ok && first.ok && second.purchase.trackingNumber !== first.purchase.trackingNumber,
  ).toBe(true)
})

test('what was never requested was not sold', async () => {
  expect(await carrier.lookup({ reference: '3', round: 1 }, signal)).toEqual({
    found: 'not_purchased',
  })
})

test('faults follow from the plan, the same way every time', () => {
  const plan = FaultPlan.parse({ seed: 11, resetBefore: 0.1, busy: 0.2, nonsense: 0.1 })
  const played = (of: FaultPlan) =>
    Array.from({ length: 1_000 }, (_, n) => faultFor(of, `${n}:1`, 1))
  expect(played(plan)).toEqual(played(plan))
  expect(played({ ...plan, seed: 12 })).not.toEqual(played(plan))
  const share = (fault: Fault | null) => played(plan).filter(one => one === fault).length / 1_000
  expect(
    [share('resetBefore'), share('busy'), share('nonsense'), share(null)].map(one =>
      Math.round(one * 10),
    ),
  ).toEqual([1, 2, 1, 6])
  expect(() => FaultPlan.parse({ resetBefore: 0.6, late: 0.6 })).toThrow('add up to more than 1')
})

test('a carrier without memory for keys sells again, and a lookup finds what it sold', async () => {
  const forgetful = sandboxCarrier(database, {
    latencyMs: 0,
    faults: FaultPlan.parse({ memory: 'lookup', quarantineMs: 60_000 }),
  })
  const attempt = { reference: '4', round: 1 }
  expect(await forgetful.lookup(attempt, signal)).toEqual({ found: 'not_purchased' })
  const [first, second] = [
    await forgetful.purchase(attempt, shipment, signal),
    await forgetful.purchase(attempt, shipment, signal),
  ]
  expect(
    first.ok && second.ok && first.purchase.trackingNumber !== second.purchase.trackingNumber,
  ).toBe(true)
  expect(await forgetful.lookup(attempt, signal)).toEqual({
    found: 'purchased',
    purchase: first.ok && first.purchase,
  })
  expect([forgetful.idempotency, forgetful.quarantineMs]).toEqual(['lookup', 60_000])
  if (second.ok)
    expect(await forgetful.void({ attempt, ...second.purchase }, signal)).toEqual({
      kind: 'voided',
    })
})

test('every invalid response is an unknown result', async () => {
  const babbling = sandboxCarrier(database, {
    latencyMs: 0,
    faults: FaultPlan.parse({ nonsense: 1 }),
  })
  for (let n = 100; n < 150; n++) {
    const attempt = { reference: String(n), round: 1 }
    expect(await callPurchase(babbling, attempt, shipment, 5_000)).toMatchObject({
      ok: false,
      kind: 'unknown',
      code: 'NONSENSE',
    })
    expect(await callLookup(babbling, attempt, 5_000)).toMatchObject({ found: 'purchased' })
  }
})
