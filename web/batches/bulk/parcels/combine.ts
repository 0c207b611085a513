/**
 * One label for several lines: rows of one order or one address become one row, and apart again.
 * Pure; rows that are not combined stay the same objects.
 */
import { ROW_GROUPINGS } from '#contract/imports.ts'
import type { RowGrouping } from '#contract/imports.ts'
import { OPTION_FIELDS } from '#contract/label-options.ts'
import { extraLength, MAX_ROW_EXTRA, MAX_ROW_ITEMS } from '#contract/row-items.ts'
import { parseMeasure } from '#contract/row-rules.ts'
import { FIELDS, MEASURES } from '#contract/rows.ts'
import type { BulkRow, RowField, RowItem } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { groupingTexts } from '#web/batches/bulk/checks/texts.ts'
import { withOptions } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { descriptionOf, itemsOf, sumOfQuantities } from './row-items.ts'
import { groupKey } from './row-keys.ts'

type Skus = ReadonlyMap<string, SkuMeasures>

/** Fields that belong to the box, not to its lines: an edit of them ends when the row is taken apart. */
const BOX_FIELDS: ReadonlySet<RowField> = new Set([
  ...MEASURES,
  'PackageDescription',
  'PackageReference1',
  'PackageReference2',
  'orderId',
  'orderItemId',
  'quantity',
  'skuNumber',
])
const SHARED_FIELDS = FIELDS.map(({ name }) => name).filter(name => !BOX_FIELDS.has(name))

/**
 * The rows with one label for each line, order or address. Rows that were combined before are taken
 * apart first; one whose lines stay together is kept with its edits. Rows of different senders,
 * services, files or options are not combined, nor are rows without order id (`order`) or address. A group
 * beyond a row's limits of items becomes several rows, each with a notice.
 */
export const combineRows = (rows: readonly GridRow[], by: RowGrouping, skus: Skus): GridRow[] =>
  takeAllSteps(combineSteps(rows, by, skus))

