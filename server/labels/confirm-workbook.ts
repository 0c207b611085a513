import { confirmableItems } from './auto-confirm.ts'
import type { ConfirmItem, ConfirmPlan, ConfirmRow } from './auto-confirm.ts'

/** Columns of a Walmart order report that tell what was shipped, in its order. */
const SHIPPED_COLUMNS = ['Update Status', 'Update Qty', 'Carrier', 'Tracking Number'] as const
type ShippedColumn = (typeof SHIPPED_COLUMNS)[number]

/** A report of 2026 has it beside `Tracking Number`. */
const SECOND_TRACKING = 'update tracking number'

/** Columns of items whose source columns are missing. */
const ID_COLUMNS = ['PO#', 'Line#', 'Qty'] as const

const MAX_COLUMNS = 300
const nameOf = (column: string): string => column.trim().toLowerCase()

/** Collects the columns of the sheet: those of all items in their order, then missing ones. */
export function createWalmartColumns(): {
  add(row: ConfirmRow, plan: ConfirmPlan): void
  columns(): string[]
} {
  const columns = new Map<string, string>()
  const add = (column: string): void => {
    const name = nameOf(column)
    if (!columns.has(name) && columns.size < MAX_COLUMNS) columns.set(name, column)
  }
  return {
    add(row, plan) {
      if (row.bought)
        for (const item of confirmableItems<ConfirmItem>(row, plan))
          for (const column of Object.keys(cellsOf(item))) add(column)
    },
    columns() {
      const missing = SHIPPED_COLUMNS.filter(column => !columns.has(nameOf(column)))
      return [...columns.values(), ...missing]
    },
  }
}

/** The sheet's own cells of an item. */
const cellsOf = ({ extra, orderId, orderItemId, quantity }: ConfirmItem): Record<string, string> =>
  extra && Object.keys(extra).length > 0
    ? extra
    : Object.fromEntries(
        [orderId ?? '', orderItemId ?? '', String(quantity ?? 1)].map((text, index) => [
          ID_COLUMNS[index]!,
          text,
        ]),
      )

/** A line for each item of a purchased row, with status, carrier and tracking number filled in. */
export function walmartLines(
  row: ConfirmRow,
  plan: ConfirmPlan,
  columns: readonly string[],
): string[][] {
  const { bought } = row
  if (bought === null) return []
  return confirmableItems<ConfirmItem>(row, plan).map(item => {
    const shipped: Record<ShippedColumn, string> = {
      'Update Status': 'Shipped',
      'Update Qty': String(item.quantity ?? 1),
      Carrier: 'USPS',
      'Tracking Number': bought.trackingNumber,
    }
    const filled = new Map<string, string>([
      ...Object.entries(cellsOf(item)).map(([column, text]) => [nameOf(column), text] as const),
      ...Object.entries(shipped).map(([column, text]) => [nameOf(column), text] as const),
      [SECOND_TRACKING, bought.trackingNumber],
    ])
    return columns.map(column => filled.get(nameOf(column)) ?? '')
  })
}
