import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import {
  allowTryDuringPause,
  findPause,
  lockLosses,
  pauseForAdministrator,
} from './budget-store.ts'
import type { Carrier, PurchaseResult } from './port.ts'
import { clearPause, recordCalls, applyBackoff, availableCalls } from './rate-limit.ts'
import type { CarrierAction } from './rate-limit.ts'
import type { CarrierContext } from './service.ts'

const database = await testDatabase()
const { tx } = database

type RateLimitedCarrier = Pick<Carrier, 'account' | 'rateLimit' | 'callsPerLabel' | 'callsPerVoid'>
let accounts = 0
const account = (options: Partial<RateLimitedCarrier> = {}): RateLimitedCarrier => ({
  account: `test:${++accounts}`,
  rateLimit: { perMinute: 60, burst: 20 },
  callsPerLabel: 2,
  ...options,
})

/** Less than a probe may take, which is 5 s. */
const PROBE_MS = 4_000

/** One call every two minutes: none comes back while a test runs. */
const SLOW = { perMinute: 1, burst: 20 }

const availableNow = (
  carrier: RateLimitedCarrier,
  act: CarrierAction,
  most = 100,
): Promise<number> => tx(trx => availableCalls(trx, carrier, act, most))
const takeCalls = (carrier: RateLimitedCarrier, act: CarrierAction, most = 100): Promise<number> =>
  tx(async trx => {
    const many = await availableCalls(trx, carrier, act, most)
    await recordCalls(trx, carrier, act, many)
    return many
  })
const letTimePass = (carrier: RateLimitedCarrier, ms: number): Promise<unknown> =>
  database.pool.query(
    `update carrier_budget
    set filled_at = filled_at - $2 * interval '1 millisecond', paused_until = paused_until - $2 * interval '1 millisecond'
    where account = $1`,
    [carrier.account, ms],
  )
const logged: unknown[] = []
const ctx = (carrier: RateLimitedCarrier): CarrierContext =>
  ({
    database,
    carrier,
    log: { error: (facts: unknown) => logged.push(facts), warn: () => {} },
  }) as unknown as CarrierContext
const applyResult = (carrier: RateLimitedCarrier, outcome: PurchaseResult): Promise<void> =>
  applyBackoff(ctx(carrier), outcome)
const busyResult = (retryAfterMs?: number): PurchaseResult => ({
  ok: false,
  kind: 'retryable',
  code: '429',
  message: 'Too many',
  ...(retryAfterMs && { retryAfterMs }),
})
const noFunds: PurchaseResult = {
  ok: false,
  kind: 'account',
  code: '402',
  message: 'Insufficient funds',
}

test('a carrier without a rate limit is called as often as there is work', async () => {
  expect(await takeCalls(account({ rateLimit: null }), 'buy', 200)).toBe(200)
})

test('labels are claimed while calls are available, and more become available with time', async () => {
  const carrier = account({ rateLimit: SLOW })
  expect(await takeCalls(carrier, 'buy')).toBe(9)
  expect(await takeCalls(carrier, 'buy')).toBe(0)
  await letTimePass(carrier, 8 * 60_000)
  expect(await takeCalls(carrier, 'buy')).toBe(2)
  await letTimePass(carrier, 60 * 60_000)
  expect(await takeCalls(carrier, 'buy', 3)).toBe(3)
})

test('a void counts with all its calls, so that many voids keep the limit too', async () => {
  const carrier = account({ rateLimit: SLOW, callsPerVoid: 2 })
  expect(await takeCalls(carrier, 'void')).toBe(9)
  expect(await availableNow(carrier, 'look-up')).toBe(2)
})

test('lookups still run when purchases must wait, and tracking comes last', async () => {
  const carrier = account({ rateLimit: SLOW })
  expect(await takeCalls(carrier, 'track')).toBe(10)
  expect(await takeCalls(carrier, 'buy')).toBe(4)
  expect(await availableNow(carrier, 'track')).toBe(0)
  expect(await availableNow(carrier, 'void')).toBe(1)
  expect(await availableNow(carrier, 'look-up')).toBe(2)
})

test('a pause that an administrator must end stops purchases only, and neither time nor a sale ends it', async () => {
  const carrier = account()
  await tx(async trx => {
    await lockLosses(trx, carrier.account)
    await pauseForAdministrator(trx, carrier.account, 'Losses')
  })
  await applyResult(carrier, noFunds)
  await tx(trx => clearPause(trx, carrier))
  await letTimePass(carrier, 60 * 60_000)
  expect(await availableNow(carrier, 'buy')).toBe(0)
  expect(await availableNow(carrier, 'look-up')).toBeGreaterThan(0)
  expect(await availableNow(carrier, 'void')).toBeGreaterThan(0)
  expect(await findPause(database.db, carrier.account)).toMatchObject({ reason: 'Losses' })
  await tx(trx => allowTryDuringPause(trx, carrier.account))
  expect(await availableNow(carrier, 'buy')).toBeGreaterThan(0)
  expect(await findPause(database.db, carrier.account)).toBeNull()
})

