/** Validation of the order items of a row, as row-rules.ts validates its fields. */
import { cellError } from './row-rules.ts'
import { emptyRow, parseItems } from './rows.ts'
import type { RowField, RowItem } from './rows.ts'

/** Of one row. */
export const MAX_ROW_ITEMS = 500
/** Characters of all `extra` columns of one row, with their names. */
export const MAX_ROW_EXTRA = 4_096

const FIELD_OF: readonly [key: keyof RowItem, field: RowField][] = [
  ['orderId', 'orderId'],
  ['orderItemId', 'orderItemId'],
  ['sku', 'skuNumber'],
  ['quantity', 'quantity'],
]

/** What is wrong with the items of a row, as they were sent; null if they are valid or missing. */
export function itemsProblem(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) return 'Items must be a list of order items'
  if (value.length > MAX_ROW_ITEMS)
    return `A row must have at most ${MAX_ROW_ITEMS} order items; this has ${value.length}. Take it apart`
  const items = parseItems(value)
  for (const [index, given] of value.entries()) {
    const problem = shapeProblem(given) ?? itemError(items[index]!)
    if (problem !== null) return `Order item ${index + 1}: ${problem}`
  }
  const length = items.reduce((sum, item) => sum + extraLength(item), 0)
  return length > MAX_ROW_EXTRA
    ? `The extra columns of all order items must have at most ${MAX_ROW_EXTRA} characters; these have ${length}`
    : null
}

function shapeProblem(given: unknown): string | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'must be an object with orderItemId, sku and quantity'
  const item = given as Partial<Record<keyof RowItem, unknown>>
  for (const [key] of FIELD_OF) if (!isText(item[key] ?? '')) return `${key} must be text`
  const extra = item.extra ?? {}
  return typeof extra === 'object' && !Array.isArray(extra) && Object.values(extra).every(isText)
    ? null
    : 'extra must have texts by column name'
}

const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

const NO_ROW = emptyRow()

/** The first wrong field, by the rules of a row. */
function itemError(item: RowItem): string | null {
  for (const [key, field] of FIELD_OF) {
    const error = cellError(field, (item[key] as string | undefined) ?? '', NO_ROW)
    if (error !== null) return error
  }
  return null
}

/** Characters of an item's extra columns, with their names. */
export function extraLength({ extra }: RowItem): number {
  let length = 0
  for (const column in extra) length += column.length + extra[column]!.length
  return length
}
