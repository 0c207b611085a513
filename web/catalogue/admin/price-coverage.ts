/** What price ranges mean while they are being typed: the next range, the price of a weight, gaps and overlaps. Pure. */
import type { PriceRange } from '#contract/catalogue.ts'

/** The range that 'Add range' adds: behind the heaviest one up to the maximum, at no price yet; null when the maximum is reached. */
export function nextPriceRange(
  ranges: readonly PriceRange[],
  maxWeight: number,
): PriceRange | null {
  const reached = Math.max(0, ...ranges.map(range => range.toWeight).filter(Number.isSafeInteger))
  return reached >= maxWeight ? null : { fromWeight: reached + 1, toWeight: maxWeight, price: 0 }
}

/**
 * What a parcel of so many pounds pays, in dollars: the price of the range with its weight in whole pounds, rounded up, at least 1
 * (architecture, 6). Null where no range has it, or more than one.
 */
export function priceAt(ranges: readonly PriceRange[], pounds: number): number | null {
  const whole = Math.max(1, Math.ceil(pounds))
  const found = ranges.filter(
    ({ fromWeight, toWeight }) => fromWeight <= whole && whole <= toWeight,
  )
  return found.length === 1 && Number.isFinite(found[0]!.price) ? found[0]!.price : null
}

/**
 * Pounds, both inside, that have one price (`covered`), none (`gap`), more than one (`overlap`), or one that no parcel may weigh
 * (`beyond`: above the maximum, or below 1).
 */
export type WeightSpan = {
  from: number
  to: number
  kind: 'covered' | 'gap' | 'overlap' | 'beyond'
}

/**
 * From the lightest pound to the heaviest what the ranges say of it. Two ranges side by side are two stretches; a range that is not
 * whole pounds from less to more covers nothing.
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
