/**
 * Labels without order id that were ordered on this browser in the last 24 hours: the server cannot
 * compare those. Kept are hashes, no names.
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

type RememberedLabels = [hash: string, at: number][]

function readRemembered(userId: string, now: number): RememberedLabels {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey(userId)) ?? '[]') as RememberedLabels
    return stored.filter(([, at]) => now - at < DAY_MS)
  } catch {
    return []
  }
}

/** Call when the rows were accepted. `now` in ms. Without storage nothing is remembered. */
export function rememberBought(userId: string, rows: readonly GridRow[], now: number): void {
  const added = rows.flatMap((row): RememberedLabels => {
    const hash = rowHash(row)
    return hash === null ? [] : [[hash, now]]
  })
  if (added.length === 0) return
  try {
    const all = [...readRemembered(userId, now), ...added].slice(-MAX_REMEMBERED)
    localStorage.setItem(storageKey(userId), JSON.stringify(all))
  } catch {
    // Storage is full or forbidden; the warning is a help only.
  }
}

/** Whether a row equals one that was ordered here in the last 24 hours. `now` in ms. */
export function boughtBeforeOn(userId: string, now: number): (row: GridRow) => boolean {
  const hashes = new Set(readRemembered(userId, now).map(([hash]) => hash))
  if (hashes.size === 0) return () => false
  return row => {
    const hash = rowHash(row)
    return hash !== null && hashes.has(hash)
  }
}
