/**
 * The warnings of the table's rows, by row and by cause. Cached per row object, so that 50,000 rows
 * are checked once.
 */
import { createOrderCount } from '#contract/row-address.ts'
import { rowWarnings, takeSuggestion } from '#contract/row-warnings.ts'
import type { RowWarning } from '#contract/row-warnings.ts'
import type { RowField } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { WarningCode } from '#contract/warnings.ts'
import type { ZipPlaces } from '#contract/zip-places.ts'
import { hasSummedWeight } from '#web/batches/bulk/parcels/combine.ts'
import { receiverOf } from '#web/batches/bulk/parcels/row-keys.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

/** `places` is undefined until the ZIP table is loaded. `boughtBefore`: of bought-here.ts. */
type WarningSources = {
  places: ZipPlaces | undefined
  skus: ReadonlyMap<string, SkuMeasures>
  boughtBefore?: (row: GridRow) => boolean
}

export type RowWarner = (row: GridRow) => readonly RowWarning[]

const NO_WARNINGS: readonly RowWarning[] = []
/** Checks rows ahead, so that a large table can be checked in parts. */
export function checkAhead(rows: Iterable<GridRow>, sources: WarningSources): void {
  const own = cacheFor(sources)
  for (const row of rows) {
    receiverOf(row)
    ownWarnings(row, sources, own)
  }
}

/**
 * A function that gives the warnings of a row of this table. Equal `sources` share the checks of the
 * row alone; only the orders of receivers are counted again when `rows` change.
 */
export function rowWarnerFor(rows: readonly GridRow[], sources: WarningSources): RowWarner {
  const orders = createOrderCount()
  for (const row of rows) orders.add(receiverOf(row), row.orderId)
  const own = cacheFor(sources)
  // Equal arrays, so that a row whose warnings are the same is not drawn again.
  const repeated = new Map<GridRow, readonly RowWarning[]>()
  return row => {
    const sameReceiver = orders.of(receiverOf(row))
    const kept = sameReceiver > 1 ? repeated.get(row) : ownWarnings(row, sources, own)
    if (kept) return kept
    const warnings = [
      ...ownWarnings(row, sources, own),
      ...rowWarnings(row, undefined, { sameReceiver }),
    ]
    repeated.set(row, warnings)
    return warnings
  }
}

type CachedWarnings = WeakMap<GridRow, readonly RowWarning[]>
let lastCache: { sources: WarningSources; warnings: CachedWarnings } | null = null

function cacheFor(sources: WarningSources): CachedWarnings {
  const last = lastCache
  const same =
    last !== null
    && last.sources.places === sources.places
    && last.sources.skus === sources.skus
    && last.sources.boughtBefore === sources.boughtBefore
  if (same) return last.warnings
  lastCache = { sources, warnings: new WeakMap() }
  return lastCache.warnings
}

function ownWarnings(
  row: GridRow,
  { places, skus, boughtBefore }: WarningSources,
  own: CachedWarnings,
): readonly RowWarning[] {
  const kept = own.get(row)
  if (kept) return kept
  const sku = row.skuNumber === '' ? undefined : skus.get(row.skuNumber)
  const found = rowWarnings(row, places, {
    ...(sku && { sku }),
    summedLines: hasSummedWeight(row, skus) ? row.parts!.length : 1,
    boughtBefore: boughtBefore?.(row) ?? false,
  })
  const warnings = found.length === 0 ? NO_WARNINGS : found
  own.set(row, warnings)
  return warnings
}

/** Names a cause of warnings, for the filter of the table. */
export const warningKey = ({ code, field }: Pick<RowWarning, 'code' | 'field'>): string =>
  `${code}.${field}`

/** The rows of one cause, by index. `suggestions`: how many of them have a likely value. */
export type WarningGroup = {
  key: string
  code: WarningCode
  field: RowField
  rows: number[]
  suggestions: number
  /** The value if all suggestions of the group are the same one. */
  suggestion: string | null
}

/** The warnings of the table by cause and field, the largest group first. */
export function warningGroups(rows: readonly GridRow[], warn: RowWarner): WarningGroup[] {
  const groups = new Map<string, WarningGroup>()
  rows.forEach((row, index) => {
    for (const warning of warn(row)) {
      const { code, field, suggestion } = warning
      const key = warningKey(warning)
      const group = groups.get(key) ?? {
        key,
        code,
        field,
        rows: [],
        suggestions: 0,
        suggestion: null,
      }
      groups.set(key, group)
      group.rows.push(index)
      if (!suggestion) continue
      group.suggestion =
        group.suggestions === 0 || group.suggestion === suggestion.label ? suggestion.label : null
      group.suggestions += 1
    }
  })
  return [...groups.values()].toSorted((a, b) => b.rows.length - a.rows.length)
}

/** How many rows have a warning. */
export const countWarnedRows = (rows: readonly GridRow[], warn: RowWarner): number =>
  rows.reduce((count, row) => (warn(row).length > 0 ? count + 1 : count), 0)

/** The rows with the likely values of one cause taken; other rows stay the same objects. */
export const takeSuggestions = (
  rows: readonly GridRow[],
  key: WarningGroup['key'],
  warn: RowWarner,
): GridRow[] =>
  rows.map(row => {
    const warning = warn(row).find(one => warningKey(one) === key)
    return warning ? takeSuggestion(row, warning) : row
  })
