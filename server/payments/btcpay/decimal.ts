/** Exact decimals for BTCPay's amounts of up to 28 digits, which no double can hold. Pure. */
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'

/** `units` times ten to the power of minus `scale`. */
export type Decimal = { units: bigint; scale: number }

const DECIMAL_PATTERN = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?$/

/** Null for anything but a plain decimal. */
export function parseDecimal(text: string): Decimal | null {
  const [, sign, whole = '', part = ''] = DECIMAL_PATTERN.exec(text) ?? []
  if (sign === undefined) return null
  const units = BigInt(whole + part)
  return { units: sign === '-' ? -units : units, scale: part.length }
}

export const ZERO_DECIMAL: Decimal = { units: 0n, scale: 0 }

const unitsAtScale = ({ units, scale }: Decimal, targetScale: number): bigint =>
  units * 10n ** BigInt(targetScale - scale)

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { units: unitsAtScale(a, scale) + unitsAtScale(b, scale), scale }
}

export const minus = (a: Decimal, b: Decimal): Decimal => plus(a, { ...b, units: -b.units })

export const times = (a: Decimal, b: Decimal): Decimal => ({
  units: a.units * b.units,
  scale: a.scale + b.scale,
})

/**
 * Dollars to cents, rounded down; negative amounts are 0. Null above the exact range of a number.
 */
export function floorToCents({ units, scale }: Decimal): Cents | null {
  if (units <= 0n) return cents(0)
  const whole = (units * 100n) / 10n ** BigInt(scale)
  return whole <= BigInt(Number.MAX_SAFE_INTEGER) ? cents(Number(whole)) : null
}
