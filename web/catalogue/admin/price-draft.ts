/** Price ranges in the editor, and their errors and preview. Pure. */
import type { PriceRange } from '#contract/catalogue.ts'
import { fromDollars } from '#contract/money.ts'
import { sortPriceRanges } from '#contract/price-ranges.ts'

/** A number, or text that is no number yet. */
type NumberFieldValue = number | string

export type RangeField = 'from' | 'to' | 'price'
/** `key` identifies the range while others are added or removed. */
export type DraftRange = { key: number } & Record<RangeField, NumberFieldValue>

/** Sorted by weight, with keys from `firstKey` on. */
export const draftRangesFrom = (ranges: readonly PriceRange[], firstKey = 0): DraftRange[] =>
  sortPriceRanges(ranges).map((range, index) => ({
    key: firstKey + index,
    from: range.fromWeight,
    to: range.toWeight,
    price: range.price,
  }))

const toNumber = (typed: NumberFieldValue): number =>
  typeof typed === 'string' && typed.trim() === '' ? NaN : Number(typed)

/** NaN for text that is no number yet. */
export const toRanges = (rows: readonly DraftRange[]): PriceRange[] =>
  rows.map(({ from, to, price }) => ({
    fromWeight: toNumber(from),
    toWeight: toNumber(to),
    price: toNumber(price),
  }))

export function sameRanges(a: readonly PriceRange[], b: readonly PriceRange[]): boolean {
  const [left, right] = [sortPriceRanges(a), sortPriceRanges(b)]
  return (
    left.length === right.length
    && left.every((one, index) => {
      const other = right[index]!
      return (
        one.fromWeight === other.fromWeight
        && one.toWeight === other.toWeight
        && one.price === other.price
      )
    })
  )
}

/**
 * The invalid fields, as 'key.field': together the ranges must cover every pound from 1 to
 * `maxWeight` once.
 */
export function invalidRangeFields(rows: readonly DraftRange[], maxWeight: number): Set<string> {
  const wrong = new Set<string>()
  // A range without a start comes last, because its position is unknown.
  const first = (row: DraftRange) =>
    Number.isNaN(toNumber(row.from)) ? Infinity : toNumber(row.from)
  const sorted = rows.toSorted((a, b) => (first(a) === first(b) ? 0 : first(a) - first(b)))
  let next = 1
  for (const row of sorted) {
    const [range] = toRanges([row])
    const { fromWeight, toWeight, price } = range!
    if (fromWeight !== next) wrong.add(`${row.key}.from`)
    if (!Number.isInteger(toWeight) || toWeight < fromWeight || toWeight > maxWeight)
      wrong.add(`${row.key}.to`)
    if (!(price >= 0) || fromDollars(price) === null) wrong.add(`${row.key}.price`)
    if (Number.isInteger(toWeight)) next = Math.max(next, toWeight + 1)
  }
  const last = sorted.at(-1)
  if (last && next <= maxWeight) wrong.add(`${last.key}.to`)
  return wrong
}
