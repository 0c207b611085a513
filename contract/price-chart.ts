/** The chart of the landing page: our price, the same at each weight, and the operator's table of other prices. */
import * as z from 'zod'
import { cents, fromDollars, usd } from './money.ts'
import type { Cents } from './money.ts'
import type { ChartMark, FlatPriceFacts, OtherPricesFacts, WeightMark } from './page-template.ts'

/** The price of a parcel of 1 lb, and the heaviest whole weight in lb that costs the same. */
export type FlatOffer = { price: Cents; heaviest: number }

const MAX_PRICES = 200
const MAX_TEXT_LENGTH = 120

const Price = z
  .number()
  .positive()
  .max(10_000)
  .refine(price => fromDollars(price) !== null, 'must have at most two decimals')

/**
 * What the operator writes into price-comparison.json (docs/operations.md): `name` of the other
 * prices, where they are published, and dollars up to a weight in lb, lightest first.
 */
export const PriceComparison = z.strictObject({
  name: z.string().trim().min(1).max(MAX_TEXT_LENGTH),
  source: z.string().trim().min(1).max(MAX_TEXT_LENGTH),
  url: z.url({ protocol: /^https$/ }).optional(),
  prices: z
    .array(z.strictObject({ upTo: z.number().positive().max(1_000), price: Price }))
    .min(1)
    .max(MAX_PRICES)
    .refine(
      prices => prices.every(({ upTo }, at) => at === 0 || upTo > prices[at - 1]!.upTo),
      'must be sorted by upTo, each weight once',
    ),
})
export type PriceComparison = z.output<typeof PriceComparison>

/** The weight that the claim compares the heaviest one with, if that is heavier. */
const LIGHT_POUNDS = 20
/** Percent below the top, of our line when it is alone: a scale of amounts would compare it with nothing. */
const LINE_ALONE = '24'
const HEADROOM = 1.1
const AMOUNT_LINES = 5
const HUNDRED_DOLLARS = 10_000
const WEIGHT_MARKS = 8
/** The side of the heaviest parcel, as a share of the chart's width. */
const LARGEST_SIDE = 0.12

/** Null where there is nothing to compare: not even 2 lb cost what 1 lb costs. */
export function flatPriceFacts(
  offer: FlatOffer,
  comparison: PriceComparison | null,
): FlatPriceFacts | null {
  const { price, heaviest } = offer
  if (heaviest < 2) return null
  const others = comparison && pricesUpTo(comparison, heaviest)
  const highest = Math.max(price, ...(others ?? []).map(one => one.cents))
  const amounts = amountMarks(highest * HEADROOM)
  const { top } = amounts
  return {
    heaviest: String(heaviest),
    light: String(heaviest > LIGHT_POUNDS ? LIGHT_POUNDS : 1),
    line: others ? heightOf(price, top) : LINE_ALONE,
    hundred: String(Math.floor(HUNDRED_DOLLARS / Math.max(1, price))),
    weights: weightMarks(heaviest),
    amounts: others ? amounts.marks : [],
    other: comparison && others ? otherFacts(comparison, others, { heaviest, top }) : null,
  }
}

type OtherPrice = { upTo: number; cents: number }

/** The prices of the weights that are sold here; null when the table has none of them. */
function pricesUpTo({ prices }: PriceComparison, heaviest: number): OtherPrice[] | null {
  const last = prices.findIndex(({ upTo }) => upTo >= heaviest)
  const shown = last === -1 ? prices : prices.slice(0, last + 1)
  return shown.length === 1 && shown[0]!.upTo < 2
    ? null
    : shown.map(({ upTo, price }) => ({
        upTo: Math.min(upTo, heaviest),
        cents: fromDollars(price)!,
      }))
}

function otherFacts(
  { name, source, url }: PriceComparison,
  prices: OtherPrice[],
  { heaviest, top }: { heaviest: number; top: number },
): OtherPricesFacts {
  const priceText = (one: OtherPrice) => usd(cents(one.cents))
  return {
    name,
    source,
    url: url ?? null,
    points: prices
      .flatMap(({ upTo, cents: amount }, at) =>
        [at === 0 ? 1 : prices[at - 1]!.upTo, upTo].map(
          pounds => `${across(Math.max(1, pounds), heaviest)},${heightOf(amount, top)}`,
        ),
      )
      .join(' '),
    prices: JSON.stringify(prices.map(one => [one.upTo, priceText(one), heightOf(one.cents, top)])),
    firstPrice: priceText(prices[0]!),
    lastPrice: priceText(prices.at(-1)!),
    upTo: String(prices.at(-1)!.upTo),
  }
}

const percent = (share: number): string => String(Math.round(share * 10_000) / 100)
const across = (pounds: number, heaviest: number): string => percent((pounds - 1) / (heaviest - 1))
const heightOf = (amount: number, top: number): string => percent(1 - amount / top)

/** Lines at round amounts, `top` in cents is at or above `highest`. */
function amountMarks(highest: number): { top: number; marks: ChartMark[] } {
  const step = roundStep(highest / AMOUNT_LINES)
  const top = Math.max(highest, step)
  const count = Math.floor(top / step)
  return {
    top,
    marks: Array.from({ length: count + 1 }, (_, at) => ({
      at: heightOf(at * step, top),
      text: usd(cents(at * step)).replace(/\.00$/, ''),
    })),
  }
}

/** 1 lb, round weights, and the heaviest, whose parcels are equally dense. */
function weightMarks(heaviest: number): WeightMark[] {
  const step = Math.max(1, roundStep(heaviest / WEIGHT_MARKS))
  const round = Array.from({ length: Math.floor(heaviest / step) }, (_, at) => (at + 1) * step)
  const between = round.filter(pounds => pounds > step / 2 && pounds <= heaviest - step * 0.7)
  return [1, ...between.filter(pounds => pounds > 1 + step / 3), heaviest].map(pounds => {
    const side = LARGEST_SIDE * Math.cbrt(pounds / heaviest)
    return {
      at: across(pounds, heaviest),
      text: pounds === 1 || pounds === heaviest ? `${pounds} lb` : String(pounds),
      side: percent(side),
      left: percent((pounds - 1) / (heaviest - 1) - side / 2),
    }
  })
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is not below `least`. */
function roundStep(least: number): number {
  const tens = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  return tens * ([1, 2, 5, 10].find(factor => tens * factor >= least) ?? 10)
}

/** For development, where no catalogue is known. */
export const EXAMPLE_OFFER: FlatOffer = { price: cents(650), heaviest: 70 }
