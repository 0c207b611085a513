/**
 * The rule for the price ranges of a service (specification, 5). Asked by the server before it stores prices and by the form
 * before it sends them.
 */
import type { PriceRange } from './catalogue.ts'
import { fromDollars } from './money.ts'

/** The alert of the specification, 5. */
export const RANGES_PROBLEM =
  'Invalid price ranges. Please ensure ranges are continuous from 1 to max weight without gaps or overlaps.'

export const PRICE_PROBLEM = 'Each price must be 0 or more, with at most two decimals.'

/** A copy of the ranges, lightest first. */
export const sortRanges = <R extends { fromWeight: number }>(ranges: readonly R[]): R[] =>
  ranges.toSorted((a, b) => a.fromWeight - b.fromWeight)

/**
 * What is wrong with a service's ranges in any order, or null: whole pounds, from 1 to `maxWeight` without gap or overlap, and
 * prices in whole cents.
 */
export function checkRanges(ranges: readonly PriceRange[], maxWeight: number): string | null {
  let next = 1
  for (const { fromWeight, toWeight } of sortRanges(ranges)) {
    if (!Number.isInteger(toWeight) || fromWeight !== next || toWeight < fromWeight) return RANGES_PROBLEM
    next = toWeight + 1
  }
  if (next !== maxWeight + 1) return RANGES_PROBLEM
  return ranges.every(({ price }) => price >= 0 && fromDollars(price) !== null) ? null : PRICE_PROBLEM
}

/** The range that 'Add range' adds: behind the heaviest one up to the maximum, at no price yet; null when the maximum is reached. */
export function nextRange(ranges: readonly PriceRange[], maxWeight: number): PriceRange | null {
  const reached = Math.max(0, ...ranges.map(range => range.toWeight))
  return reached >= maxWeight ? null : { fromWeight: reached + 1, toWeight: maxWeight, price: 0 }
}
