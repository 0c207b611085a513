/** Price ranges as steps, their margins in words, and what a few weights pay. Pure. */
import type { PriceRange } from '#contract/catalogue.ts'
import { countText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { shareText } from '#web/charts/series.ts'
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
 * `figure`: below a head that names it. `share`: of the price, where the margin is one amount. `loss`: part of the range or
 * all of it is sold below cost. `known`: how far the costs are known; null where all are.
 */
type MarginWords = { figure: string; share: string | null; known: string | null; loss: boolean }

/** '$0.57 to $2.60'. Null for a step without a price. */
export function marginWords(step: PriceStep, costs: readonly PoundCost[]): MarginWords | null {
  if (step.price === null) return null
  const margin = marginOf(step, costs)
  if (!margin) return { figure: t.unknownFigure, share: null, known: null, loss: false }
  const known = knownText(margin.known, step.to - step.from + 1)
  const share =
    margin.low === margin.high && margin.low > 0 ? shareText(margin.low / step.price) : null
  return { figure: rangeText(margin), share, known, loss: margin.low < 0 }
}

/** Of one price. `share`: the margin's, null unless it is above zero. `margin`: below zero where `isLoss`. */
export type PriceShares = { cost: number; margin: number; share: string | null; isLoss: boolean }

/** What of a price the carrier takes, and what is left. */
export function partsOfPrice(price: number, cost: number): PriceShares {
  const margin = Math.round((price - cost) * 100) / 100
  return {
    cost,
    margin,
    share: margin > 0 ? shareText(margin / price) : null,
    isLoss: margin < 0,
  }
}

/** So many bars fit on a card. */
const MAX_BARS = 3

/**
 * The weights whose bars say all about the prices: one price for all weights, and few known costs. Null where only a chart
 * shows it.
 */
export function barsOf(
  prices: readonly PriceRange[],
  costs: readonly PoundCost[],
): { price: number; costs: PoundCost[] } | null {
  const [only] = prices
  if (!only || prices.length > 1) return null
  const known = costs.filter(({ pounds }) => only.fromWeight <= pounds && pounds <= only.toWeight)
  return known.length > MAX_BARS ? null : { price: only.price, costs: known }
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

/** Weights in pounds that stand for the others. */
const EXAMPLE_POUNDS = [1, 2, 5, 20, 70]
/** So few weights with a known cost are examples too: no others have a margin. */
const MAX_KNOWN_EXAMPLES = 3

/** In dollars; null where a weight has no price, or several, and where its cost is not known. */
type ParcelPriceRow = {
  pounds: number
  before: number | null
  price: number | null
  cost: number | null
  margin: number | null
}

/** What a few weights pay, cost and leave, lightest first; none above the maximum. */
export function parcelPriceRows(
  before: readonly PriceRange[],
  after: readonly PriceRange[],
  costs: readonly PoundCost[],
  maxWeight: number,
): ParcelPriceRow[] {
  const known = costs.map(({ pounds }) => pounds)
  const examples =
    known.length > MAX_KNOWN_EXAMPLES ? EXAMPLE_POUNDS : [...EXAMPLE_POUNDS, ...known]
  const weights = new Set(examples.map(pounds => Math.min(pounds, maxWeight)))
  return [...weights]
    .toSorted((a, b) => a - b)
    .map(pounds => {
      const step = { from: pounds, to: pounds, price: priceAt(after, pounds) }
      return {
        pounds,
        before: priceAt(before, pounds),
        price: step.price,
        cost: costs.find(one => one.pounds === pounds)?.cost ?? null,
        margin: marginOf(step, costs)?.low ?? null,
      }
    })
}

/** Without the weights of unknown cost that pay the same as one whose cost is known: they tell nothing more. */
export const informativeRows = (rows: readonly ParcelPriceRow[]): ParcelPriceRow[] =>
  rows.filter(
    row =>
      row.cost !== null
      || !rows.some(
        other => other.cost !== null && other.price === row.price && other.before === row.before,
      ),
  )

type CostSource = { labels: number; areUploaded: boolean; state: 'loading' | 'failed' | 'ready' }

/** Where the costs come from. */
export function costSourceText({ labels, areUploaded, state }: CostSource): string {
  if (state !== 'ready') return t.loading
  if (labels === 0) return areUploaded ? t.uploaded : t.noSample
  const sample = countText(labels, t.label)
  return areUploaded ? t.sampleAndUploaded(sample) : t.sample(sample)
}
