import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import type { Carrier, PurchaseLookupResult, PurchaseResult } from '#server/carriers/port.ts'
import { specimenPdf } from '#server/labels/specimen-pdf.ts'
import { findViolations, walletOf } from '#server/ledger/service.ts'
import { abandonClaims, submitBatch } from '#tests/model/batch-steps.ts'
import {
  withSimulation,
  setCustomerBalance,
  advanceTime,
  TIME_SPANS,
} from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { reconcile } from './reconcile.ts'
import { assertSameCarrier } from './same-carrier.ts'
import { startPurchaseWorker } from './worker.ts'

const NO: PurchaseResult = {
  ok: false,
  kind: 'permanent',
  code: 'ADDRESS',
  message: 'No such street',
}
const SOLD = {
  found: 'purchased',
  purchase: { trackingNumber: '9800000000000000000005', costCents: cents(593) },
} satisfies PurchaseLookupResult
const MONEY = 10_000

/**
 * A carrier that gives these answers to purchases, one after the other; look-ups return
 * `lookups.found`.
 */
async function withAnswers(
  answers: (PurchaseResult | 'lost')[],
  run: (simulation: Simulation, lookups: { found: PurchaseLookupResult }) => Promise<void>,
  given: Partial<Carrier> = {},
): Promise<void> {
  const lookups: { found: PurchaseLookupResult } = { found: { found: 'not_purchased' } }
  await withSimulation(
    {
      change: ({ carrier }) => ({
        carrier: {
          ...carrier,
          ...given,
          purchase: async (...args) => {
            const answer = answers.shift()
            if (answer === 'lost')
              throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' })
            return answer ?? carrier.purchase(...args)
          },
          lookup: async () => lookups.found,
        },
      }),
    },
    async simulation => {
      await setCustomerBalance(simulation, simulation.customerIds[0], MONEY)
      await submitBatch(simulation, simulation.customerIds[0], [''])
      await run(simulation, lookups)
      expect(await findViolations(simulation.database.db)).toEqual([])
    },
  )
}

/** Turns of a worker until the carrier is asked: a slow machine may come too late for that in the first. */
const work = async ({ ctx, purchaseCalls }: Simulation): Promise<void> => {
  const asked = () => [...purchaseCalls.values()].reduce((sum, { times }) => sum + times, 0)
  const before = asked()
  await expect
    .poll(async () => {
      await startPurchaseWorker(ctx).stop()
      return asked()
    })
    .toBeGreaterThan(before)
}
const label = ({ database }: Simulation) =>
  database.db.selectFrom('shipment_order').select(['state', 'reason']).executeTakeFirstOrThrow()
const wallet = ({ database, customerIds }: Simulation) => walletOf(database.db, customerIds[0])

/** `lose`: the first answer. Then a look-up says not sold, and the second call is refused. */
async function refusedAfterLoss(simulation: Simulation, lose = work): Promise<void> {
  await lose(simulation)
  await advanceTime(simulation, 1_000)
  await reconcile(simulation.ctx)
  expect((await label(simulation)).state).toBe('queued')
  await work(simulation)
  expect(await label(simulation)).toEqual({
    state: 'unknown',
    reason: 'Being checked with the carrier',
  })
}

/** A process asks the carrier and dies; `statement` ends its lease. */
const dieAsking =
  (statement: string) =>
  async (simulation: Simulation): Promise<void> => {
    await abandonClaims(simulation, 1, 'before asking')
    await simulation.database.owner.pool.query(statement)
    await reconcile(simulation.ctx)
  }

test.each<[string, (PurchaseResult | 'lost')[], typeof work]>([
  ['whose answer was lost', ['lost', NO], work],
  [
    'whose process died',
    [NO],
    dieAsking(`update open_carrier_call set lease_until = now() - interval '1 second'`),
  ],
  [
    'for a row reopened after a restore',
    [NO],
    dieAsking(`
      with ended as (delete from open_carrier_call returning *)
      update shipment_order o set state = 'purchasing', attempt = ended.attempt, fence = ended.fence, carrier_account = ended.account,
          lease_until = now() - interval '1 second'
        from ended where o.id = ended.order_id`),
  ],
])(
  'a label refused after a call %s is looked up, and found if that call bought it',
  async (_, answers, lose) => {
    await withAnswers(answers, async (simulation, lookups) => {
      await refusedAfterLoss(simulation, lose)
      lookups.found = SOLD
      await advanceTime(simulation, 1_000)
      await reconcile(simulation.ctx)
      expect((await label(simulation)).state).toBe('purchased')
      expect(await wallet(simulation)).toMatchObject({ held: 0, spent: 650 })
    })
  },
)

const statesOf = async ({ database }: Simulation): Promise<string[]> =>
  (await database.db.selectFrom('shipment_order').select('state').orderBy('id').execute()).map(
    ({ state }) => state,
  )

test('a tracking number is paid for once: a second label that gets it is checked until it has its own', async () => {
  const sold = { ok: true, purchase: SOLD.purchase } as const
  await withAnswers([sold, sold], async (simulation, lookups) => {
    await work(simulation)
    await submitBatch(simulation, simulation.customerIds[0], [''])
    await work(simulation)
    const states = () => statesOf(simulation)
    expect(await states()).toEqual(['purchased', 'unknown'])
    lookups.found = SOLD
    await advanceTime(simulation, 1_000)
    await reconcile(simulation.ctx)
    expect(await states()).toEqual(['purchased', 'unknown'])
    expect(await wallet(simulation)).toMatchObject({ held: 650, spent: 650 })
    const own = { trackingNumber: '9800000000000000000012', costCents: cents(593) }
    lookups.found = { found: 'purchased', purchase: own }
    await advanceTime(simulation, 61_000)
    await reconcile(simulation.ctx)
    expect(await states()).toEqual(['purchased', 'purchased'])
    expect(await wallet(simulation)).toMatchObject({ held: 0, spent: 1_300 })
  })
})

