/** Fills parcels from saved SKUs: the rows of a table, and the form of one label. Pure. */
import { MEASURES } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { tidyText } from '#contract/text.ts'

export const indexBySku = <Known extends SkuMeasures>(skus: Iterable<Known>): Map<string, Known> =>
  new Map(Array.from(skus, known => [known.sku, known]))

/** The cells that a saved SKU has values for. */
export const SKU_VALUES = [...MEASURES, 'PackageDescription'] as const

/**
 * A known SKU fills weight, dimensions and description. Values that are there already win: a file knows
 * this parcel, the record only the usual one. Returns the same row if the SKU is unknown.
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

/**
 * What a SKU has filled in. `sku`: the one that was entered last; `values`: by cell. `isFromBefore`: not in this edit, so that only
 * another known SKU replaces it, also after unknown ones.
 */
export type SkuFill = { sku: string; values: Partial<BulkRow>; isFromBefore?: true }

/** `measuresOf`: see GridRow: the SKU whose measures the row may still have. */
type FilledRow = BulkRow & { measuresOf?: string }

/**
 * For the beginning of an edit: values that the record of the row's own SKU has too count as filled in from it, or else those of its
 * `measuresOf`.
 */
export function filledBefore(
  row: FilledRow,
  skus: ReadonlyMap<string, SkuMeasures> = new Map(),
): SkuFill {
  const sku = tidyText(row.skuNumber)
  const known = skus.get(sku) ?? skus.get(row.measuresOf ?? '')
  const empty = Object.fromEntries(SKU_VALUES.map(name => [name, '']))
  const filled = fillFromSku({ ...row, ...empty, skuNumber: known?.sku ?? '' }, known)
  const values = SKU_VALUES.filter(name => row[name] !== '' && row[name] === filled[name])
  return { sku, values: pick(row, values), isFromBefore: true }
}

/**
 * When a SKU has been entered; not while it is typed, because 'A1' on the way to 'A10' may be another parcel. What the SKU before
 * has filled in goes with it, unless it was changed by hand; then a known SKU fills the empty cells. The same SKU: the same row.
 */
export function enterSku<Row extends BulkRow>(
  row: Row,
  before: SkuFill,
  skus: ReadonlyMap<string, SkuMeasures>,
): { row: Row; fill: SkuFill } {
  const sku = tidyText(row.skuNumber)
  if (sku === before.sku) return { row, fill: before }
  if (before.isFromBefore && !skus.has(sku)) return { row, fill: { ...before, sku } }
  const own: Row = { ...row }
  const cells: BulkRow = own
  for (const name of SKU_VALUES) if (cells[name] === before.values[name]) cells[name] = ''
  const filled = fillFromSku(own, skus.get(sku))
  const added = SKU_VALUES.filter(name => filled[name] !== own[name])
  return { row: filled, fill: { sku, values: pick(filled, added) } }
}

/**
 * `after`, which is saved in place of `before`, with its `measuresOf`: the next known SKU brings its own measures, also if it is
 * entered in another edit than the one that took the SKU before away. A SKU that is not known counts too where there is no known one,
 * because the list of SKUs may still be loading.
 */
export function withMeasuresOf<Row extends FilledRow>(
  before: FilledRow,
  after: Row,
  skus: ReadonlyMap<string, SkuMeasures> = new Map(),
): Row {
  if (after.skuNumber === before.skuNumber) return after
  const { measuresOf: _measuresOf, ...rest } = after
  const last = skus.has(before.skuNumber) ? before.skuNumber : before.measuresOf || before.skuNumber
  const isKnown = skus.has(after.skuNumber)
  return { ...rest, ...(!isKnown && last !== '' && { measuresOf: last }) } as Row
}

/**
 * `after`, whose cells `set` got values at once in place of those of `before`, filled from its SKU: another SKU has been entered, as in its
 * cell, but values that were set with it belong to it, and stay.
 */
export function fillFromSetSku<Row extends FilledRow>(
  before: FilledRow,
  after: Row,
  skus: ReadonlyMap<string, SkuMeasures>,
  set: readonly string[],
): Row {
  if (after.skuNumber === before.skuNumber) return fillFromSku(after, skus.get(after.skuNumber))
  const fill = filledBefore(before, skus)
  const others = SKU_VALUES.filter(name => name in fill.values && !set.includes(name))
  const { row } = enterSku(after, { ...fill, values: pick(before, others) }, skus)
  return withMeasuresOf(before, row, skus)
}

const pick = (row: BulkRow, names: readonly (keyof BulkRow)[]): Partial<BulkRow> =>
  Object.fromEntries(names.map(name => [name, row[name]]))
