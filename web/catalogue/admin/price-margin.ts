/** Price ranges as steps, and their margins in words. Pure. */
import type { PriceRange } from '#contract/catalogue.ts'
import { usdFromDollars } from '#contract/money.ts'
import { marginOf } from '#web/charts/steps.ts'
import type { PoundCost, PriceStep } from '#web/charts/steps.ts'
import { priceAt, weightCoverage } from './price-coverage.ts'
import { texts } from './texts.ts'

const t = texts.margin

/** The steps from 1 lb to the maximum; pounds without a price, or with several, have none. */
export const priceSteps = (ranges: readonly PriceRange[], maxWeight: number): PriceStep[] =>
  weightCoverage(ranges, maxWeight)
    .filter(({ kind }) => kind !== 'beyond')
    .map(({ from, to, kind }) => ({
      from,
      to,
      price: kind === 'covered' ? priceAt(ranges, from) : null,
    }))

/** What was charged on average, and the uploaded cost of each other pound; of costs by zone, the highest. Lightest first. */
export function costsByPound(
  averages: readonly PoundCost[],
  uploaded: readonly PriceRange[],
): PoundCost[] {
  const known = new Map(averages.map(({ pounds, cost }) => [pounds, cost]))
  for (const { fromWeight, toWeight, price } of uploaded)
    for (let pounds = fromWeight; pounds <= toWeight; pounds++)
      if (!known.has(pounds)) known.set(pounds, price)
  return [...known]
    .map(([pounds, cost]) => ({ pounds, cost }))
    .toSorted((a, b) => a.pounds - b.pounds)
}

/**
 * `figure`: below a head that names it. `text`: alone. `loss`: part of the range or all of it is sold
 * below cost. `known`: how far the costs are known; null where all are.
 */
type MarginWords = { figure: string; text: string; known: string | null; loss: boolean }

/** '$0.57 to $2.60', 'Margin $0.57 to $2.60'. Null for a step without a price. */
export function marginWords(step: PriceStep, costs: readonly PoundCost[]): MarginWords | null {
  if (step.price === null) return null
  const margin = marginOf(step, costs)
  if (!margin) return { figure: t.unknownFigure, text: t.unknown, known: null, loss: false }
  const known = knownText(margin.known, step.to - step.from + 1)
  const figure = rangeText(margin)
  const isAmount = margin.low >= 0 && margin.high > 0
  return { figure, text: isAmount ? t.named(figure) : figure, known, loss: margin.low < 0 }
}

/**
 * What the carrier charges in a step: '$5.93', '$5.93 to $7.10'; `known` as in `marginWords`. Null where no cost in it is
 * known.
 */
export function costWords(
  { from, to }: PriceStep,
  costs: readonly PoundCost[],
): { figure: string; known: string | null } | null {
  const found = costs.filter(({ pounds }) => from <= pounds && pounds <= to)
  if (found.length === 0) return null
  const amounts = found.map(({ cost }) => cost)
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)].map(usdFromDollars) as [
    string,
    string,
  ]
  return {
    figure: low === high ? low : t.between(low, high),
    known: knownText(
      found.map(({ pounds }) => pounds),
      to - from + 1,
    ),
  }
}

/** How far costs are known, of so many pounds; null where all are. */
const knownText = (known: readonly number[], of: number): string | null =>
  known.length < of ? t.knownFor(weightsText(known)) : null

function rangeText({ low, high }: { low: number; high: number }): string {
  const [lowText, highText] = [low, high].map(amount => usdFromDollars(Math.abs(amount))) as [
    string,
    string,
  ]
  if (low < 0 && high > 0) return t.mixed(lowText, highText)
  if (low < 0) return low === high ? t.loss(lowText) : t.lossBetween(highText, lowText)
  if (high === 0) return t.noMargin
  return low === high ? lowText : t.between(lowText, highText)
}

/** Longer lists of weights are said by their ends. */
const MAX_LISTED_SPANS = 3

/** '2 lb', '2 to 5 and 9 lb', '14 weights from 1 to 60 lb'. */
function weightsText(pounds: readonly number[]): string {
  const spans: { from: number; to: number }[] = []
  for (const weight of pounds) {
    const last = spans.at(-1)
    if (last && last.to === weight - 1) last.to = weight
    else spans.push({ from: weight, to: weight })
  }
  if (spans.length > MAX_LISTED_SPANS) return t.weights(pounds.length, pounds[0]!, pounds.at(-1)!)
  const listed = spans.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`))
  return `${new Intl.ListFormat('en-US').format(listed)} lb`
}
