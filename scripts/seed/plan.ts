/**
 * The labels of a seeded database, calculated from their numbers, so that every run creates the
 * same. A cycle is one bulk order and some single labels. A fifth belongs to the first user, unless
 * `largest` says how many; of the rest, few users have many and most have few.
 */
export type SeedSize = { users: number; labels: number; largest?: number }

export type SeedPlan = Required<SeedSize> & {
  /** Rows of a bulk order. */
  batchRows: number
  /** Labels of a cycle, including its bulk order. */
  cycleLabels: number
  /** Labels of one transaction: whole cycles. */
  chunkLabels: number
}

/** Labels are spread evenly over this many days; the newest is an hour old. */
export const DAYS = 90

export function seedPlanFor({ users, labels, largest = labels / 5 }: SeedSize): SeedPlan {
  const batchRows = Math.max(5, Math.min(250, Math.floor(labels / 40)))
  const cycle = batchRows + Math.round((batchRows * 2) / 3)
  return {
    users,
    labels,
    largest: Math.round(largest),
    batchRows,
    cycleLabels: cycle,
    chunkLabels: cycle * Math.max(1, Math.floor(200_000 / cycle)),
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
  { users, labels, largest, batchRows, cycleLabels }: SeedPlan,
  from: string,
  to: string,
): string {
  const ownerOf = (n: string): string =>
    `case when ${users} = 1 or ${n} * ${largest} % ${labels} < ${largest} then 1
      else 2 + floor(${users - 1} * power((${n} * 618034 % 1000003) / 1000003.0::float8, 2))::int end`
  const age = (n: string): string =>
    `3600 + ${DAYS * 86_400} * (${labels} - ${n})::float8 / ${labels}`
  return `select n, n / ${cycleLabels} as cycle,
      case when n % ${cycleLabels} < ${batchRows} then n % ${cycleLabels} + 1 end as row,
      case when n % ${cycleLabels} < ${batchRows} then ${ownerOf('(n / ' + cycleLabels + ')')} else ${ownerOf('n')} end as owner,
      case when n % ${cycleLabels} < ${batchRows} then ${age(`(n / ${cycleLabels} * ${cycleLabels})`)} else ${age('n')} end as age,
      case when mixed < 2000 then 'failed' when mixed < 3000 then 'voided' when mixed < 3005 then 'unknown' when mixed < 3007 then 'voiding'
        else 'purchased' end as state
    from generate_series(${from}::bigint, ${to}::bigint - 1) n, lateral (select (n * 7919) % 100000 as mixed) m`
}

const GIVEN_NAMES = [
  'June',
  'Mabel',
  'Otto',
  'Silas',
  'Hadley',
  'Leif',
  'Opal',
  'Gideon',
  'Wanda',
  'Ines',
  'José',
  'Ruth',
  'Amos',
  'Clara',
  'Felix',
  'Greta',
  'Hugo',
  'Iris',
  'Jonas',
  'Karla',
  'Lena',
  'Milo',
  'Nora',
  'Oscar',
  'Paula',
  'Quinn',
  'Rosa',
  'Simon',
  'Tilda',
  'Vera',
]
const SURNAME_STARTS = [
  'Bar',
  'Cal',
  'Dun',
  'El',
  'Far',
  'Gar',
  'Hal',
  'Kes',
  'Lin',
  'Mor',
  'Nor',
  'Os',
  'Pen',
  'Riv',
  'Sel',
  'Tor',
  'Wen',
  'Yar',
]
const SURNAME_MIDDLES = ['lo', 'de', 'mi', 'na', 'ro', 'sa', 'te', 'va', 'wi', 'er']
const SURNAME_ENDS = [
  'wick',
  'ford',
  'ton',
  'by',
  'man',
  'sen',
  'stad',
  'quist',
  'mond',
  'ley',
  'worth',
  'a',
]

const pickFrom = (list: readonly string[], n: string): string =>
  `(array[${list.map(one => `'${one}'`).join(',')}])[1 + (${n}) % ${list.length}]`

/** The name of a person for a number: about 60,000 different ones. */
export const personNameSql = (n: string): string =>
  [
    pickFrom(GIVEN_NAMES, `${n} * 31`),
    `' '`,
    pickFrom(SURNAME_STARTS, n),
    pickFrom(SURNAME_MIDDLES, `${n} / 7`),
    pickFrom(SURNAME_ENDS, `${n} / 3`),
  ].join(' || ')
