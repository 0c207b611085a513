/** How rows of the table take measures from saved SKUs, and give them back. Pure. */
import { MEASURES } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { skuErrors, toSkuMeasures } from '#contract/sku-rules.ts'
import type { SkuInput, SkuMeasures } from '#contract/sku-rules.ts'

/** SKU records by their SKU, for `fillFromSku`. */
export const indexBySku = (skus: Iterable<SkuMeasures>): Map<string, SkuMeasures> =>
  new Map(Array.from(skus, known => [known.sku, known]))

/**
 * A known SKU fills weight, dimensions and description (specification, 9). What the file itself says is kept: it knows this
 * parcel, the record only the usual one. Gives back the same row when there is nothing to fill.
 */
export function fillFromSku<Row extends BulkRow>(row: Row, known: SkuMeasures | undefined): Row {
  if (!known || row.skuNumber === '') return row
  return {
    ...row,
    PackageWeight: row.PackageWeight || String(known.weight),
    PackageLength: row.PackageLength || String(known.length),
    PackageWidth: row.PackageWidth || String(known.width),
    PackageHeight: row.PackageHeight || String(known.height),
    PackageDescription: row.PackageDescription || known.description,
  }
}

/** Rows with a SKU first, by SKU, then larger quantities before smaller; equal ones keep their order (specification, 9). */
export function sortBySku<Row extends BulkRow>(rows: readonly Row[]): Row[] {
  const quantity = (row: Row) => Number(row.quantity) || 0
  return rows.toSorted((a, b) => {
    if (a.skuNumber === '' || b.skuNumber === '')
      return Number(a.skuNumber === '') - Number(b.skuNumber === '')
    if (a.skuNumber !== b.skuNumber) return a.skuNumber < b.skuNumber ? -1 : 1
    return quantity(b) - quantity(a)
  })
}

const COPIED_FIELDS = [...MEASURES, 'PackageDescription'] as const

/** After a row with a SKU was saved: its measures in all rows of that SKU. Rows that do not change stay the same objects. */
export function copyMeasures<Row extends BulkRow>(rows: readonly Row[], edited: BulkRow): Row[] {
  if (edited.skuNumber === '') return [...rows]
  return rows.map(row => {
    if (
      row.skuNumber !== edited.skuNumber
      || COPIED_FIELDS.every(name => row[name] === edited[name])
    )
      return row
    const next: Row = { ...row }
    const cells: BulkRow = next
    for (const name of COPIED_FIELDS) cells[name] = edited[name]
    return next
  })
}

/** The record to create or update when an edited row is saved; null without a SKU or without sound measures. */
export function skuFromRow(row: BulkRow, known?: SkuMeasures): SkuMeasures | null {
  const entry: SkuInput = {
    sku: row.skuNumber,
    maxQty: known?.maxQty ?? (row.quantity || 1),
    weight: row.PackageWeight,
    length: row.PackageLength,
    width: row.PackageWidth,
    height: row.PackageHeight,
    description: row.PackageDescription,
  }
  return Object.keys(skuErrors(entry)).length > 0 ? null : toSkuMeasures(entry)
}
