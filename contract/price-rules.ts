/** Prices that follow from the operator's costs: the same on the pages and on the server. Pure. */
import * as z from 'zod'
import { DollarsInput, DollarsOutput } from './endpoint.ts'
import { cents, dollars, fromDollars, usd } from './money.ts'
import type { Cents } from './money.ts'
import { highestRanges } from './pricing.ts'
import type { Prices } from './pricing.ts'

/** `cent`: up to the cent; `five`: up to 5 cents; `nine`: up to a price that ends in 9 cents. */
export const ROUNDINGS = ['cent', 'five', 'nine'] as const
export type Rounding = (typeof ROUNDINGS)[number]

/**
 * Cost × (1 + basisPoints ÷ 10,000) + fixed, at least the floor, then rounded up. `live`: the cost is
 * what the carrier quotes for the parcel; without it the operator's own costs.
 */
export type PriceRule = {
  basisPoints: number
  fixedCents: number
  floorCents: number
  rounding: Rounding
  live?: true
}

/** Whether the carrier is asked for the cost of each parcel. */
export const isLive = ({ rule }: { rule: PriceRule | null }): boolean => rule?.live === true

export const MAX_RULE_PERCENT = 1_000
/** Of the fixed part and of the floor. */
export const MAX_RULE_DOLLARS = 1_000

const BASIS = 10_000
const BASIS_POINTS_PER_PERCENT = 100
const FIVE = 5
const TEN = 10

/** The price of a parcel whose cost is known. Never below the cost or the floor. */
export function priceByRule(rule: PriceRule, cost: Cents): Cents {
  const raised = Math.ceil((cost * (BASIS + rule.basisPoints)) / BASIS)
  return cents(roundedUp(Math.max(rule.floorCents, raised + rule.fixedCents), rule.rounding))
}

function roundedUp(price: number, rounding: Rounding): number {
  switch (rounding) {
    case 'cent':
      return price
    case 'five':
      return Math.ceil(price / FIVE) * FIVE
    case 'nine':
      return Math.ceil((price + 1) / TEN) * TEN - 1
  }
}

/** The prices of a service by its costs. */
export function pricesByRule(rule: PriceRule, { ranges, table }: Prices): Prices {
  const priceOf = (cost: number) => priceByRule(rule, cents(cost))
  if (!table)
    return { ranges: ranges.map(range => ({ ...range, cents: priceOf(range.cents) })), table: null }
  const steps = table.steps.map(step => ({
    ...step,
    cents: step.cents.map(cost => (cost === null ? null : priceOf(cost))),
  }))
  const priced = { ...table, steps }
  return { ranges: highestRanges(priced), table: priced }
}

export const sameRule = (a: PriceRule | null, b: PriceRule | null): boolean =>
  a === null || b === null
    ? a === b
    : a.basisPoints === b.basisPoints
      && a.fixedCents === b.fixedCents
      && a.floorCents === b.floorCents
      && a.rounding === b.rounding
      && a.live === b.live

const ROUNDING_TEXTS: Record<Rounding, string | null> = {
  cent: null,
  five: 'up to 5 cents',
  nine: 'up to a price that ends in 9',
}

/** 'Cost + 20% + $0.50, at least $4.00, up to 5 cents'. */
export function ruleText({
  basisPoints,
  fixedCents,
  floorCents,
  rounding,
  live,
}: PriceRule): string {
  const sum = [
    live ? 'Carrier’s live price' : 'Cost',
    ...(basisPoints > 0 ? [`${basisPoints / BASIS_POINTS_PER_PERCENT}%`] : []),
    ...(fixedCents > 0 ? [usd(cents(fixedCents))] : []),
  ].join(' + ')
  const floor = floorCents > 0 ? `at least ${usd(cents(floorCents))}` : null
  return [sum, floor, ROUNDING_TEXTS[rounding]].filter(text => text !== null).join(', ')
}

/** `percent`: two decimals at most; `fixed` and `floor` in dollars; `live` as in `PriceRule`. */
export const PriceRuleInput = z.object({
  percent: z
    .number()
    .min(0)
    .max(MAX_RULE_PERCENT)
    .refine(
      percent => fromDollars(percent) !== null,
      'must be a percentage with at most two decimals',
    ),
  fixed: DollarsInput.min(0).max(MAX_RULE_DOLLARS),
  floor: DollarsInput.min(0).max(MAX_RULE_DOLLARS),
  rounding: z.enum(ROUNDINGS),
  live: z.boolean().optional(),
})
export type PriceRuleInput = z.output<typeof PriceRuleInput>

export const PriceRuleWire = z.object({
  percent: z.number(),
  fixed: DollarsOutput,
  floor: DollarsOutput,
  rounding: z.enum(ROUNDINGS),
  // Absent where the cost is the operator's own.
  live: z.boolean().optional(),
})
export type PriceRuleWire = z.output<typeof PriceRuleWire>

/** Percent and dollars have two decimals each, so one function reads both. */
export const ruleFrom = ({ percent, fixed, floor, rounding, live }: PriceRuleWire): PriceRule => ({
  basisPoints: fromDollars(percent)!,
  fixedCents: fromDollars(fixed)!,
  floorCents: fromDollars(floor)!,
  rounding,
  ...(live && { live: true }),
})

export const ruleWire = ({
  basisPoints,
  fixedCents,
  floorCents,
  rounding,
  live,
}: PriceRule): PriceRuleWire => ({
  percent: basisPoints / BASIS_POINTS_PER_PERCENT,
  fixed: dollars(cents(fixedCents)),
  floor: dollars(cents(floorCents)),
  rounding,
  ...(live && { live }),
})
