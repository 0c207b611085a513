/** Time-based one-time passwords: RFC 6238 with SHA-1, six digits and steps of 30 seconds, as apps read them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { PRODUCT } from '#contract/product.ts'
import { toBase32 } from './base32.ts'

/** 160 bits, the length of the hash (RFC 4226, 4). */
export const TOTP_SECRET_BYTES = 20
const STEP_SECONDS = 30
const DIGITS = 6
/** Clocks of phones differ: a code of the step before or after counts too. */
const TOLERATED_STEPS = [0, -1, 1]

export const totpStep = (seconds: number): number => Math.floor(seconds / STEP_SECONDS)

/** RFC 4226, 5.3: the dynamic truncation of an HMAC over the number of the step. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.at(-1)! & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * The step of a typed code, null for a wrong one. `lastStep`: the last step that was accepted; it
 * and those before are refused, so that a code that was overheard cannot be used again.
 */
export function acceptedTotpStep(
  secret: Buffer,
  typed: string,
  seconds: number,
  lastStep: number,
): number | null {
  const code = Buffer.from(typed.replace(/[\s-]/g, ''))
  if (code.length !== DIGITS) return null
  const now = totpStep(seconds)
  const matches = TOLERATED_STEPS.map(shift => now + shift).filter(step =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), code),
  )
  return matches.find(step => step > lastStep) ?? null
}

/** The secret as text for typing, and as the address that the QR code carries. */
export function describeTotp(secret: Buffer, email: string): { secret: string; uri: string } {
  const text = toBase32(secret)
  const label = `${PRODUCT}:${email}`
  const query = new URLSearchParams({ secret: text, issuer: PRODUCT })
  return { secret: text, uri: `otpauth://totp/${encodeURIComponent(label)}?${query}` }
}
