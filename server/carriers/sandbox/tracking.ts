// Tracking numbers of the sandbox. They begin with 98, which no carrier issues: the postal service sells under 91 to 95,
// and 96 belongs to another one. So a specimen cannot be taken for a parcel that somebody paid for.
const PREFIX = '98'
const MAILER_ID = '000000'
const SERIAL_DIGITS = 13
const SERIALS = 10n ** BigInt(SERIAL_DIGITS)
const LIVE_PREFIX = /^9[1-5]/

/** What every sandbox number begins with: the same eight digits, so their bars are the same on every specimen. */
export const SANDBOX_NUMBER_PREFIX = PREFIX + MAILER_ID

/** The modulo-10 check digit of a package code: weights 3, 1, 3, 1 … from the right. `body` is digits only, without it. */
export function checkDigit(body: string): number {
  let sum = 0
  for (let place = 0; place < body.length; place++) {
    const digit = body.charCodeAt(body.length - 1 - place) - 48
    sum += place % 2 === 0 ? 3 * digit : digit
  }
  return (10 - (sum % 10)) % 10
}

/** Whether the last digit is the check digit of those before it. Says nothing about who issued the number. */
export function hasValidCheckDigit(code: string): boolean {
  return /^\d{2,}$/.test(code) && checkDigit(code.slice(0, -1)) === Number(code.at(-1))
}

/** The 22-digit sandbox number of a serial from 0 to 10^13 - 1. A serial beyond is our fault and throws. */
export function sandboxTracking(serial: number | bigint): string {
  const value = BigInt(serial)
  if (value < 0n || value >= SERIALS)
    throw new RangeError(`Sandbox serial ${serial} does not fit ${SERIAL_DIGITS} digits`)
  const body = SANDBOX_NUMBER_PREFIX + String(value).padStart(SERIAL_DIGITS, '0')
  return body + checkDigit(body)
}

/** Whether the sandbox could have issued this number. */
export function isSandboxTracking(code: string): boolean {
  return code.length === 22 && code.startsWith(SANDBOX_NUMBER_PREFIX) && hasValidCheckDigit(code)
}

/**
 * Stops the drawing of anything but a sandbox number. Labels of a real carrier come as the carrier's own file, so a live
 * prefix here means that somebody is about to print something that looks like postage: our fault, hence no Refusal.
 */
export function assertSandboxTracking(code: string): void {
  if (LIVE_PREFIX.test(code))
    throw new Error(`Refused to draw ${code}: 91 to 95 are prefixes of live postage`)
  if (!isSandboxTracking(code))
    throw new Error(`Refused to draw ${code}: not a sandbox tracking number`)
}
