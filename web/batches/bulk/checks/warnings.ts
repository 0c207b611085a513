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
import { ROWS_AT_ONCE } from './in-turns.ts'

/** `places` is undefined until the ZIP table is loaded. `boughtBefore`: of bought-here.ts. */
type WarningSources = {
  places: ZipPlaces | undefined
  skus: ReadonlyMap<string, SkuMeasures>
  boughtBefore?: (row: GridRow) => boolean
}

export type RowWarner = (row: GridRow) => readonly RowWarning[]

const NO_WARNINGS: readonly RowWarning[] = []

/** `warn`: of any row of the table. `rowCount`: rows with a warning. `groups`: by cause and field, the largest first. */
export type TableWarnings = { warn: RowWarner; groups: WarningGroup[]; rowCount: number }

/**
 * The warnings of a table, in steps of about a millisecond. Equal `sources` share the checks of the row alone; only the orders of
 * receivers are counted again when `rows` change.
 */
export function* warningSteps(
  rows: readonly GridRow[],
  sources: WarningSources,
): Generator<undefined, TableWarnings> {
  const own = cacheFor(sources)
  const orders = createOrderCount()
  for (const [index, row] of rows.entries()) {
    orders.add(receiverOf(row), row.orderId)
    ownWarnings(row, sources, own)
    if (isEndOfStep(index)) yield
  }
  const warn = rowWarnerFor(orders, sources, own)
  const groups = new Map<string, WarningGroup>()
  let rowCount = 0
  for (const [index, row] of rows.entries()) {
    const found = warn(row)
    if (found.length > 0) rowCount += 1
    for (const warning of found) addToGroup(groups, warning, index)
    if (isEndOfStep(index)) yield
  }
  const bySize = [...groups.values()].toSorted((a, b) => b.rows.length - a.rows.length)
  return { warn, groups: bySize, rowCount }
}

const isEndOfStep = (index: number): boolean => (index + 1) % ROWS_AT_ONCE === 0

function rowWarnerFor(
  orders: ReturnType<typeof createOrderCount>,
  sources: WarningSources,
  own: CachedWarnings,
): RowWarner {
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

function addToGroup(groups: Map<string, WarningGroup>, warning: RowWarning, index: number): void {
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
  if (!suggestion) return
  group.suggestion =
    group.suggestions === 0 || group.suggestion === suggestion.label ? suggestion.label : null
  group.suggestions += 1
}

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
