import { askWhatBecame } from '#server/carriers/ask.ts'
import { claimUnknown, expireLeases } from './queue-store.ts'
import type { Claim } from './queue-store.ts'
import { settleFindings } from './settle.ts'
import type { WithOrders } from './settle.ts'

/** How long a label may be in one process's hands. More than the carrier's time-out, so that an answer is settled inside it. */
export const LEASE_MS = 15_000
const LOOKED_UP_AT_ONCE = 200

/**
 * Finds out what became of labels that nobody has in hand any more: expired leases become unknown, unknown ones are looked up at
 * the carrier and settled by what it says. Nothing is bought here. Answers whether anything was looked up.
 */
export async function reconcile(house: WithOrders): Promise<boolean> {
  const expired = await house.database.tx(expireLeases)
  const batches = [...new Set(expired.filter(id => id !== null))]
  if (batches.length > 0) house.batchKeeper.progressed(batches)
  const claims = await house.database.tx(tx => claimUnknown(tx, LOOKED_UP_AT_ONCE, LEASE_MS))
  if (claims.length === 0) return false
  await lookUp(house, claims)
  return true
}

/** Asks the carrier what became of labels and settles what it says. */
export async function lookUp(house: WithOrders, claims: Claim[]): Promise<void> {
  const findings = await Promise.all(claims.map(async claim => ({
    claim, found: await askWhatBecame(house.carrier, { reference: String(claim.id), round: claim.round }, house.config.carrierTimeoutMs),
  })))
  await settleFindings(house, findings)
}
