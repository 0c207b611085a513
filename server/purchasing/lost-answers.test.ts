/** Refusals that are no proof: an earlier question of the same round was not answered, or the last of a day of tries was. */
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import type { PurchaseLookupResult, PurchaseResult } from '#server/carriers/port.ts'
import { findViolations, walletOf } from '#server/ledger/service.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import {
  withSimulation,
  setCustomerBalance,
  advanceTime,
  TIME_SPANS,
} from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { reconcile } from './reconcile.ts'
import { startPurchaseWorker } from './worker.ts'

const NO: PurchaseResult = {
  ok: false,
  kind: 'permanent',
  code: 'ADDRESS',
  message: 'No such street',
}
const SOLD: PurchaseLookupResult = {
  found: 'purchased',
  purchase: { trackingNumber: '9800000000000000000005', costCents: cents(593) },
}
const MONEY = 10_000

/** A carrier whose answers to purchases are these, one after the other; look-ups say what `books.found` is. */
async function withAnswers(
  answers: (PurchaseResult | 'lost')[],
  game: (place: Simulation, books: { found: PurchaseLookupResult }) => Promise<void>,
): Promise<void> {
  const books: { found: PurchaseLookupResult } = { found: { found: 'not_purchased' } }
  await withSimulation(
    {
      change: ({ carrier }) => ({
        carrier: {
          ...carrier,
          purchase: async (...asked) => {
            const answer = answers.shift()
            if (answer === 'lost')
              throw Object.assign(new Error('the line broke'), { code: 'ECONNRESET' })
            return answer ?? carrier.purchase(...asked)
          },
          lookup: async () => books.found,
        },
      }),
    },
    async place => {
      await setCustomerBalance(place, place.customerIds[0], MONEY)
      await submitBatch(place, place.customerIds[0], [''])
      await game(place, books)
      expect(await findViolations(place.database.db)).toEqual([])
    },
  )
}

const work = ({ ctx }: Simulation): Promise<void> => startPurchaseWorker(ctx).stop()
const label = ({ database }: Simulation) =>
  database.db.selectFrom('shipment_order').select(['state', 'reason']).executeTakeFirstOrThrow()
const wallet = ({ database, customerIds }: Simulation) => walletOf(database.db, customerIds[0])

/** The first answer is lost, the carrier says that it sold nothing, and refuses when it is asked again. */
async function refusedAfterLoss(place: Simulation): Promise<void> {
  await work(place)
  await advanceTime(place, 1_000)
  await reconcile(place.ctx)
  expect((await label(place)).state).toBe('queued')
  await work(place)
  expect(await label(place)).toEqual({ state: 'unknown', reason: 'Being checked with the carrier' })
}

test('a label that is refused after an answer was lost is looked up, and found where the first question has bought it', async () => {
  await withAnswers(['lost', NO], async (place, books) => {
    await refusedAfterLoss(place)
    books.found = SOLD
    await advanceTime(place, 1_000)
    await reconcile(place.ctx)
    expect((await label(place)).state).toBe('purchased')
    expect(await wallet(place)).toMatchObject({ held: 0, spent: 650 })
  })
})

test('its refusal is believed when the first question can have bought nothing any more', async () => {
  await withAnswers(['lost', NO], async place => {
    await refusedAfterLoss(place)
    await advanceTime(place, 2_000)
    await reconcile(place.ctx)
    expect((await label(place)).state).toBe('unknown')
    await advanceTime(place, 11_000)
    await reconcile(place.ctx)
    expect(await label(place)).toEqual({ state: 'failed', reason: 'No such street' })
    expect(await wallet(place)).toMatchObject({ available: MONEY, held: 0 })
  })
})

test('a refusal of a label none of whose answers is missing is believed at once', async () => {
  await withAnswers([NO], async place => {
    await work(place)
    expect(await label(place)).toEqual({ state: 'failed', reason: 'No such street' })
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
    await withAnswers([busy, busy], async (place, books) => {
      await work(place)
      await advanceTime(place, TIME_SPANS['a day'])
      books.found = found
      await work(place)
      expect((await label(place)).state).toBe('unknown')
      await advanceTime(place, 1_000)
      await reconcile(place.ctx)
      expect((await label(place)).state).toBe(state)
      expect(await wallet(place)).toMatchObject({ held: state === 'unknown' ? 650 : 0, spent })
    })
  },
)