test('two processes that claim at the same moment never exceed the limit', async () => {
  const carrier = account({ callsPerLabel: 1, rateLimit: SLOW })
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeCalls(carrier, 'buy', 5)))
  expect(taken.reduce((sum, many) => sum + many, 0)).toBe(18)
})

test('a pause that the carrier requests applies to all processes and all calls', async () => {
  const carrier = account()
  await applyResult(carrier, busyResult(500_000))
  await applyResult(carrier, busyResult(200_000))
  expect(
    await Promise.all([availableNow(carrier, 'buy'), availableNow(carrier, 'look-up')]),
  ).toEqual([0, 0])
  expect(await findPause(database.db, carrier.account)).toMatchObject({ reason: null, since: null })
  await letTimePass(carrier, 300_000)
  expect(await availableNow(carrier, 'look-up')).toBe(0)
  await letTimePass(carrier, 200_000)
  expect(await availableNow(carrier, 'look-up')).toBeGreaterThan(0)
  expect(await findPause(database.db, carrier.account)).toBeNull()
})

test('a clock that is set back by a day stops no calls: they come back at the usual pace', async () => {
  const carrier = account({ rateLimit: SLOW })
  expect(await takeCalls(carrier, 'buy')).toBe(9)
  await applyResult(carrier, busyResult(60_000))
  await letTimePass(carrier, -24 * 60 * 60_000)
  expect(await takeCalls(carrier, 'look-up')).toBe(0)
  await letTimePass(carrier, 8 * 60_000)
  expect(await takeCalls(carrier, 'look-up')).toBe(6)
})

test('the pause of one account is no pause of another', async () => {
  const [paused, other] = [account(), account()]
  await tx(trx => lockLosses(trx, other.account))
  await applyResult(paused, noFunds)
  expect(await findPause(database.db, paused.account)).toMatchObject({
    reason: 'Insufficient funds',
  })
  expect(await findPause(database.db, other.account)).toBeNull()
})

test('a problem of an account is logged once, with its account, until the carrier names another one', async () => {
  const carrier = account()
  const { account: name } = carrier
  const linesOf = () => logged.filter(one => (one as { account: string }).account === name)
  await Promise.all(Array.from({ length: 20 }, () => applyResult(carrier, noFunds)))
  expect(linesOf()).toEqual([{ account: name, reason: 'Insufficient funds' }])
  await applyResult(carrier, { ...noFunds, message: 'The account is closed' })
  await tx(trx => clearPause(trx, carrier))
  await applyResult(carrier, noFunds)
  expect(linesOf()).toHaveLength(3)
})

test('without a Retry-After there is no pause', async () => {
  const carrier = account()
  await applyResult(carrier, busyResult())
  expect(await availableNow(carrier, 'buy')).toBe(9)
})

test('while one label probes an account with a problem, the others wait for its result', async () => {
  let carrier = account()
  let isLate = false
  const takeTwice = async (): Promise<number[]> => {
    const began = performance.now()
    const taken = [await takeCalls(carrier, 'buy'), await takeCalls(carrier, 'buy')]
    isLate ||= performance.now() - began > PROBE_MS
    return taken
  }
  const takeTwoProbes = async (): Promise<number[][]> => {
    await applyResult(carrier, noFunds)
    await letTimePass(carrier, 31_000)
    const first = await takeTwice()
    await letTimePass(carrier, 6_000)
    return [first, await takeTwice()]
  }
  let taken = await takeTwoProbes()
  // A slow machine takes the second call when the time of the probe is over; then another account is tried.
  for (let tries = 1; tries < 5 && isLate; tries++) {
    carrier = account()
    isLate = false
    taken = await takeTwoProbes()
  }
  expect(taken).toEqual([
    [1, 0],
    [1, 0],
  ])
  await tx(trx => clearPause(trx, carrier))
  expect(await availableNow(carrier, 'buy')).toBeGreaterThan(1)
})

test('with an account problem nothing is bought, then one label probes, and a sale ends the problem', async () => {
  for (const carrier of [account(), account({ rateLimit: null })]) {
    await applyResult(carrier, noFunds)
    // The pause of 30 s lasts until the test has looked, however slow the machine is.
    await letTimePass(carrier, -300_000)
    expect(await availableNow(carrier, 'buy')).toBe(0)
    expect(await availableNow(carrier, 'look-up')).toBeGreaterThanOrEqual(0)
    expect(await findPause(database.db, carrier.account)).toMatchObject({
      reason: 'Insufficient funds',
      since: expect.any(Date),
    })
    await letTimePass(carrier, 331_000)
    expect(await availableNow(carrier, 'buy')).toBe(1)
    await tx(trx => clearPause(trx, carrier))
    expect(await availableNow(carrier, 'buy')).toBeGreaterThan(1)
    expect(await findPause(database.db, carrier.account)).toBeNull()
  }
})
