import { countText } from '#contract/format.ts'
import { texts } from './texts.ts'

/** Lines of a file that become no row. `reason`: 'cancelled'; `orders`: how many these lines name. */
export type LeftOut = { reason: string; lines: number; orders: number }

/** The lines and orders that are left out, by reason. Lines count the file's records from 1. */
export type LeftOutLines = Map<string, { lines: number[]; orders: Set<string> }>

const NAMED_LINES = 10

export function leaveOut(left: LeftOutLines, reason: string, line: number, order: string): void {
  const found = left.get(reason) ?? { lines: [], orders: new Set() }
  left.set(reason, found)
  found.lines.push(line)
  if (order !== '') found.orders.add(order)
}

export const countLeftOut = (left: LeftOutLines): LeftOut[] =>
  Array.from(left, ([reason, { lines, orders }]) => ({
    reason,
    lines: lines.length,
    orders: orders.size,
  }))

/** One sentence for each reason. */
export const leftOutNotices = (left: LeftOutLines): string[] =>
  Array.from(left, ([reason, { lines, orders }]) =>
    texts.leftOut(
      lines.length,
      orders.size > 0 ? ` (${countText(orders.size, 'order')})` : '',
      reason,
      lines.slice(0, NAMED_LINES).join(', ') + (lines.length > NAMED_LINES ? ', …' : ''),
    ),
  )
