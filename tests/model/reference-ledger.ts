/** The reference ledger: what each step does to whom, and which steps it refuses. */

import type { TransferKind } from '#server/ledger/rules.ts'
import type { Posting } from '#server/ledger/store.ts'

/** Whole cents. `spent`: captures less refunds. */
export type WalletTotals = { available: number; held: number; deposited: number; spent: number }

export type LedgerEntry = Pick<Posting, 'ownerId' | 'kind' | 'key' | 'orderId' | 'round'> & {
  cents: number
}

/** `once`: what happens to a label one time only. */
export type ReferenceLedger = {
  wallets: Map<number, WalletTotals>
  entries: Map<string, LedgerEntry>
  once: Set<string>
}

const WALLET_EFFECTS: Record<TransferKind, Partial<Record<keyof WalletTotals, 1 | -1>>> = {
  deposit: { available: 1, deposited: 1 },
  hold: { available: -1, held: 1 },
  release: { available: 1, held: -1 },
  capture: { held: -1, spent: 1 },
  refund: { available: 1, spent: -1 },
  adjust_up: { available: 1 },
  adjust_down: { available: -1 },
  reversal: { available: -1, deposited: -1 },
  carrier_charge: { available: -1, spent: 1 },
  carrier_credit: { available: 1, spent: -1 },
  carrier_cost: {},
  carrier_cost_back: {},
}

/** A service may cost nothing; deposits and adjustments may not be zero. */
const MAY_BE_ZERO = new Set<TransferKind>(['hold', 'release', 'capture', 'refund'])

function uniqueMarks({ kind, orderId, round }: LedgerEntry): string[] {
  switch (kind) {
    case 'capture':
      return [`label ${orderId} captured`, `round ${round} of label ${orderId} settled`]
    case 'release':
      return [`round ${round} of label ${orderId} settled`]
    case 'refund':
      return [`label ${orderId} refunded`]
    default:
      return []
  }
}

export const openReferenceLedger = (owners: readonly number[]): ReferenceLedger => ({
  wallets: new Map(owners.map(id => [id, { available: 0, held: 0, deposited: 0, spent: 0 }])),
  entries: new Map(),
  once: new Set(),
})

/** Enters a step whole or not at all. Says how many entries were new; an entry that is there already is left alone. */
export function enterStep(
  books: ReferenceLedger,
  step: readonly LedgerEntry[],
): number | 'refused' {
  const after = structuredClone(books)
  for (const entry of step) {
    const key = `${entry.ownerId} ${entry.key}`
    const there = after.entries.get(key)
    if (there && (there.kind !== entry.kind || there.cents !== entry.cents)) return 'refused'
    if (there) continue
    if (entry.cents < 0 || (entry.cents === 0 && !MAY_BE_ZERO.has(entry.kind))) return 'refused'
    for (const mark of uniqueMarks(entry)) {
      if (after.once.has(mark)) return 'refused'
      after.once.add(mark)
    }
    after.entries.set(key, entry)
    const wallet = after.wallets.get(entry.ownerId)!
    for (const [pocket, sign] of Object.entries(WALLET_EFFECTS[entry.kind]))
      wallet[pocket as keyof WalletTotals] += sign * entry.cents
  }
  if ([...after.wallets.values()].some(wallet => wallet.available < 0 || wallet.held < 0))
    return 'refused'
  const news = after.entries.size - books.entries.size
  Object.assign(books, after)
  return news
}
