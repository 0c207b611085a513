import { expect, test } from 'vitest'
import { isAllowedHost } from './outgoing/addresses.ts'
import {
  checkUrl,
  healthAfter,
  HEALTHY,
  MAX_TRIES,
  nextStep,
  outcomeOfAnswer,
  retryAfterMs,
} from './rules.ts'
import type { TryResult } from './rules.ts'

const HOUR = 3_600_000
const resultOf = (status: number | null, at = 0, asked: number | null = null): TryResult => ({
  outcome: status === null ? 'unreachable' : outcomeOfAnswer(status),
  status,
  answer: null,
  retryAfterMs: asked,
  at,
  durationMs: 0,
})

test('a message is tried ten times within four days: at once, after 5 s, 5 min, and so on to 24 h', () => {
  const waits: number[] = []
  for (let tries = 1; ; tries++) {
    const next = nextStep(resultOf(500), tries, 0)
    if (!('waitMs' in next)) break
    waits.push(next.waitMs)
  }
  expect(waits.map(ms => ms / 1000)).toEqual([
    5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
  ])
  expect(nextStep(resultOf(500), MAX_TRIES, 0)).toEqual({ state: 'failed' })
  expect(nextStep(resultOf(500), 2, 1)).toEqual({ state: 'waiting', waitMs: 330_000 })
})

test('only 2xx is a success; a redirect is not followed, 410 ends the message', () => {
  expect([200, 204, 299, 301, 307, 400, 404, 410, 500].map(outcomeOfAnswer)).toEqual([
    'delivered',
    'delivered',
    'delivered',
    'redirected',
    'redirected',
    'refused',
    'refused',
    'gone',
    'refused',
  ])
  expect(nextStep(resultOf(204), 1, 0)).toEqual({ state: 'delivered' })
  expect(nextStep(resultOf(410), 1, 0)).toEqual({ state: 'failed' })
})

test('Retry-After is waited for, as seconds or as a date, up to a day', () => {
  expect(retryAfterMs('120', 0)).toBe(120_000)
  expect(retryAfterMs('Thu, 01 Jan 1970 00:01:00 GMT', 20_000)).toBe(40_000)
  expect(retryAfterMs('soon', 0)).toBeNull()
  expect(nextStep(resultOf(503, 0, 600_000), 1, 0)).toEqual({ state: 'waiting', waitMs: 600_000 })
  expect(nextStep(resultOf(503, 0, 99 * HOUR), 1, 0)).toEqual({
    state: 'waiting',
    waitMs: 24 * HOUR,
  })
  expect(healthAfter(HEALTHY, [resultOf(503, 1_000, 60_000)]).pausedUntil).toBe(61_000)
})

test('an endpoint that asks for time or fails three times in a row is paused, up to five minutes', () => {
  expect(healthAfter(HEALTHY, [resultOf(500), resultOf(500)]).pausedUntil).toBeNull()
  expect(healthAfter(HEALTHY, [resultOf(429)]).pausedUntil).toBe(5_000)
  const three = [resultOf(null), resultOf(500), resultOf(500)]
  expect(healthAfter(HEALTHY, three).pausedUntil).toBe(5_000)
  const many = Array.from({ length: 30 }, () => resultOf(500))
  expect(healthAfter(HEALTHY, many).pausedUntil).toBe(300_000)
  expect(healthAfter(healthAfter(HEALTHY, many), [resultOf(200)])).toEqual({
    ...HEALTHY,
    off: null,
  })
})

test('a pause delays no try of a single message', () => {
  let health = HEALTHY
  let at = 0
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    const result = resultOf(504, at)
    health = healthAfter(health, [result])
    const next = nextStep(result, tries, 0)
    if ('waitMs' in next) at += next.waitMs
    expect(health.pausedUntil).toBeLessThanOrEqual(at)
  }
})

test('an endpoint that fails for three days is switched off with the last try, not before', () => {
  let health = { ...HEALTHY, off: null as 'gone' | 'dead' | null }
  let at = 0
  const offs: (string | null)[] = []
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const result = resultOf(500, at)
    health = healthAfter(health, [result])
    offs.push(health.off)
    const next = nextStep(result, tries, 0)
    if ('waitMs' in next) at += next.waitMs
  }
  expect(offs.lastIndexOf(null)).toBe(MAX_TRIES - 2)
  expect(offs.at(-1)).toBe('dead')
  const recovered = healthAfter({ failuresInRow: 30, failingSince: 0, pausedUntil: null }, [
    resultOf(200, 80 * HOUR),
    resultOf(500, 81 * HOUR),
  ])
  expect(recovered).toMatchObject({ off: null, failuresInRow: 1, failingSince: 81 * HOUR })
  expect(healthAfter(HEALTHY, [resultOf(410)]).off).toBe('gone')
})

const check = (url: string, allowsLoopback = false) =>
  checkUrl(url, { allowsLoopback, isAllowedHost: host => isAllowedHost(host, allowsLoopback) })

test('a webhook has an https address on the internet, without a password in it', () => {
  expect(check(' https://Example.com/hooks?a=1#part ')).toEqual({
    url: 'https://example.com/hooks?a=1',
  })
  for (const [url, code] of [
    ['', 'required'],
    ['example.com/hooks', 'malformed'],
    ['http://example.com', 'malformed'],
    ['ftp://example.com', 'malformed'],
    ['https://me:secret@example.com', 'malformed'],
    [`https://example.com/${'a'.repeat(2_000)}`, 'too_long'],
    ['https://localhost/', 'address_not_allowed'],
    ['https://api.localhost/', 'address_not_allowed'],
    ['https://127.1/', 'address_not_allowed'],
    ['https://0x7f000001/', 'address_not_allowed'],
    ['https://2130706433/', 'address_not_allowed'],
    ['https://10.1.2.3/', 'address_not_allowed'],
    ['https://169.254.169.254/latest/meta-data', 'address_not_allowed'],
    ['https://[::1]/', 'address_not_allowed'],
    ['https://[::ffff:10.0.0.1]/', 'address_not_allowed'],
    ['https://[fd00::1]/', 'address_not_allowed'],
  ] as const)
    expect([url, check(url)]).toEqual([url, { fault: expect.objectContaining({ code }) }])
})

test('in a sandbox that allows it, messages may go to this machine, and only there by http', () => {
  expect(check('http://127.0.0.1:4000/hooks', true)).toEqual({ url: 'http://127.0.0.1:4000/hooks' })
  expect(check('http://localhost:4000', true)).toEqual({ url: 'http://localhost:4000/' })
  expect(check('http://example.com', true)).toHaveProperty('fault.code', 'malformed')
  expect(check('https://10.0.0.1', true)).toHaveProperty('fault.code', 'address_not_allowed')
})
