/** When the operator's word may stand for a carrier's, and what he may say. Pure. */
import { hasValidCheckDigit, isSandboxTracking } from '#server/carriers/sandbox/tracking.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Look-ups have had their time: ten of them at least, and some after the time in which 'not sold' is not believed. */
export const labelResolvableAfterMs = (quarantineMs: number): number =>
  Math.max(10 * MINUTE_MS, quarantineMs + 5 * MINUTE_MS)

/**
 * How long after it was asked for a void may be ended by hand. One that the carrier has taken is decided within weeks: EasyPost names 15
 * days for refunds by the postal service, the longest time that anybody names. One that it has not even taken is answered in seconds.
 */
export const voidResolvableAfterMs = (isSubmitted: boolean): number =>
  isSubmitted ? 15 * DAY_MS : DAY_MS

/** A tracking number as it is kept: without the spaces with which people write it, and without the ZIP code that scanners put before. */
export const normalizeTracking = (text: string): string =>
  text
    .replace(/[\s-]+/g, '')
    .toUpperCase()
    .replace(/^420(?:\d{5}|\d{9})(?=9\d{19,21}$)/, '')

/** What is wrong with a tracking number; null where the carrier may have given it. The sandbox has numbers of its own. */
export function trackingProblem(tracking: string, isSandbox: boolean): string | null {
  if (tracking === '') return 'Please enter the tracking number'
  if (isSandbox)
    return isSandboxTracking(tracking)
      ? null
      : 'This is not a number of the sandbox: those begin with 98'
  const isPostal = /^[A-Z]{2}\d{9}US$/.test(tracking)
    ? hasS10CheckDigit(tracking)
    : /^9[1-5]\d{18,20}$/.test(tracking) && hasValidCheckDigit(tracking)
  return isPostal
    ? null
    : 'This is not a tracking number of the postal service: 20 to 22 digits that begin with 91 to 95, or '
        + 'like EA123456785US'
}

const S10_WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7]

/** The check digit of a number with letters around, such as EA123456785US (UPU S10). */
function hasS10CheckDigit(tracking: string): boolean {
  const sum = S10_WEIGHTS.reduce((total, weight, n) => total + weight * Number(tracking[2 + n]), 0)
  const rest = 11 - (sum % 11)
  return Number(tracking[10]) === (rest === 10 ? 0 : rest === 11 ? 5 : rest)
}

/** What the customer reads beside a label that was ended by hand. */
export const NOT_SOLD = 'The carrier did not sell this label'
export const NOT_PAID_BACK = 'The carrier did not pay it back'
