import { randomBytes } from 'node:crypto'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { healthCheck } from '#contract/system.ts'
import { testApp } from '#tests/support/app.ts'
import { stopClock } from '#tests/support/stopped-clock.ts'
import { Refusal } from './refusal.ts'
import { networkOf, openRequestLimits } from './request-limits.ts'

const app = await testApp()
const { ctx, database } = app
const CALLS_A_MINUTE = 3_000
// The minute in which requests are counted does not end meanwhile.
afterAll(stopClock())

/** Moves a limit's clock on. */
const wait = (key: string, seconds: number) =>
  database.pool.query(
    `update throttle set resets_at = resets_at - $2 * interval '1 second' where key = $1`,
    [key, seconds],
  )
/** The stored count of an address belongs to a minute of the database's clock, which goes on. */
const keepOpen = (address: string) =>
  database.pool.query(
    `update throttle set resets_at = now() + interval '100 seconds' where key = $1`,
    [`calls:${address}`],
  )
const refusal = async (work: Promise<unknown>): Promise<Refusal> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}

test('attempts are free up to the limit, then one at a time becomes free', async () => {
  const limits = openRequestLimits(ctx)
  const secondsSince = (time: number) => (performance.now() - time) / 1_000
  const begun = performance.now()
  await limits.countAttempt('door', 5, 3_000)
  const counted = performance.now()
  for (let n = 1; n < 5; n++) await limits.countAttempt('door', 5, 3_000)
  const refused = await refusal(limits.countAttempt('door', 5, 3_000))
  expect(refused.code).toBe('rate_limited')
  // One attempt returns per ten minutes; on a slow machine a part of them has passed.
  expect(refused.retryAfter).toBeGreaterThan(600 - secondsSince(begun) - 1)
  expect(refused.retryAfter).toBeLessThanOrEqual(600)
  expect(refused.message).toBe(
    `Too many attempts. Please wait ${Math.ceil(refused.retryAfter! / 60)} minutes and try again.`,
  )
  await wait('door', 520 - secondsSince(counted))
  const soon = await refusal(limits.countAttempt('door', 5, 3_000))
  expect(soon.message).toBe(
    `Too many attempts. Please wait ${soon.retryAfter} seconds and try again.`,
  )
  await wait('door', 81)
  await limits.countAttempt('door', 5, 3_000)
  await refusal(limits.countAttempt('door', 5, 3_000))
  await wait('door', 9_000)
  for (let n = 0; n < 5; n++) await limits.countAttempt('door', 5, 3_000)
})

test('checking a limit counts nothing', async () => {
  const limits = openRequestLimits(ctx)
  for (let n = 0; n < 9; n++) await limits.checkAttempts('look', 1, 3_600)
  await limits.countAttempt('look', 1, 3_600)
  expect((await refusal(limits.checkAttempts('look', 1, 3_600))).code).toBe('rate_limited')
  expect((await refusal(limits.countAttempt('look', 1, 3_600, 'Later, please'))).message).toBe(
    'Later, please',
  )
})

test('of many concurrent attempts only those within the limit pass', async () => {
  const limits = openRequestLimits(ctx)
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, () => limits.countAttempt('crowd', 7, 3_600)),
  )
  expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(7)
})

test('a restart resets neither attempts nor request counts', async () => {
  const before = openRequestLimits(ctx)
  await before.start()
  await before.countAttempt('restart', 1, 600)
  for (let n = 0; n < CALLS_A_MINUTE; n++) before.admit('192.0.2.1')
  await before.stop()
  await keepOpen('192.0.2.1')
  const after = openRequestLimits(ctx)
  await after.start()
  expect((await refusal(after.countAttempt('restart', 1, 600))).retryAfter).toBeGreaterThan(500)
  expect(() => after.admit('192.0.2.1')).toThrow('Too many calls from your address')
  expect(() => after.admit('192.0.2.2')).not.toThrow()
  await after.stop()
})

test('a clock that is set back by an hour locks no caller out', async () => {
  const before = openRequestLimits(ctx)
  await before.start()
  await before.countAttempt('hour back', 1, 600)
  for (let n = 0; n < CALLS_A_MINUTE; n++) before.admit('192.0.2.5')
  await before.stop()
  await wait('hour back', -3_600)
  await wait('calls:192.0.2.5', -3_600)
  const after = openRequestLimits(ctx)
  await after.start()
  await after.checkAttempts('hour back', 1, 600)
  await after.countAttempt('hour back', 1, 600)
  expect((await refusal(after.countAttempt('hour back', 1, 600))).retryAfter).toBeLessThanOrEqual(
    600,
  )
  expect(() => after.admit('192.0.2.5')).not.toThrow()
  await after.stop()
  const { rows } = await database.pool.query(
    `select hits, resets_at < now() + interval '2 minutes' as "isSoon" from throttle where key = 'calls:192.0.2.5'`,
  )
  expect(rows).toEqual([{ hits: 1, isSoon: true }])

  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
  onTestFinished(() => clock.mockRestore())
  for (let n = 0; n < CALLS_A_MINUTE; n++) before.admit('192.0.2.5')
  expect(() => before.admit('192.0.2.5')).toThrow('Too many calls')
})

test('two processes share the count of one address', async () => {
  const [first, second] = [openRequestLimits(ctx), openRequestLimits(ctx)]
  for (let n = 0; n < 2_000; n++) {
    first.admit('192.0.2.3')
    second.admit('192.0.2.3')
  }
  await first.stop()
  await keepOpen('192.0.2.3')
  await second.stop()
  expect(() => second.admit('192.0.2.3')).toThrow('Too many calls')
})

test('too many requests are refused with a time to retry, also without a token', async () => {
  const address = '192.0.2.4'
  const answers = await Promise.all(
    Array.from({ length: CALLS_A_MINUTE }, () => app.call(verifySession, {}, undefined, address)),
  )
  expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([401]))
  const { status, headers, body } = await app.call(verifySession, {}, undefined, address)
  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(body.error).toBe(body.message)
  expect((await app.call(healthCheck, {})).status).toBe(200)
})

test('an address forwarded by an untrusted proxy does not count', async () => {
  const ask = (address: string) =>
    app.send({
      method: 'GET',
      url: '/api/auth/verify',
      headers: { 'x-forwarded-for': address },
      remoteAddress: '192.0.2.4',
    })
  expect((await ask('192.0.2.99')).statusCode).toBe(429)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the address %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('forwarded text that is not an address breaks no request and no saving of counts', async () => {
  const limits = openRequestLimits(ctx)
  const forged = randomBytes(6_000).toString('hex')
  await limits.countAttempt(`forged:${networkOf(forged)}`, 5, 300)
  limits.admit(forged)
  limits.admit('198.51.100.9')
  await limits.stop()
  const { rows } = await database.pool.query(
    `select hits from throttle where key = 'calls:198.51.100.9'`,
  )
  expect(rows).toEqual([{ hits: 1 }])
})