/** What steps lead to, without a pause between them. */
export function takeAllSteps<T>(steps: Iterator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

const GROUPS_OF_A_STEP = 200

/** `combineRows` in steps of about a millisecond, for a page that is in use. */
function* combineSteps(
  rows: readonly GridRow[],
  by: RowGrouping,
  skus: Skus,
): Generator<undefined, GridRow[]> {
  const lines = takeAllApart(rows)
  if (by === 'line') return lines
  const groups = new Map<string, GridRow[]>()
  for (const line of lines) {
    const key = groupKey(line, by)
    const group = groups.get(key)
    if (group) group.push(line)
    else groups.set(key, [line])
  }
  yield
  const earlier = new Map(rows.flatMap(row => (row.parts ? [[row.id, row]] : [])))
  const combined: GridRow[] = []
  let count = 0
  for (const all of groups.values()) {
    const labels = splitByLimits(all)
    for (const group of labels) {
      const [first] = group as [GridRow]
      const kept = group.length === 1 ? first : earlier.get(first.id)
      const stays = kept && (group.length === 1 || hasSameIds(kept.parts ?? [], group))
      const row = stays ? kept : combineLines(group, skus)
      if (!stays && labels.length > 1)
        row.notices.push(groupingTexts.tooLarge(all.length, labels.length))
      combined.push(row)
    }
    if (++count % GROUPS_OF_A_STEP === 0) yield
  }
  return combined
}

/** A row carries a limited number of items and of their extra columns; further lines begin another. */
function splitByLimits(lines: GridRow[]): GridRow[][] {
  if (lines.length === 1) return [lines]
  const groups: GridRow[][] = [[]]
  let items = 0
  let extra = 0
  for (const line of lines) {
    const added = itemsOf(line)
    const addedExtra = added.reduce((sum, item) => sum + extraLength(item), 0)
    if (items + added.length > MAX_ROW_ITEMS || extra + addedExtra > MAX_ROW_EXTRA) {
      if (items > 0) groups.push([])
      items = 0
      extra = 0
    }
    groups.at(-1)!.push(line)
    items += added.length
    extra += addedExtra
  }
  return groups
}

const hasSameIds = (a: readonly GridRow[], b: readonly GridRow[]): boolean =>
  a.length === b.length && a.every(({ id }, index) => id === b[index]!.id)

/** The rows apart again, in the order of their ids where the table was in that order. */
export function takeAllApart(rows: readonly GridRow[]): GridRow[] {
  if (!rows.some(row => row.parts)) return [...rows]
  const stay = rows.flatMap(row => (row.parts ? partsOf(row).slice(0, 1) : [row]))
  const moved = rows
    .flatMap(row => (row.parts ? partsOf(row).slice(1) : []))
    .toSorted((a, b) => idNumber(a) - idNumber(b))
  const apart: GridRow[] = []
  let next = 0
  for (const row of stay) {
    while (next < moved.length && idNumber(moved[next]!) < idNumber(row)) apart.push(moved[next++]!)
    apart.push(row)
  }
  return [...apart, ...moved.slice(next)]
}

const idNumber = ({ id }: GridRow): number => Number(id.slice('row-'.length))

/** The lines of a combined row in its place; the same rows if there is no combined row of this id. */
export const takeApart = (rows: readonly GridRow[], id: GridRow['id']): GridRow[] =>
  rows.flatMap(row => (row.id === id && row.parts ? partsOf(row) : [row]))

/**
 * The lines as they were. What was changed in the combined row's addresses, service, options and courier is
 * changed in each of them; the box's weight, size and quantity were never theirs.
 */
function partsOf({ parts = [], ...row }: GridRow): GridRow[] {
  const [first] = parts
  if (!first) return []
  const changed = SHARED_FIELDS.filter(name => row[name] !== sharedValue(parts, name))
  const hasOtherOptions = OPTION_FIELDS.some(name => row[name] !== first[name])
  if (changed.length === 0 && !hasOtherOptions) return parts
  return parts.map(part => {
    const next: GridRow = { ...(hasOtherOptions ? withOptions(part, row) : part), notices: [] }
    for (const name of changed) next[name] = row[name]
    return next
  })
}

/** The first line decides; what it leaves empty, the next one that has it. */
const sharedValue = (parts: readonly GridRow[], name: RowField): string =>
  parts.find(part => part[name] !== '')?.[name] ?? ''

/** One row of several lines; `parts` keeps them. */
function combineLines(lines: readonly GridRow[], skus: Skus): GridRow {
  const first = lines[0]!
  const row: GridRow = {
    ...first,
    notices: [...new Set(lines.flatMap(line => line.notices))],
    items: itemsOfLines(lines, first.orderId),
    parts: [...lines],
  }
  for (const name of SHARED_FIELDS) row[name] = sharedValue(lines, name)
  const names = new Set(lines.map(line => line.skuNumber))
  row.skuNumber = names.size === 1 ? first.skuNumber : ''
  row.quantity = sumOfQuantities(lines.map(line => line.quantity))
  row.PackageDescription = descriptionOf(lines)
  row.PackageReference1 = lines.every(line => line.PackageReference1 === line.quantity)
    ? row.quantity
    : sharedValue(lines, 'PackageReference1')
  row.PackageReference2 = lines.every(line => line.PackageReference2 === line.skuNumber)
    ? row.skuNumber
    : sharedValue(lines, 'PackageReference2')
  row.PackageWeight = summedWeight(lines, skus)
  const largest = largestOf(lines)
  row.PackageLength = largest.PackageLength
  row.PackageWidth = largest.PackageWidth
  row.PackageHeight = largest.PackageHeight
  return row
}

/**
 * A combined row with changed lines. What was typed in the row stays; sums, sizes and descriptions
 * follow the lines. `before` and `after`: the SKU records, which decide the lines' weights.
 */
export function withLines<Row extends BulkRow & Pick<GridRow, 'parts'>>(
  row: Row,
  change: (line: GridRow) => GridRow,
  before: Skus,
  after: Skus,
): Row {
  const lines = row.parts?.map(change) ?? []
  if (!row.parts || lines.every((line, index) => line === row.parts![index])) return row
  const was = combineLines(row.parts, before)
  const now = combineLines(lines, after)
  const next: Row = { ...row, parts: lines, items: now.items }
  const cells: BulkRow = next
  for (const name of BOX_FIELDS)
    if (row[name] === was[name] || row[name] === '') cells[name] = now[name]
  return next
}

const itemsOfLines = (lines: readonly GridRow[], orderId: string): RowItem[] =>
  lines.flatMap(line =>
    itemsOf(line).map(item =>
      item.orderId === undefined && line.orderId !== orderId
        ? { ...item, orderId: line.orderId }
        : item,
    ),
  )

/**
 * The sum in pounds with up to four decimals; '' if a line has no weight. A line with its SKU's usual
 * weight weighs that once for each package its quantity fills.
 */
function summedWeight(lines: readonly GridRow[], skus: Skus): string {
  let sum = 0
  for (const line of lines) {
    const weight = lineWeight(line, skus.get(line.skuNumber))
    if (weight === null) return ''
    sum += weight
  }
  return String(Math.round(sum * 10_000) / 10_000)
}

function lineWeight(line: GridRow, sku: SkuMeasures | undefined): number | null {
  const weight = parseMeasure(line.PackageWeight.trim())
  if (!sku || (weight !== null && weight !== sku.weight)) return weight
  const quantity = Number(line.quantity)
  return sku.weight * (quantity > sku.maxQty ? Math.ceil(quantity / sku.maxQty) : 1)
}

/** The line with the largest volume; the first one where none has all three measures. */
function largestOf(lines: readonly GridRow[]): GridRow {
  const volume = (line: GridRow): number =>
    [line.PackageLength, line.PackageWidth, line.PackageHeight].reduce(
      (product, measure) => product * (parseMeasure(measure.trim()) ?? 0),
      1,
    )
  return lines.reduce((largest, line) => (volume(line) > volume(largest) ? line : largest))
}

/** Whether the weight of a combined row is still the sum of its lines. */
export const hasSummedWeight = ({ parts, PackageWeight }: GridRow, skus: Skus): boolean =>
  parts !== undefined && parts.length > 1 && PackageWeight === summedWeight(parts, skus)

/**
 * `labels`: how many; `cents`: the price of those that have one, null while it is unknown; `unpriced`:
 * how many have none.
 */
export type GroupingOption = {
  by: RowGrouping
  labels: number
  cents: number | null
  unpriced: number
}
export type GroupedRows = { by: RowGrouping; rows: GridRow[] }

export function* groupingSteps(
  rows: readonly GridRow[],
  skus: Skus,
): Generator<undefined, GroupedRows[]> {
  const groupings: GroupedRows[] = []
  for (const by of ROW_GROUPINGS) groupings.push({ by, rows: yield* combineSteps(rows, by, skus) })
  return groupings
}

/** How many labels each grouping makes, and what they cost; a row without a price hides no other's. */
export const optionsOf = (
  groupings: readonly GroupedRows[],
  priceOf: (row: GridRow) => { cents: number | null; pending: boolean },
): GroupingOption[] =>
  groupings.map(({ by, rows }) => {
    let cents = 0
    let unpriced = 0
    let isPending = false
    for (const row of rows) {
      const price = priceOf(row)
      isPending ||= price.pending
      cents += price.cents ?? 0
      if (price.cents === null) unpriced += 1
    }
    const isUnknown = isPending || unpriced === rows.length
    return { by, labels: rows.length, cents: isUnknown ? null : cents, unpriced }
  })
