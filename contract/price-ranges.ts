/** The rule for price ranges of a service, checked by the form and by the server. */
import type { PriceRange } from './catalogue.ts'
import { countText } from './format.ts'
import { fromDollars, usdFromDollars } from './money.ts'

export const PRICE_RANGES_PROBLEM =
  'Invalid price ranges. Please ensure ranges are continuous from 1 to max weight without gaps or overlaps.'

export const PRICE_PROBLEM = 'Each price must be 0 or more, with at most two decimals.'

/** A copy of the ranges, lightest first. */
export const sortPriceRanges = <R extends { fromWeight: number }>(ranges: readonly R[]): R[] =>
  ranges.toSorted((a, b) => a.fromWeight - b.fromWeight)

/**
 * The error of a service's ranges (in any order), or null. Ranges must cover whole pounds from 1 to
 * `maxWeight` without gap or overlap, at prices in whole cents.
 */
export function priceRangesProblem(
  ranges: readonly PriceRange[],
  maxWeight: number,
): string | null {
  let next = 1
  for (const { fromWeight, toWeight } of sortPriceRanges(ranges)) {
    if (!Number.isInteger(toWeight) || fromWeight !== next || toWeight < fromWeight)
      return PRICE_RANGES_PROBLEM
    next = toWeight + 1
  }
  if (next !== maxWeight + 1) return PRICE_RANGES_PROBLEM
  return ranges.every(({ price }) => price >= 0 && fromDollars(price) !== null)
    ? null
    : PRICE_PROBLEM
}

/** '1 to 20 lb', '70 lb'. */
export const poundsText = ({ from, to }: { from: number; to: number }): string =>
  from === to ? `${from} lb` : `${from} to ${to} lb`

/** '1 to 20 lb $5.00, 21 to 70 lb $9.50'; 'none' without any. */
export const priceRangesText = (ranges: readonly PriceRange[]): string =>
  ranges.length === 0
    ? 'none'
    : sortPriceRanges(ranges)
        .map(
          one =>
            `${poundsText({ from: one.fromWeight, to: one.toWeight })} ${usdFromDollars(one.price)}`,
        )
        .join(', ')

const MAX_LISTED_RANGES = 8

/** For people: many ranges, as of a file with a row for each pound, are summed up: '70 weights, $5.35 to $29.50'. */
export function priceRangesSummary(ranges: readonly PriceRange[]): string {
  if (ranges.length <= MAX_LISTED_RANGES) return priceRangesText(ranges)
  const prices = ranges.map(({ price }) => price)
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)].map(usdFromDollars)
  const span = lowest === highest ? lowest! : `${lowest} to ${highest}`
  return `${countText(ranges.length, 'weight')}, ${span}`
}
