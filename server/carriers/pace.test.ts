import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { findRest } from './budget-store.ts'
import { accountIsWell, asking, heed, roomAtCarrier } from './pace.ts'
import type { Act } from './pace.ts'
import type { Carrier, Outcome } from './port.ts'
import type { WithCarrier } from './service.ts'

const database = await testDatabase()
const { tx } = database

type Paced = Pick<Carrier, 'account' | 'pace' | 'callsPerLabel'>
let accounts = 0
const account = (wish: Partial<Paced> = {}): Paced => ({
  account: `test:${++accounts}`,
  pace: { perMinute: 60, burst: 20 },
  callsPerLabel: 2,
  ...wish,
})

const room = (carrier: Paced, act: Act, most = 100): Promise<number> =>
  tx(trx => roomAtCarrier(trx, carrier, act, most))
const take = (carrier: Paced, act: Act, most = 100): Promise<number> =>
  tx(async trx => {
    const many = await roomAtCarrier(trx, carrier, act, most)
    await asking(trx, carrier, act, many)
    return many
  })
const later = (carrier: Paced, ms: number): Promise<unknown> =>
  database.pool.query(
    `update carrier_budget
    set filled_at = filled_at - $2 * interval '1 millisecond', paused_until = paused_until - $2 * interval '1 millisecond'
    where account = $1`,
    [carrier.account, ms],
  )
const house = (carrier: Paced): WithCarrier =>
  ({ database, carrier, log: { error: () => {}, warn: () => {} } }) as unknown as WithCarrier
const says = (carrier: Paced, outcome: Outcome): Promise<void> => heed(house(carrier), outcome)
const busy = (retryAfterMs?: number): Outcome => ({
  ok: false,
  kind: 'retryable',
  code: '429',
  message: 'Too many',
  ...(retryAfterMs && { retryAfterMs }),
})
const broke: Outcome = { ok: false, kind: 'account', code: '402', message: 'Insufficient funds' }

test('a carrier without a pace is asked as often as there is work', async () => {
  expect(await take(account({ pace: null }), 'buy', 200)).toBe(200)
})

test('labels are taken as long as questions are left, and more come with time', async () => {
  const carrier = account()
  expect(await take(carrier, 'buy')).toBe(9)
  expect(await take(carrier, 'buy')).toBe(0)
  await later(carrier, 6_000)
  expect(await take(carrier, 'buy')).toBe(2)
  await later(carrier, 60 * 60_000)
  expect(await take(carrier, 'buy', 3)).toBe(3)
})

test('what became of labels can be asked when nothing more can be bought, and parcels are followed last', async () => {
  const carrier = account()
  expect(await take(carrier, 'track')).toBe(10)
  expect(await take(carrier, 'buy')).toBe(4)
  expect(await room(carrier, 'track')).toBe(0)
  expect(await room(carrier, 'void')).toBe(1)
  expect(await room(carrier, 'look-up')).toBe(2)
})

test('two processes that take at the same moment never take more than there is', async () => {
  const carrier = account({ callsPerLabel: 1 })
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(carrier, 'buy', 5)))
  expect(taken.reduce((sum, many) => sum + many, 0)).toBe(18)
})

test('the rest that a carrier asks for is kept by everybody, for everything', async () => {
  const carrier = account()
  await says(carrier, busy(5_000))
  await says(carrier, busy(2_000))
  expect(await Promise.all([room(carrier, 'buy'), room(carrier, 'look-up')])).toEqual([0, 0])
  expect(await findRest(database.db, carrier.account)).toMatchObject({ reason: null, since: null })
  await later(carrier, 3_000)
  expect(await room(carrier, 'look-up')).toBe(0)
  await later(carrier, 2_000)
  expect(await room(carrier, 'look-up')).toBeGreaterThan(0)
  expect(await findRest(database.db, carrier.account)).toBeNull()
})

test('a carrier that names no time is not given any', async () => {
  const carrier = account()
  await says(carrier, busy())
  expect(await room(carrier, 'buy')).toBe(9)
})

test('while an account with a problem is tried with one label, the others wait for what it says of that one', async () => {
  const carrier = account()
  await says(carrier, broke)
  await later(carrier, 31_000)
  expect([await take(carrier, 'buy'), await take(carrier, 'buy')]).toEqual([1, 0])
  await later(carrier, 6_000)
  expect([await take(carrier, 'buy'), await take(carrier, 'buy')]).toEqual([1, 0])
  await tx(trx => accountIsWell(trx, carrier))
  expect(await room(carrier, 'buy')).toBeGreaterThan(1)
})

test('with a problem of the account nothing is bought, then one label tries, and a sale ends it', async () => {
  for (const carrier of [account(), account({ pace: null })]) {
    await says(carrier, broke)
    expect(await room(carrier, 'buy')).toBe(0)
    expect(await room(carrier, 'look-up')).toBeGreaterThanOrEqual(0)
    expect(await findRest(database.db, carrier.account)).toMatchObject({
      reason: 'Insufficient funds',
      since: expect.any(Date),
    })
    await later(carrier, 31_000)
    expect(await room(carrier, 'buy')).toBe(1)
    await tx(trx => accountIsWell(trx, carrier))
    expect(await room(carrier, 'buy')).toBeGreaterThan(1)
    expect(await findRest(database.db, carrier.account)).toBeNull()
  }
})
