import { afterAll, expect, test } from 'vitest'
import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { uspsCarrier } from '#server/carriers/usps/adapter.ts'
import { findViolations } from '#server/ledger/service.ts'
import { resolveVoidManually } from '#server/purchasing/manual-resolution.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { advanceTime, setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { openUspsStub, USPS_ACCOUNT, USPS_KEYS } from '#tests/support/carriers/usps-stub.ts'
import type { UspsStubLabel } from '#tests/support/carriers/usps-stub.ts'
import {
  auditEntries,
  BALANCE,
  conflict,
  DAY_MS,
  readLabels,
  REASON,
  runWorker,
  walletOfCustomer,
} from '#tests/support/silent-carrier.ts'
import { voidMany } from './service.ts'
import { processDueVoids } from './settle.ts'

const PRICE = 650
const stub = await openUspsStub()
afterAll(stub.close)

let runs = 0

/**
 * USPS has cancelled the label, its answer was lost, and it refuses every later request.
 * `label`: in the books of USPS.
 */
async function withUnansweredVoid(
  run: (simulation: Simulation, orderId: number, label: UspsStubLabel) => Promise<void>,
): Promise<void> {
  let behavior: CarrierBehavior = 'fine'
  const instance = `lost-answers-${++runs}`
  await withSimulation(
    {
      change: ({ carrier, database }) => {
        const usps = () =>
          uspsCarrier({
            ...USPS_KEYS,
            url: stub.urlOn(behavior),
            account: USPS_ACCOUNT,
            instance: () => Promise.resolve(instance),
            notes: createAttemptNotes(database),
          })
        return {
          carrier: {
            ...carrier,
            purchase: (...given) => usps().purchase(...given),
            void: (...given) => usps().void(...given),
          },
        }
      },
    },
    async simulation => {
      const [customer] = simulation.customerIds
      await setCustomerBalance(simulation, customer, BALANCE)
      await submitBatch(simulation, customer, [''])
      await runWorker(simulation)
      const [{ id } = { id: 0 }] = await readLabels(simulation)
      const caller = { userId: customer, role: 'user', sessionId: 0 } as const
      behavior = 'void-lost'
      await voidMany(simulation.customerCtx, { ...caller, impersonatorId: null, key: null }, [id])
      const label = [...stub.labels.values()].at(-1)!
      expect(label.state).toBe('cancelled')
      behavior = 'void-refused'
      await run(simulation, id, label)
      expect(await findViolations(simulation.database.db)).toEqual([])
      expect(simulation.errors).toEqual([])
    },
  )
}

async function expectState(simulation: Simulation, state: string, balance: number): Promise<void> {
  expect(await readLabels(simulation)).toMatchObject([{ state }])
  expect(await walletOfCustomer(simulation)).toMatchObject({ available: balance, held: 0 })
}

const askAfter = async (simulation: Simulation, ms: number): Promise<void> => {
  await advanceTime(simulation, ms)
  await processDueVoids(simulation.ctx)
}

/** The same, `ms` after the call without an answer, however long a slow machine has taken since. */
async function askAfterCall(simulation: Simulation, ms: number): Promise<void> {
  const { pool } = simulation.database
  const {
    rows: [call],
  } = await pool.query<{ ago: number }>(
    `select extract(epoch from clock_timestamp() - max(started_at))::float8 * 1000 as ago from carrier_call where act = 'void'`,
  )
  await advanceTime(simulation, Math.round(ms - call!.ago))
  await pool.query('update shipment_order set run_after = clock_timestamp()')
  await processDueVoids(simulation.ctx)
}

test('USPS cancelled a label, its answer was lost and the next one is a refusal: the price comes back once', () =>
  withUnansweredVoid(async simulation => {
    await expectState(simulation, 'voiding', BALANCE - PRICE)
    await askAfter(simulation, 2_000)
    await expectState(simulation, 'voided', BALANCE)
    const asked = stub.requests.length
    await askAfter(simulation, DAY_MS)
    await expectState(simulation, 'voided', BALANCE)
    expect(stub.requests).toHaveLength(asked)
  }))

test('a label that USPS still reprints was not cancelled: the void is refused with the reason', () =>
  withUnansweredVoid(async (simulation, _id, label) => {
    label.state = 'sold'
    await askAfterCall(simulation, 2_000)
    await expectState(simulation, 'voiding', BALANCE - PRICE)
    await askAfter(simulation, 10_000)
    await expectState(simulation, 'purchased', BALANCE - PRICE)
    expect(await readLabels(simulation)).toMatchObject([
      { refused: 'A refund request for this order cannot be submitted' },
    ])
  }))

test('without proof a void stays requested, is requested again rarely, and an administrator ends it', () =>
  withUnansweredVoid(async (simulation, orderId, label) => {
    Object.assign(label, { state: 'sold', reprints: 3 })
    const end = () =>
      resolveVoidManually(simulation.ctx, simulation.operator, orderId, 'paid-back', REASON)
    const asked = () => stub.requests.filter(({ what }) => what.startsWith('DELETE')).length
    await askAfter(simulation, 2_000)
    const before = asked()
    await askAfter(simulation, 9 * 60_000)
    expect(asked()).toBe(before)
    await askAfter(simulation, 60_000)
    expect(asked()).toBe(before + 1)
    await expectState(simulation, 'voiding', BALANCE - PRICE)
    await expect(end()).rejects.toMatchObject(conflict('24 hours'))

    await advanceTime(simulation, DAY_MS)
    expect(await end()).toMatchObject({ isAnswered: false, order: { state: 'voided' } })
    await expectState(simulation, 'voided', BALANCE)
    expect(await auditEntries(simulation, 'void-ended')).toHaveLength(1)
  }))
