// Sandbox tracking numbers begin with 98, which no carrier issues: the postal service uses 91 to
// 95, another carrier 96. So a specimen cannot pass for a paid parcel.
const PREFIX = '98'
const MAILER_ID = '000000'
const SERIAL_DIGITS = 13
const SERIALS = 10n ** BigInt(SERIAL_DIGITS)
const LIVE_PREFIX = /^9[1-5]/

/** The first eight digits of every sandbox number, so these bars are the same on every specimen. */
export const SANDBOX_NUMBER_PREFIX = PREFIX + MAILER_ID

/**
 * Modulo-10 check digit of a package code, weights 3, 1, 3, 1 … from the right. `body`: digits
 * without the check digit.
 */
export function checkDigit(body: string): number {
  let sum = 0
  for (let place = 0; place < body.length; place++) {
    const digit = body.charCodeAt(body.length - 1 - place) - 48
    sum += place % 2 === 0 ? 3 * digit : digit
  }
  return (10 - (sum % 10)) % 10
}

/** Says nothing about who issued the number. */
export function hasValidCheckDigit(code: string): boolean {
  return /^\d{2,}$/.test(code) && checkDigit(code.slice(0, -1)) === Number(code.at(-1))
}

/** The 22-digit number of a serial from 0 to 10^13 - 1. Throws for larger serials. */
export function sandboxTracking(serial: number | bigint): string {
  const value = BigInt(serial)
  if (value < 0n || value >= SERIALS)
    throw new RangeError(`Sandbox serial ${serial} does not fit ${SERIAL_DIGITS} digits`)
  const body = SANDBOX_NUMBER_PREFIX + String(value).padStart(SERIAL_DIGITS, '0')
  return body + checkDigit(body)
}

export function isSandboxTracking(code: string): boolean {
  return code.length === 22 && code.startsWith(SANDBOX_NUMBER_PREFIX) && hasValidCheckDigit(code)
}

/**
 * Throws for any other number. Carrier labels come as files, so drawing a live prefix would print
 * something that looks like postage: an internal error, hence no Refusal.
 */
export function assertSandboxTracking(code: string): void {
  if (LIVE_PREFIX.test(code))
    throw new Error(`Refused to draw ${code}: 91 to 95 are prefixes of live postage`)
  if (!isSandboxTracking(code))
    throw new Error(`Refused to draw ${code}: not a sandbox tracking number`)
}
