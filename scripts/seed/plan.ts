import { evenSpread, weeklySpread } from './spread.ts'
import type { Spread } from './spread.ts'

/**
 * The labels of a seeded database, calculated from their numbers, so that every run creates the
 * same. A cycle is one bulk order and some single labels. A fifth belongs to the first user, unless
 * `largest` says how many; of the rest, few users have many and most have few.
 */
export type SeedSize = {
  users: number
  labels: number
  largest?: number
  /** Default: a fortieth of the labels, 5 to 250. */
  batchRows?: number
  /** `weekly`: labels and deposits come as with a shop, for pictures. Default: labels evenly, deposits before the first. */
  rhythm?: 'even' | 'weekly'
}

export type SeedPlan = Required<Omit<SeedSize, 'rhythm'>> & {
  spread: Spread
  /** Deposits come when the money before is spent. */
  depositsAsNeeded: boolean
  /** What the first user has saved. */
  saved: { addresses: number; skus: number }
  /** Labels of a cycle, including its bulk order. */
  cycleLabels: number
  /** Labels of one transaction: whole cycles. */
  chunkLabels: number
}

/** `from`: the moment from which ages count. */
export function seedPlanFor(
  {
    users,
    labels,
    largest = labels / 5,
    batchRows = Math.max(5, Math.min(250, Math.floor(labels / 40))),
    rhythm = 'even',
  }: SeedSize,
  from: Date,
): SeedPlan {
  const cycle = batchRows + Math.round((batchRows * 2) / 3)
  return {
    users,
    labels,
    largest: Math.round(largest),
    batchRows,
    cycleLabels: cycle,
    chunkLabels: cycle * Math.max(1, Math.floor(200_000 / cycle)),
    spread: rhythm === 'weekly' ? weeklySpread(from) : evenSpread,
    depositsAsNeeded: rhythm === 'weekly',
    saved: rhythm === 'weekly' ? { addresses: 9, skus: 42 } : { addresses: 500, skus: 2_000 },
  }
}

/** Bulk orders use Ground Advantage, single labels Priority Mail. */
export const BATCH_PRICE_CENTS = 650
export const SINGLE_PRICE_CENTS = 950

/**
 * A query for the labels `from` (inclusive) to `to` (exclusive), counted from 0: number, cycle, row
 * of the bulk order (null for a single label), owner (counted from 1), age in seconds and state. Of
 * 100,000 labels 2,000 failed, 1,000 are voided, 5 are unknown and 2 are being voided. All rows of
 * a bulk order have the same age.
 */
export function labelsQuery(
  { users, labels, largest, batchRows, cycleLabels, spread }: SeedPlan,
  from: string,
  to: string,
): string {
  const ownerOf = (n: string): string =>
    `case when ${users} = 1 or ${n} * ${largest} % ${labels} < ${largest} then 1
      else 2 + floor(${users - 1} * power((${n} * 618034 % 1000003) / 1000003.0::float8, 2))::int end`
  const age = (n: string): string => spread(n, labels)
  return `select n, n / ${cycleLabels} as cycle,
      case when n % ${cycleLabels} < ${batchRows} then n % ${cycleLabels} + 1 end as row,
      case when n % ${cycleLabels} < ${batchRows} then ${ownerOf('(n / ' + cycleLabels + ')')} else ${ownerOf('n')} end as owner,
      case when n % ${cycleLabels} < ${batchRows} then ${age(`(n / ${cycleLabels} * ${cycleLabels})`)} else ${age('n')} end as age,
      case when mixed < 2000 then 'failed' when mixed < 3000 then 'voided' when mixed < 3005 then 'unknown' when mixed < 3007 then 'voiding'
        else 'purchased' end as state
    from generate_series(${from}::bigint, ${to}::bigint - 1) n, lateral (select (n * 7919) % 100000 as mixed) m`
}
