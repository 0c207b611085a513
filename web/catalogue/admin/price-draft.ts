/** Price ranges while they are typed, and what they would mean. Pure. */
import type { PriceRange } from '#contract/catalogue.ts'
import { fromDollars } from '#contract/money.ts'
import { sortPriceRanges } from '#contract/price-ranges.ts'
import { priceAt } from './price-coverage.ts'

/** What a field of figures holds: a number, or the text that is none yet. */
type NumberFieldValue = number | string

export type RangeField = 'from' | 'to' | 'price'
/** A range in the editor; `key` stays with it whatever is added or removed. */
export type DraftRange = { key: number } & Record<RangeField, NumberFieldValue>

/** Rows for the ranges, lightest first, with keys from `firstKey` on. */
export const draftRangesFrom = (ranges: readonly PriceRange[], firstKey = 0): DraftRange[] =>
  sortPriceRanges(ranges).map((range, index) => ({
    key: firstKey + index,
    from: range.fromWeight,
    to: range.toWeight,
    price: range.price,
  }))

const toNumber = (typed: NumberFieldValue): number =>
  typeof typed === 'string' && typed.trim() === '' ? NaN : Number(typed)

/** The ranges that the rows are; NaN for what is not a number yet. */
export const toRanges = (rows: readonly DraftRange[]): PriceRange[] =>
  rows.map(({ from, to, price }) => ({
    fromWeight: toNumber(from),
    toWeight: toNumber(to),
    price: toNumber(price),
  }))

/** Whether saving would change nothing. */
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

/** The fields, as 'key.field', that keep the rows from being every pound from 1 to `maxWeight` once, each at a price. */
export function invalidRangeFields(rows: readonly DraftRange[], maxWeight: number): Set<string> {
  const wrong = new Set<string>()
  // A range without a beginning comes last: where it belongs is not known.
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

/** Parcels that the preview shows, in pounds; none heavier than the service takes. */
const PREVIEW_POUNDS = [1, 5, 20, 70]

/** What a parcel of so many pounds pays before and after, in dollars; null where it has no price, or more than one. */
export type PricePreviewRow = { pounds: number; before: number | null; after: number | null }

export const pricePreviewRows = (
  before: readonly PriceRange[],
  after: readonly PriceRange[],
  maxWeight: number,
): PricePreviewRow[] =>
  [...new Set(PREVIEW_POUNDS.map(pounds => Math.min(pounds, maxWeight)))].map(pounds => ({
    pounds,
    before: priceAt(before, pounds),
    after: priceAt(after, pounds),
  }))