test('a label that was answered with the number of another one does not get its file', async () => {
  const file = { mime: 'application/pdf', bytes: specimenPdf(sampleLabel(5)) } as const
  const sold = { ok: true, purchase: { ...SOLD.purchase, label: file } } as const
  await withAnswers([sold, sold], async simulation => {
    await work(simulation)
    await submitBatch(simulation, simulation.customerIds[0], [''])
    await work(simulation)
    expect(await statesOf(simulation)).toEqual(['purchased', 'unknown'])
    const stored = await readdir(join(simulation.ctx.config.dataDir, 'files'), { recursive: true })
    expect(stored.filter(name => name.includes('carrier-'))).toHaveLength(1)
  })
})

test('a key for tests, whose labels all have one tracking number, sells each of them', async () => {
  const sold = { ok: true, purchase: SOLD.purchase } as const
  await withAnswers(
    [sold, sold, sold],
    async simulation => {
      const { ctx } = simulation
      await assertSameCarrier(ctx)
      await work(simulation)
      await submitBatch(simulation, simulation.customerIds[0], [''])
      await work(simulation)
      expect(await statesOf(simulation)).toEqual(['purchased', 'purchased'])

      // The real account that follows may use the number once.
      const { repeatsNumbers: _, ...real } = { ...ctx.carrier, account: 'real' }
      await submitBatch(simulation, simulation.customerIds[0], [''])
      await work({ ...simulation, ctx: { ...ctx, carrier: real } })
      expect(await statesOf(simulation)).toEqual(['purchased', 'purchased', 'purchased'])
    },
    { repeatsNumbers: true },
  )
})

test('a store of files that does not answer holds up no look-ups', async () => {
  await withAnswers(['lost'], async (simulation, lookups) => {
    await work(simulation)
    const file = { mime: 'application/pdf', bytes: specimenPdf(sampleLabel(5)) } as const
    lookups.found = { ...SOLD, purchase: { ...SOLD.purchase, label: file } }
    await advanceTime(simulation, 1_000)
    const { ctx } = simulation
    const files = { ...ctx.files, write: () => new Promise<never>(() => {}) }
    const config = { ...ctx.config, carrierTimeoutMs: 500 }
    await reconcile({ ...ctx, files, config })
    expect((await label(simulation)).state).toBe('purchased')
  })
})

test('its refusal counts when the first call cannot have bought it anymore', async () => {
  await withAnswers(['lost', NO], async simulation => {
    await refusedAfterLoss(simulation)
    // However long a slow machine has taken since.
    await simulation.database.pool.query(
      `update shipment_order set run_after = clock_timestamp(), answer_missing_at = clock_timestamp() - interval '3 seconds'`,
    )
    await reconcile(simulation.ctx)
    expect((await label(simulation)).state).toBe('unknown')
    await advanceTime(simulation, 11_000)
    await reconcile(simulation.ctx)
    expect(await label(simulation)).toEqual({ state: 'failed', reason: 'No such street' })
    expect(await wallet(simulation)).toMatchObject({ available: MONEY, held: 0 })
  })
})

test('a refusal counts at once if no answer is missing', async () => {
  await withAnswers([NO], async simulation => {
    await work(simulation)
    expect(await label(simulation)).toEqual({ state: 'failed', reason: 'No such street' })
  })
})

test.each([
  ['is given back when the carrier was asked once more', { found: 'not_purchased' }, 'failed', 0],
  ['waits while the carrier does not say what became of it', { found: 'unknown' }, 'unknown', 0],
  ['is the customer’s after all where the carrier has sold it', SOLD, 'purchased', 650],
] as [string, PurchaseLookupResult, string, number][])(
  'a label that could not be bought for a day %s',
  async (_, found, state, spent) => {
    const busy: PurchaseResult = {
      ok: false,
      kind: 'retryable',
      code: 'BUSY',
      message: 'The carrier is busy',
    }
    const answers = Array.from({ length: 10 }, () => busy)
    await withAnswers(answers, async (simulation, lookups) => {
      await work(simulation)
      await advanceTime(simulation, TIME_SPANS.day)
      lookups.found = found
      while (answers.length > 0) {
        await work(simulation)
        await advanceTime(simulation, 61_000)
      }
      expect((await label(simulation)).state).toBe('unknown')
      await reconcile(simulation.ctx)
      expect((await label(simulation)).state).toBe(state)
      expect(await wallet(simulation)).toMatchObject({ held: state === 'unknown' ? 650 : 0, spent })
    })
  },
)

test('a proxy’s refusal after a day of waiting is no proof: a sale that the carrier records later is found', async () => {
  const refusal = { ok: false, kind: 'account', code: '403', message: 'Forbidden' } as const
  await withAnswers([refusal, { ...refusal, isUncertain: true }], async (simulation, lookups) => {
    await work(simulation)
    await advanceTime(simulation, TIME_SPANS.day)
    await work(simulation)
    await advanceTime(simulation, 1_000)
    await reconcile(simulation.ctx)
    expect((await label(simulation)).state).toBe('unknown')
    lookups.found = SOLD
    await advanceTime(simulation, 11_000)
    await reconcile(simulation.ctx)
    expect((await label(simulation)).state).toBe('purchased')
    expect(await wallet(simulation)).toMatchObject({ held: 0, spent: 650 })
  })
})
