/**
 * Files as the exports of shops and marketplaces write them, from made-up orders, with the rows that
 * they should become.
 */
import type { SourceId } from '#contract/sources.ts'
import { advancedOrderExport, bigcommerce, customerOrderExport } from './seller-carts.ts'
import type { ExpectedRow, Format } from './seller-lines.ts'
import { ebay, etsy, etsyItems, shopify, tiktok, walmart } from './seller-marketplaces.ts'
import { sellerOrders } from './seller-orders.ts'
import { amazon, template } from './seller-reports.ts'

/**
 * `header` and `records`: the table; `text`: the file of such a table, with what stands around it.
 * `rows` and `leftOut`: what it should become.
 */
export type SellerFile = {
  fileName: string
  header: string[]
  records: string[][]
  text: (header: readonly string[], records: readonly string[][]) => string
  rows: ExpectedRow[]
  leftOut: { reason: string; lines: number; orders: number }[]
}

export const SELLER_FILES = {
  template,
  amazon,
  shopify,
  etsy,
  etsyItems,
  ebay,
  walmart,
  tiktok,
  advancedOrderExport,
  customerOrderExport,
  bigcommerce,
} satisfies Record<string, Format>
export type SellerFormat = keyof typeof SELLER_FILES

/** How `importFile` names the source of each. */
export const SOURCE_OF: Record<SellerFormat, SourceId> = {
  template: 'template',
  amazon: 'amazon',
  shopify: 'shopify',
  etsy: 'etsy',
  etsyItems: 'etsy-items',
  ebay: 'ebay',
  walmart: 'walmart',
  tiktok: 'tiktok',
  advancedOrderExport: 'woocommerce',
  customerOrderExport: 'woocommerce',
  bigcommerce: 'bigcommerce',
}

/** The file of so many orders. */
export function sellerFile(name: SellerFormat, orders = 200, seed = 7): SellerFile {
  const format: Format = SELLER_FILES[name]
  const header = format.columns.trim().split(/,\s*/)
  const lines = [
    ...(format.first ?? []),
    ...sellerOrders(orders, seed).flatMap(order => format.lines(order)),
    ...(format.last ?? []),
  ]
  const left = new Map<string, { lines: number; orders: Set<string> }>()
  for (const { reason, order } of lines) {
    if (reason === undefined) continue
    const found = left.get(reason) ?? { lines: 0, orders: new Set() }
    left.set(reason, found)
    found.lines += 1
    if (order) found.orders.add(order)
  }
  return {
    fileName: format.fileName,
    header,
    records: lines.map(({ cells }) => header.map(column => String(cells[column] ?? ''))),
    text: (columns, records) => textOf(format, columns, records),
    rows: lines.flatMap(({ row }, index) => (row ? [{ ...row, line: index + 1 }] : [])),
    leftOut: Array.from(left, ([reason, found]) => ({
      reason,
      lines: found.lines,
      orders: found.orders.size,
    })),
  }
}

function textOf(
  { above = '', delimiter = ',' }: Format,
  header: readonly string[],
  records: readonly (readonly string[])[],
): string {
  const quoted = (cell: string) =>
    delimiter !== '\t' && /[",;\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  const lines = [header, ...records].map(cells => cells.map(quoted).join(delimiter))
  return above + lines.join('\r\n') + '\r\n'
}
