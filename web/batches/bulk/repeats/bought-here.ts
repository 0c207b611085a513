/**
 * Labels without order id that were ordered on this browser in the last 24 hours: the server cannot
 * compare those. Kept are hashes, no names. A label whose purchase failed is forgotten, once the server
 * has told how its bulk order ended.
 */
import { receiverKey } from '#contract/row-address.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MAX_REMEMBERED = 20_000

const storageKey = (userId: string): string => `evenpost-bought-${userId}`

/** 64 bits as text (two FNV-1a passes). */
function hashOf(text: string): string {
  let first = 0x811c9dc5
  let second = 0x01000193
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ code ^ (first >>> 15), 0x85ebca6b)
  }
  return (first >>> 0).toString(36) + (second >>> 0).toString(36)
}

/** Null for rows with an order id and without a receiver. */
function rowHash(row: GridRow): string | null {
  const receiver = row.orderId === '' ? receiverKey(row) : ''
  return receiver === '' ? null : hashOf(`${receiver}\n${row.skuNumber}\n${row.quantity}`)
}

/** `orderId` and `row` (from 1) until it is known that the label was bought. */
type RememberedLabel = [hash: string, at: number, orderId?: string, row?: number]

/** What the server says of a bulk order: its rows (from 1) without a label. */
export type OrderOutcome = { isEnded: boolean; failedRows: ReadonlySet<number> }

function readRemembered(userId: string, now: number): RememberedLabel[] {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey(userId)) ?? '[]') as RememberedLabel[]
    return stored.filter(([, at]) => now - at < DAY_MS)
  } catch {
    return []
  }
}

function store(userId: string, labels: readonly RememberedLabel[]): void {
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify(labels.slice(-MAX_REMEMBERED)))
  } catch {
    // Storage is full or forbidden; the warning is a help only.
  }
}

/** Call when the rows were accepted. `now` in ms. Without storage nothing is remembered. */
export function rememberBought(
  userId: string,
  orderId: string,
  rows: readonly GridRow[],
  now: number,
): void {
  const added = rows.flatMap((row, index): RememberedLabel[] => {
    const hash = rowHash(row)
    return hash === null ? [] : [[hash, now, orderId, index + 1]]
  })
  if (added.length > 0) store(userId, [...readRemembered(userId, now), ...added])
}

/** The bulk orders of which it is not known yet which labels were bought. `now` in ms. */
export const ordersWithoutOutcome = (userId: string, now: number): string[] => [
  ...new Set(readRemembered(userId, now).flatMap(([, , orderId]) => orderId ?? [])),
]

/** Forgets the failed labels of a bulk order; null: all, the server does not know it. `now` in ms. */
export function applyOutcome(
  userId: string,
  orderId: string,
  outcome: OrderOutcome | null,
  now: number,
): void {
  const labels = readRemembered(userId, now).flatMap((label): RememberedLabel[] => {
    const [hash, at, ofOrder, row] = label
    if (ofOrder !== orderId) return [label]
    if (!outcome || (row !== undefined && outcome.failedRows.has(row))) return []
    return [outcome.isEnded ? [hash, at] : label]
  })
  store(userId, labels)
}

/** Of a browser that remembers no label. */
export const NEVER_BOUGHT = (): boolean => false

/**
 * Whether a row equals one that was bought here in the last 24 hours, or is being bought: `running`
 * are bulk orders that have not ended. `now` in ms.
 */
export function boughtBeforeOn(
  userId: string,
  now: number,
  running: ReadonlySet<string>,
): (row: GridRow) => boolean {
  const hashes = new Set(
    readRemembered(userId, now)
      .filter(([, , orderId]) => orderId === undefined || running.has(orderId))
      .map(([hash]) => hash),
  )
  if (hashes.size === 0) return NEVER_BOUGHT
  return row => {
    const hash = rowHash(row)
    return hash !== null && hashes.has(hash)
  }
}
