/** Rows of the table as parcels to total, and what is chosen for them. Pure. */
import { optionsOfCells } from '#contract/label-options.ts'
import type { ParcelToTotal } from '#contract/price-options.ts'
import { parseMeasure } from '#contract/row-rules.ts'
import { MEASURES } from '#contract/rows.ts'
import { MILITARY_STATES, stateCode } from '#contract/states.ts'
import { pricedZips, zipsOf } from '#web/batches/bulk/submit/row-prices.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

export const COMPARE_SCOPES = ['all', 'chosen', 'empty'] as const
export type CompareScope = (typeof COMPARE_SCOPES)[number]

/** Indexes of the rows of each scope; `chosen`: those that were selected. */
export function scopesOf(
  rows: readonly GridRow[],
  chosen: readonly number[],
): Record<CompareScope, readonly number[]> {
  const all = [...rows.keys()]
  return { all, chosen, empty: all.filter(index => rows[index]!.ServiceName === '') }
}

/** How many rows go to military addresses, for which the carrier's days of delivery do not hold. */
export const militaryRows = (rows: readonly GridRow[]): number =>
  rows.filter(row => MILITARY_STATES.has(stateCode(row.ToStateProvince) ?? '')).length

/** `parcelOf`: the place of each row's parcel. Rows of one price are one parcel. */
export type RowParcels = { parcels: ParcelToTotal[]; parcelOf: number[] }

/** In place of a weight that cannot be read, so that no service prices it as 1 lb. */
const UNREADABLE = '-'

/**
 * `wholeZips`: each ZIP code has prices of its own, as the carrier tells them. A ZIP code or side that
 * cannot be read is sent as unknown: as text it could refuse the totals of all rows.
 */
export function parcelsOf(rows: readonly GridRow[], wholeZips: boolean): RowParcels {
  const places = new Map<string, number>()
  const parcels: (ParcelToTotal & { count: number })[] = []
  const parcelOf = rows.map(row => {
    const zips = zipsOf(row)
    const [fromZip, toZip] = zips
    const sizes = MEASURES.map(name => parseMeasure(row[name].trim()))
    const weight = sizes[3] ?? (row.PackageWeight.trim() === '' ? null : UNREADABLE)
    const { signature, saturday } = optionsOfCells(row)
    const key = JSON.stringify([
      ...sizes,
      weight,
      ...pricedZips(zips, wholeZips),
      signature,
      saturday,
    ])
    const known = places.get(key)
    if (known !== undefined) {
      parcels[known]!.count += 1
      return known
    }
    const [length, width, height] = sizes
    parcels.push({
      length,
      width,
      height,
      weight,
      fromZip,
      toZip,
      ...(signature !== 'none' && { signature }),
      ...(saturday && { saturday }),
      count: 1,
    })
    places.set(key, parcels.length - 1)
    return parcels.length - 1
  })
  return { parcels, parcelOf }
}

/** Labels of each service in `choices`, the largest number first; `left`: rows without a choice. */
export function mixOf(
  { parcels }: RowParcels,
  choices: readonly (number | null)[],
): { parts: { service: number; labels: number }[]; left: number } {
  const counts = new Map<number, number>()
  let left = 0
  parcels.forEach(({ count = 1 }, place) => {
    const service = choices[place] ?? null
    if (service === null) left += count
    else counts.set(service, (counts.get(service) ?? 0) + count)
  })
  const parts = Array.from(counts, ([service, labels]) => ({ service, labels }))
  return { parts: parts.toSorted((a, b) => b.labels - a.labels), left }
}
