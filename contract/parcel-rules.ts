/** What the postal service accepts, on the pages, in quotes, and before a label is bought. */
import type { FieldFault } from './faults.ts'
import { numberText } from './format.ts'

/** Inches. */
export type ParcelSides = { length: number; width: number; height: number }

type SizeLimit = { name: string; lengthPlusGirth: number }

/**
 * In inches, by service uid. Source: EasyPost's published USPS metadata. A service without an entry
 * has no known limit.
 */
const SIZE_LIMITS: Record<string, SizeLimit> = {
  'usps:GROUND_ADVANTAGE': { name: 'USPS Ground Advantage', lengthPlusGirth: 130 },
  'usps:PRIORITY_MAIL': { name: 'USPS Priority Mail', lengthPlusGirth: 108 },
  'usps:PRIORITY_MAIL_EXPRESS': { name: 'USPS Priority Mail Express', lengthPlusGirth: 108 },
}

/** In lb. Carriers take tenths of an ounce; less is a typing error. */
const MIN_WEIGHT = 0.01

export const TOO_LIGHT = {
  code: 'weight_too_low',
  text: `Weight must be at least ${MIN_WEIGHT} lb`,
} satisfies FieldFault

/** `weight` in lb. */
export const isTooLight = (weight: number): boolean => weight < MIN_WEIGHT

/**
 * The longest side plus the girth, which is twice the sum of the other two; in inches, to
 * thousandths.
 */
export function lengthPlusGirth({ length, width, height }: ParcelSides): number {
  const inches = 2 * (length + width + height) - Math.max(length, width, height)
  return Math.round(inches * 1000) / 1000
}

/** Why a service does not take a parcel of this size, with the figure that breaks the rule; else null. */
export function sizeFault(serviceUid: string, sides: ParcelSides): FieldFault | null {
  const limit = SIZE_LIMITS[serviceUid]
  if (!limit) return null
  const inches = lengthPlusGirth(sides)
  return inches > limit.lengthPlusGirth
    ? {
        code: 'size_too_large',
        text: `Length plus girth is ${numberText(inches)} in; ${limit.name} takes at most ${limit.lengthPlusGirth} in`,
      }
    : null
}

/** The first rule that a parcel breaks; null if the service takes it. `weight` in lb. */
export const parcelFault = (
  serviceUid: string,
  parcel: ParcelSides & { weight: number },
): FieldFault | null => (isTooLight(parcel.weight) ? TOO_LIGHT : sizeFault(serviceUid, parcel))
