/** When a message is tried again, and when an endpoint is paused or switched off. */
import type { Fault } from '#contract/refusals.ts'
import { MAX_WEBHOOK_URL } from '#contract/webhooks.ts'
import type { TryOutcome } from '#contract/webhooks.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** After the first try, the second, and so on; the last wait is followed by the last try. */
const WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
export const MAX_TRIES = WAITS_MS.length + 1
/** So that messages which failed together do not come together again. */
const JITTER = 0.1

/** An endpoint without any success for so long is switched off. The tries of a message take longer. */
const DEAD_MS = 72 * HOUR_MS
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS
/** Failures in a row before other messages wait for the endpoint too. */
const FAILURES_BEFORE_PAUSE = 3
const FIRST_PAUSE_MS = 5 * SECOND_MS
const MAX_PAUSE_MS = 5 * MINUTE_MS
/** The endpoint, or what stands before it, has too much to do. */
const SLOW_DOWN: readonly (number | null)[] = [429, 502, 504]

/**
 * `status`: of HTTP, null without an answer. `retryAfterMs`: what the endpoint asked for. Moments are
 * in ms since 1970.
 */
export type TryResult = {
  outcome: TryOutcome
  status: number | null
  answer: string | null
  retryAfterMs: number | null
  at: number
  durationMs: number
}

export type NextStep = { state: 'delivered' | 'failed' } | { state: 'waiting'; waitMs: number }

/** `tries`: of the schedule, this one included. `random`: 0 to 1. */
export function nextStep(
  { outcome, retryAfterMs }: TryResult,
  tries: number,
  random: number,
): NextStep {
  if (outcome === 'delivered') return { state: 'delivered' }
  const waitMs = WAITS_MS[tries - 1]
  if (outcome === 'gone' || waitMs === undefined) return { state: 'failed' }
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
  return { state: 'waiting', waitMs: Math.max(waitMs * (1 + JITTER * random), asked) }
}

/** `failingSince`: the first failure after the last success. */
export type EndpointHealth = {
  failuresInRow: number
  failingSince: number | null
  pausedUntil: number | null
}

export const HEALTHY: EndpointHealth = { failuresInRow: 0, failingSince: null, pausedUntil: null }

/** The health after results in the order in which they came. */
export function healthAfter(
  before: EndpointHealth,
  results: readonly TryResult[],
): EndpointHealth & { off: 'gone' | 'dead' | null } {
  let health = before
  for (const result of results) {
    if (result.outcome === 'delivered') {
      health = HEALTHY
      continue
    }
    if (result.outcome === 'gone') return { ...health, off: 'gone' }
    const failuresInRow = health.failuresInRow + 1
    const endedAt = result.at + result.durationMs
    const failingSince = health.failingSince ?? result.at
    const pauseMs = pauseAfter(result, failuresInRow)
    const pausedUntil = pauseMs === 0 ? health.pausedUntil : endedAt + pauseMs
    health = { failuresInRow, failingSince, pausedUntil }
    if (failuresInRow >= MAX_TRIES && endedAt - failingSince >= DEAD_MS)
      return { ...health, off: 'dead' }
  }
  return { ...health, off: null }
}

/** Milliseconds for which no message is sent. Of a single message it delays no try of the schedule. */
function pauseAfter({ status, retryAfterMs }: TryResult, failuresInRow: number): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)
  const over = SLOW_DOWN.includes(status)
    ? failuresInRow - 1
    : failuresInRow - FAILURES_BEFORE_PAUSE
  return over < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** over, MAX_PAUSE_MS)
}

export function outcomeOfAnswer(status: number): TryOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirected' : 'refused'
}

/** `header`: seconds or an HTTP date. `now` in ms since 1970. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

export type UrlRules = { allowsLoopback: boolean; isAllowedHost: (host: string) => boolean }

/**
 * The URL as it is stored, or what is wrong with it. A name may still lead to an address that is not
 * allowed: that is checked when a message is sent.
 */
export function checkUrl(
  given: string,
  { allowsLoopback, isAllowedHost }: UrlRules,
): { url: string } | { fault: Fault } {
  const text = given.trim()
  if (text === '') return { fault: { code: 'required', text: 'URL is required' } }
  if (text.length > MAX_WEBHOOK_URL)
    return {
      fault: {
        code: 'too_long',
        text: `URL must have at most ${MAX_WEBHOOK_URL.toLocaleString('en-US')} characters`,
      },
    }
  const malformed = (problem: string) => ({ fault: { code: 'malformed' as const, text: problem } })
  if (!URL.canParse(text)) return malformed('URL must be an address like https://example.com/hooks')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowsLoopback && url.protocol === 'http:'))
    return malformed('URL must begin with https://')
  if (url.username !== '' || url.password !== '')
    return malformed('URL must have no user name or password; verify the signature instead')
  url.hash = ''
  const isLoopback = allowsLoopback && isLoopbackHost(url.hostname)
  if (url.protocol === 'http:' && !isLoopback)
    return malformed('URL must begin with https://; http is for this machine alone')
  if (!isLoopback && (isLoopbackHost(url.hostname) || !isAllowedHost(url.hostname)))
    return {
      fault: {
        code: 'address_not_allowed',
        text: `${url.hostname} is a private or local address; use one that the internet can reach`,
      },
    }
  return { url: url.href }
}

/** `host`: as URL.hostname gives it, with brackets around an IPv6 address. */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host)
