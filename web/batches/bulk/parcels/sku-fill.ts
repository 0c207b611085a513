/** Sorts rows by SKU, makes SKU records from rows, and copies measures between rows of a SKU. Pure. */
import type { BulkRow } from '#contract/rows.ts'
import { skuErrors, toSkuMeasures } from '#contract/sku-rules.ts'
import type { SkuInput, SkuMeasures } from '#contract/sku-rules.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { SKU_VALUES } from '#web/skus/fill.ts'
import { withLines } from './combine.ts'
import { isCombined } from './row-items.ts'

/** Rows with a SKU first, by SKU, then by descending quantity. Equal rows keep their order. */
export function sortBySku<Row extends BulkRow>(rows: readonly Row[]): Row[] {
  // A file has few SKUs: sorting those is faster than sorting its rows.
  const bySku = Map.groupBy(rows, row => row.skuNumber)
  const withoutSku = bySku.get('') ?? []
  bySku.delete('')
  const sorted: Row[] = []
  for (const sku of [...bySku.keys()].toSorted())
    for (const row of byQuantity(bySku.get(sku)!)) sorted.push(row)
  for (const row of withoutSku) sorted.push(row)
  return sorted
}

function byQuantity<Row extends BulkRow>(rows: Row[]): Row[] {
  const { quantity } = rows[0]!
  if (rows.every(row => row.quantity === quantity)) return rows
  const numbered = rows.map(row => ({ row, quantity: Number(row.quantity) || 0 }))
  return numbered.sort((a, b) => b.quantity - a.quantity).map(({ row }) => row)
}

/** A row may be combined of others. */
type SkuRow = BulkRow & Pick<GridRow, 'items' | 'parts'>

/**
 * After an edit: copies the measures to all rows with this SKU, and to the lines of combined rows. A
 * combined row is no usual parcel of its SKU, so its own measures are not copied. Unchanged rows stay
 * the same objects.
 */
export function copyMeasures<Row extends SkuRow>(
  rows: readonly Row[],
  edited: SkuRow,
  skus: ReadonlyMap<string, SkuMeasures> = new Map(),
): Row[] {
  if (edited.skuNumber === '' || isCombined(edited)) return [...rows]
  const record = skuFromRow(edited, skus.get(edited.skuNumber))
  const skusAfter = record ? new Map(skus).set(record.sku, record) : skus
  const copy = <One extends SkuRow>(row: One): One => {
    if (
      row.skuNumber !== edited.skuNumber
      || isCombined(row)
      || SKU_VALUES.every(name => row[name] === edited[name])
    )
      return row
    const next: One = { ...row }
    const cells: BulkRow = next
    for (const name of SKU_VALUES) cells[name] = edited[name]
    return next
  }
  return rows.map(row => (row.parts ? withLines(row, copy, skus, skusAfter) : copy(row)))
}

/** The SKU record of an edited row; null without a SKU or valid measures, and for a combined row. */
export function skuFromRow(row: SkuRow, known?: SkuMeasures): SkuMeasures | null {
  if (isCombined(row)) return null
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
