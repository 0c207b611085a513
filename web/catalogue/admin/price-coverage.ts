/**
 * What price ranges mean while they are edited: the next range, the price of a weight, gaps and
 * overlaps. Pure.
 */
import type { PriceRange } from '#contract/catalogue.ts'

/**
 * The range that 'Add range' adds: from above the heaviest one to the maximum, at price 0. Null if
 * the maximum is reached.
 */
export function nextPriceRange(
  ranges: readonly PriceRange[],
  maxWeight: number,
): PriceRange | null {
  const reached = Math.max(0, ...ranges.map(range => range.toWeight).filter(Number.isSafeInteger))
  return reached >= maxWeight ? null : { fromWeight: reached + 1, toWeight: maxWeight, price: 0 }
}

/**
 * The price of a parcel in dollars. Weights are rounded up to whole pounds, at least 1. Null if no
 * range has the weight, or more than one.
 */
export function priceAt(ranges: readonly PriceRange[], pounds: number): number | null {
  const whole = Math.max(1, Math.ceil(pounds))
  const found = ranges.filter(
    ({ fromWeight, toWeight }) => fromWeight <= whole && whole <= toWeight,
  )
  return found.length === 1 && Number.isFinite(found[0]!.price) ? found[0]!.price : null
}

/**
 * `from` and `to` are inclusive. `covered`: one price. `gap`: none. `overlap`: several. `beyond`:
 * above the maximum or below 1.
 */
export type WeightSpan = {
  from: number
  to: number
  kind: 'covered' | 'gap' | 'overlap' | 'beyond'
}

/**
 * The spans from the lightest pound to the heaviest. Two adjacent ranges are two spans. An invalid
 * range (not whole pounds in ascending order) covers nothing.
 */
export function weightCoverage(ranges: readonly PriceRange[], maxWeight: number): WeightSpan[] {
  const whole = ranges.filter(
    ({ fromWeight, toWeight }) =>
      Number.isSafeInteger(fromWeight) && Number.isSafeInteger(toWeight) && fromWeight <= toWeight,
  )
  const edges = new Set([
    1,
    maxWeight + 1,
    ...whole.flatMap(({ fromWeight, toWeight }) => [fromWeight, toWeight + 1]),
  ])
  const starts = [...edges].toSorted((a, b) => a - b)
  const found: WeightSpan[] = []
  starts.slice(0, -1).forEach((from, index) => {
    const to = starts[index + 1]! - 1
    const matching = whole.filter(range => range.fromWeight <= from && to <= range.toWeight).length
    const inside = 1 <= from && from <= maxWeight
    if (!inside && matching === 0) return
    const kind = !inside
      ? 'beyond'
      : matching === 0
        ? 'gap'
        : matching === 1
          ? 'covered'
          : 'overlap'
    const last = found.at(-1)
    if (last?.kind === kind && kind !== 'covered' && last.to === from - 1) last.to = to
    else found.push({ from, to, kind })
  })
  return found
}
