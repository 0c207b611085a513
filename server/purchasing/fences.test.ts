/** A claim that another one has replaced, or that was settled, changes nothing any more. */
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { claimQueued } from './claim-store.ts'
import {
  claimUnknown,
  claimUnknownById,
  expireLeases,
  moveUnknownToAccount,
  writeLookupVerdicts,
  writeVerdicts,
} from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'
import type { Verdict } from './rules.ts'

const NAMES: [string] = ['sandbox']
const LEASE_MS = 60_000
const SOLD: Verdict = {
  state: 'purchased',
  trackingNumber: '9400',
  cost: cents(593),
  isVoided: false,
}
const BACK: Verdict = { state: 'queued', waitMs: 0, reason: '' }
const REFUSED: Verdict = { state: 'failed', reason: 'No such street' }

const withCalled = (
  run: (simulation: Simulation, claim: PurchaseClaim) => Promise<void>,
  labels = 1,
): Promise<void> =>
  withSimulation({}, async simulation => {
    const [ana] = simulation.customerIds
    await setCustomerBalance(simulation, ana, 10_000)
    await submitBatch(simulation, ana, Array<string>(labels).fill(''))
    await run(simulation, await call(simulation))
  })

const call = ({ database }: Simulation): Promise<PurchaseClaim> =>
  database.tx(async tx => {
    const { claims } = await claimQueued(tx, { names: NAMES, scope: null }, 1, LEASE_MS, 0)
    return claims[0]!
  })

/** As when the process that has called the carrier is gone. */
async function endLease({ database }: Simulation): Promise<void> {
  await database.owner.pool.query(
    `update open_carrier_call set lease_until = now() - interval '1 second'`,
  )
  await database.tx(expireLeases)
}

const lookUp = ({ database }: Simulation, { id }: PurchaseClaim): Promise<PurchaseClaim> =>
  database.tx(async tx => (await claimUnknownById(tx, NAMES, id, LEASE_MS))[0]!)

const settle = ({ database }: Simulation, claim: PurchaseClaim, verdict: Verdict) =>
  database.tx(tx => writeVerdicts(tx, [{ claim, verdict }]))
const settleLookup = ({ database }: Simulation, claim: PurchaseClaim, verdict: Verdict) =>
  database.tx(tx => writeLookupVerdicts(tx, [{ claim, verdict }]))
const labelOf = async ({ database }: Simulation) =>
  (await database.pool.query('select state, fence, carrier_account from shipment_order')).rows[0]

test('an answer that comes after its lease changes nothing, not even while the same round is asked for again', () =>
  withCalled(async (simulation, late) => {
    await endLease(simulation)
    expect(await settle(simulation, late, SOLD)).toEqual([])
    await settleLookup(simulation, await lookUp(simulation, late), BACK)
    const again = await call(simulation)
    expect(again.fence).toBeGreaterThan(late.fence)
    expect(await settle(simulation, late, REFUSED)).toEqual([])
    expect(await labelOf(simulation)).toMatchObject({ state: 'queued' })
    expect(await settle(simulation, again, SOLD)).toHaveLength(1)
    expect(await settle(simulation, again, REFUSED)).toEqual([])
    expect(await labelOf(simulation)).toMatchObject({ state: 'purchased' })
  }))

test('an answer for a label that has gone on without its call stops no other answer', () =>
  withCalled(async (simulation, left) => {
    const { database } = simulation
    const other = await call(simulation)
    await database.pool.query('update shipment_order set fence = 99 where id = $1', [left.id])
    const judged = [left, other].map(claim => ({ claim, verdict: SOLD }))
    const ended = await database.tx(tx => writeVerdicts(tx, judged))
    expect(ended.map(({ orderId }) => orderId)).toEqual([other.id])
  }, 2))

test('of two look-ups of a label only the last one counts, and only once', () =>
  withCalled(async (simulation, lost) => {
    await endLease(simulation)
    const { database } = simulation
    const lookUpDue = () =>
      database.tx(tx => claimUnknown(tx, NAMES, { calls: 10, later: 0 }, LEASE_MS))
    const [first] = await lookUpDue()
    expect(await lookUpDue()).toEqual([])
    await database.pool.query('update shipment_order set run_after = now()')
    const [second] = await lookUpDue()
    expect(await settleLookup(simulation, first!, REFUSED)).toEqual([])
    const third = await lookUp(simulation, lost)
    expect(await settleLookup(simulation, second!, REFUSED)).toEqual([])
    expect(await settleLookup(simulation, third, SOLD)).toEqual([lost.id])
    expect(await settleLookup(simulation, third, REFUSED)).toEqual([])
    expect(await labelOf(simulation)).toMatchObject({ state: 'purchased' })
    expect(await database.tx(tx => claimUnknownById(tx, NAMES, lost.id, LEASE_MS))).toEqual([])
  }))

test('a label goes to another account by the last look-up only, and while its outcome is unknown', () =>
  withCalled(async (simulation, lost) => {
    await endLease(simulation)
    const first = await lookUp(simulation, lost)
    const second = await lookUp(simulation, lost)
    const move = (claim: PurchaseClaim) =>
      simulation.database.tx(tx => moveUnknownToAccount(tx, claim, 'usps:7'))
    await move(first)
    expect(await labelOf(simulation)).toMatchObject({ carrier_account: 'sandbox' })
    await settleLookup(simulation, second, SOLD)
    await move(second)
    expect(await labelOf(simulation)).toMatchObject({ carrier_account: 'sandbox' })
  }))

test('a label of another account is looked up by that account only', () =>
  withCalled(async (simulation, lost) => {
    await endLease(simulation)
    const others: [string] = ['usps:7']
    const { database } = simulation
    expect(await database.tx(tx => claimUnknownById(tx, others, lost.id, LEASE_MS))).toEqual([])
    expect(
      await database.tx(tx => claimUnknown(tx, others, { calls: 10, later: 0 }, LEASE_MS)),
    ).toEqual([])
  }))
