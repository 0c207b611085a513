/** Prices by weight beside what the carrier charges. Pure. */

/** `from` and `to`: whole pounds, inclusive. `price` in dollars; null where a pound has none, or several. */
export type PriceStep = { from: number; to: number; price: number | null }

/** What the carrier charges at a whole pound, in dollars. */
export type PoundCost = { pounds: number; cost: number }

const inCents = (value: number): number => Math.round(value * 100) / 100

/** The price of a pound; null without one. */
export const stepAt = (steps: readonly PriceStep[], pounds: number): number | null =>
  steps.find(({ from, to }) => from <= pounds && pounds <= to)?.price ?? null

/**
 * The margin of a step over the pounds whose cost is known: lowest, highest, and those pounds. Null where the step has
 * no price or no cost is known.
 */
export function marginOf(
  { from, to, price }: PriceStep,
  costs: readonly PoundCost[],
): { low: number; high: number; known: number[] } | null {
  const known = costs.filter(({ pounds }) => from <= pounds && pounds <= to)
  const margins = known.map(({ cost }) => inCents((price ?? 0) - cost))
  if (price === null || margins.length === 0) return null
  return {
    low: Math.min(...margins),
    high: Math.max(...margins),
    known: known.map(({ pounds }) => pounds),
  }
}

/** Pounds that are sold below cost, as spans of neighbors. */
export function lossSpans(
  steps: readonly PriceStep[],
  costs: readonly PoundCost[],
): { from: number; to: number }[] {
  const losing = costs
    .filter(({ pounds, cost }) => {
      const price = stepAt(steps, pounds)
      return price !== null && price < cost
    })
    .map(({ pounds }) => pounds)
    .toSorted((a, b) => a - b)
  const spans: { from: number; to: number }[] = []
  for (const pounds of losing) {
    const last = spans.at(-1)
    if (last && last.to === pounds - 1) last.to = pounds
    else spans.push({ from: pounds, to: pounds })
  }
  return spans
}

/** Height of a line of text in a chart, in px. */
const LINE_PX = 16

/** A name to the right of its dot. `width`: from the dot to the end of the name, in px. */
export type NamedDot = { x: number; y: number; width: number }

/** Whether a name reaches another dot or its name. `dots`: from left to right. */
export const namesTouch = (dots: readonly NamedDot[]): boolean =>
  dots.some((dot, index) =>
    dots
      .slice(index + 1)
      .some(next => next.x - dot.x < dot.width && Math.abs(next.y - dot.y) < LINE_PX),
  )
