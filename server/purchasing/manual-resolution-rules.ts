import { hasValidCheckDigit, isSandboxTracking } from '#server/carriers/sandbox/tracking.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Time for at least ten look-ups, and some after the quarantine. */
export const labelResolvableAfterMs = (quarantineMs: number): number =>
  Math.max(10 * MINUTE_MS, quarantineMs + 5 * MINUTE_MS)

/**
 * EasyPost documents 15 days for refunds by the postal service, the longest documented time. A
 * carrier normally accepts a void within seconds.
 */
export const voidResolvableAfterMs = (isSubmitted: boolean): number =>
  isSubmitted ? 15 * DAY_MS : DAY_MS

/** Barcode scanners put the ZIP code before the number. */
export const normalizeTracking = (text: string): string =>
  text
    .replace(/[\s-]+/g, '')
    .toUpperCase()
    .replace(/^420(?:\d{5}|\d{9})(?=9\d{19,21}$)/, '')

/** Null if the carrier may have issued the number. */
export function trackingProblem(tracking: string, isSandbox: boolean): string | null {
  if (tracking === '') return 'Please enter the tracking number'
  if (isSandbox)
    return isSandboxTracking(tracking)
      ? null
      : 'This is not a sandbox tracking number. Those begin with 98.'
  const isPostal = /^[A-Z]{2}\d{9}US$/.test(tracking)
    ? hasS10CheckDigit(tracking)
    : /^9[1-5]\d{18,20}$/.test(tracking) && hasValidCheckDigit(tracking)
  return isPostal
    ? null
    : 'This is not a USPS tracking number. It has 20 to 22 digits and begins with 91 to 95, or looks like '
        + 'EA123456785US.'
}

const S10_WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7]

/** UPU S10, such as EA123456785US. */
function hasS10CheckDigit(tracking: string): boolean {
  const sum = S10_WEIGHTS.reduce((total, weight, n) => total + weight * Number(tracking[2 + n]), 0)
  const rest = 11 - (sum % 11)
  return Number(tracking[10]) === (rest === 10 ? 0 : rest === 11 ? 5 : rest)
}

/** Customers see these reasons. */
export const NOT_SOLD = 'The carrier did not sell this label'
export const USED_AFTER_VOID = 'The carrier scanned it after its void, so it was used'
export const NOT_PAID_BACK = 'The carrier did not pay it back'
