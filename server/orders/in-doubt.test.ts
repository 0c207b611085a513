/** Refusals that are no proof: an earlier question of the same round was not answered, or the last of a day of tries was. */
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import type { Found, Outcome } from '#server/carriers/port.ts'
import { violations, walletOf } from '#server/ledger/service.ts'
import { order } from '#tests/model/batch-steps.ts'
import { atPlace, give, pass, SPANS } from '#tests/model/workplace.ts'
import type { Place } from '#tests/model/workplace.ts'
import { startWorker } from './jobs.ts'
import { reconcile } from './reconcile.ts'

const NO: Outcome = { ok: false, kind: 'permanent', code: 'ADDRESS', message: 'No such street' }
const SOLD: Found = {
  found: 'purchased',
  purchase: { trackingNumber: '9800000000000000000005', costCents: cents(593) },
}
const MONEY = 10_000

/** A carrier whose answers to purchases are these, one after the other; look-ups say what `books.found` is. */
async function withAnswers(
  answers: (Outcome | 'lost')[],
  game: (place: Place, books: { found: Found }) => Promise<void>,
): Promise<void> {
  const books: { found: Found } = { found: { found: 'not_purchased' } }
  await atPlace(
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
      // A crowded machine must not look like a silent carrier.
      place.house.config.carrierTimeoutMs = 5_000
      await give(place, place.people[0], MONEY)
      await order(place, place.people[0], [''])
      await game(place, books)
      expect(await violations(place.database.db)).toEqual([])
    },
  )
}

const work = ({ house }: Place): Promise<void> => startWorker(house).stop()
const label = ({ database }: Place) =>
  database.db.selectFrom('shipment_order').select(['state', 'reason']).executeTakeFirstOrThrow()
const wallet = ({ database, people }: Place) => walletOf(database.db, people[0])

/** The first answer is lost, the carrier says that it sold nothing, and refuses when it is asked again. */
async function refusedAfterLoss(place: Place): Promise<void> {
  await work(place)
  await pass(place, 1_000)
  await reconcile(place.house)
  expect((await label(place)).state).toBe('queued')
  await work(place)
  expect(await label(place)).toEqual({ state: 'unknown', reason: 'Being checked with the carrier' })
}

test('a label that is refused after an answer was lost is looked up, and found where the first question has bought it', async () => {
  await withAnswers(['lost', NO], async (place, books) => {
    await refusedAfterLoss(place)
    books.found = SOLD
    await pass(place, 1_000)
    await reconcile(place.house)
    expect((await label(place)).state).toBe('purchased')
    expect(await wallet(place)).toMatchObject({ held: 0, spent: 650 })
  })
})

test('its refusal is believed when the first question can have bought nothing any more', async () => {
  await withAnswers(['lost', NO], async place => {
    await refusedAfterLoss(place)
    await pass(place, 2_000)
    await reconcile(place.house)
    expect((await label(place)).state).toBe('unknown')
    await pass(place, 11_000)
    await reconcile(place.house)
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
] as [string, Found, string, number][])(
  'a label that could not be bought for a day %s',
  async (_, found, state, spent) => {
    const busy: Outcome = {
      ok: false,
      kind: 'retryable',
      code: 'BUSY',
      message: 'The carrier is busy',
    }
    await withAnswers([busy, busy], async (place, books) => {
      await work(place)
      await pass(place, SPANS['a day'])
      books.found = found
      await work(place)
      expect((await label(place)).state).toBe('unknown')
      await pass(place, 1_000)
      await reconcile(place.house)
      expect((await label(place)).state).toBe(state)
      expect(await wallet(place)).toMatchObject({ held: state === 'unknown' ? 650 : 0, spent })
    })
  },
)
