/** Validation of the order items of a row, as row-rules.ts validates its fields. */
import type { FieldFault } from './faults.ts'
import { cellFault } from './row-rules.ts'
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
export function itemsFault(value: unknown): FieldFault | null {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) return wrongType('Items must be a list of order items')
  if (value.length > MAX_ROW_ITEMS)
    return {
      code: 'too_many',
      text: `A row must have at most ${MAX_ROW_ITEMS} order items; this has ${value.length}. Split it into several rows`,
    }
  const items = parseItems(value)
  for (const [index, given] of value.entries()) {
    const fault = shapeFault(given) ?? itemFault(items[index]!)
    if (fault !== null) return { ...fault, text: `Order item ${index + 1}: ${fault.text}` }
  }
  const length = items.reduce((sum, item) => sum + extraLength(item), 0)
  return length > MAX_ROW_EXTRA
    ? {
        code: 'too_long',
        text: `The extra columns of all order items must have at most ${MAX_ROW_EXTRA} characters; these have ${length}`,
      }
    : null
}

export const itemsProblem = (value: unknown): string | null => itemsFault(value)?.text ?? null

const wrongType = (text: string): FieldFault => ({ code: 'wrong_type', text })

function shapeFault(given: unknown): FieldFault | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return wrongType('must be an object with orderItemId, sku and quantity')
  const item = given as Partial<Record<keyof RowItem, unknown>>
  for (const [key] of FIELD_OF)
    if (!isText(item[key] ?? '')) return wrongType(`${key} must be text`)
  const extra = item.extra ?? {}
  return typeof extra === 'object' && !Array.isArray(extra) && Object.values(extra).every(isText)
    ? null
    : wrongType('extra must have texts by column name')
}

const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

const NO_ROW = emptyRow()

/** The first wrong field, by the rules of a row. */
function itemFault(item: RowItem): FieldFault | null {
  for (const [key, field] of FIELD_OF) {
    const fault = cellFault(field, (item[key] as string | undefined) ?? '', NO_ROW)
    if (fault !== null) return fault
  }
  return null
}

/** Characters of an item's extra columns, with their names. */
export function extraLength({ extra }: RowItem): number {
  let length = 0
  for (const column in extra) length += column.length + extra[column]!.length
  return length
}
