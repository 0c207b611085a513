/**
 * What customers owe for labels beyond their price. A balance never falls below zero: what it does
 * not cover waits, and is collected oldest first in the transaction that brings money in.
 * Lock order: the balance, then the charges of its owner.
 */
import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { publishLowBalance } from './low-balance.ts'
import {
  addCollected,
  endCharge,
  insertOwedCharge,
  lockCharge,
  lockWaiting,
  raiseOwedCharge,
  selectChargeOwner,
} from './owed-store.ts'
import type { NewCharge, WaitingCharge } from './owed-store.ts'
import { allot, transferKeys } from './rules.ts'
import { insertTransfers, lockAvailable, selectWallets } from './store.ts'

export {
  waiveWaiting as waiveOwed,
  selectCharge as chargeOf,
  selectWaiting as waitingBySubject,
  sumWaiting as waitingOf,
} from './owed-store.ts'

/**
 * Charges a customer for a label once per subject, as far as the balance goes; the rest waits.
 * Returns what was collected of it now (zero for a repeat).
 */
export async function chargeOwed(tx: Tx, charge: NewCharge): Promise<Cents> {
  const before = await lockAvailable(tx, charge.ownerId)
  return (await insertOwedCharge(tx, charge)) ? collectNew(tx, charge, before) : ZERO
}

/**
 * Charges `charge.cents` more for the subject than before, as far as the balance goes; the rest
 * waits. The caller makes sure that it is done once, and not after the charge was given back.
 */
export async function raiseCharge(tx: Tx, charge: NewCharge): Promise<void> {
  const before = await lockAvailable(tx, charge.ownerId)
  await raiseOwedCharge(tx, charge)
  await collectNew(tx, charge, before)
}

async function collectNew(
  tx: Tx,
  { ownerId, subject }: Pick<NewCharge, 'ownerId' | 'subject'>,
  before: Cents,
): Promise<Cents> {
  const collected = await collectOwed(tx, [ownerId])
  const all = cents([...collected.values()].reduce((sum, one) => sum + one, 0))
  if (all > 0) await publishLowBalance(tx, ownerId, before, all)
  return collected.get(subject) ?? ZERO
}

const NOTHING: ReadonlyMap<string, Cents> = new Map()

/** Collects what waits. The balances are locked by the caller. Returns what it collected, by subject. */
export async function collectOwed(
  tx: Tx,
  ownerIds: readonly number[],
): Promise<ReadonlyMap<string, Cents>> {
  if (ownerIds.length === 0) return NOTHING
  const waiting = await lockWaiting(tx, ownerIds)
  if (waiting.length === 0) return NOTHING
  const owners = [...new Set(waiting.map(({ ownerId }) => ownerId))]
  const wallets = await selectWallets(tx, owners)
  const collected = allot(
    waiting,
    new Map(wallets.map(({ ownerId, available }) => [ownerId, available])),
  )
  if (collected.length === 0) return NOTHING
  await insertTransfers(
    tx,
    collected.map(({ charge, cents: amount }) => ({
      ownerId: charge.ownerId,
      kind: 'carrier_charge' as const,
      cents: amount,
      key: transferKeys.collect(charge.subject, charge.collections + 1),
      orderId: charge.orderId,
      reason: charge.reason,
    })),
  )
  await addCollected(
    tx,
    collected.map(({ charge, cents: amount }) => ({ id: charge.id, cents: amount })),
  )
  return new Map(collected.map(({ charge, cents: amount }) => [charge.subject, amount]))
}

/** Charges that wait, oldest first. Needs the owner's balance locked. */
export const waitingCharges = (tx: Tx, ownerId: number): Promise<WaitingCharge[]> =>
  lockWaiting(tx, [ownerId])

/**
 * Takes at most `most` of a charge back: first what waits is no longer owed, then what was
 * collected goes back to the balance, in one transfer. Returns both. Call it once per charge.
 */
export async function giveBackCharge(
  tx: Tx,
  subject: string,
  by: { most: Cents; actorId: number; reason: string },
): Promise<{ returned: Cents; waived: Cents }> {
  const ownerId = await selectChargeOwner(tx, subject)
  if (ownerId === undefined) return { returned: ZERO, waived: ZERO }
  await lockAvailable(tx, ownerId)
  const { waiting, kept, orderId } = await lockCharge(tx, subject)
  const waived = cents(Math.min(waiting, by.most))
  const returned = cents(Math.min(kept, by.most - waived))
  await endCharge(tx, subject, { waived, returned })
  if (returned > 0) {
    const { actorId, reason } = by
    const key = transferKeys.returned(subject)
    await insertTransfers(tx, [
      { ownerId, kind: 'carrier_credit', cents: returned, key, orderId, actorId, reason },
    ])
    await collectOwed(tx, [ownerId])
  }
  return { returned, waived }
}

/** Credits the carrier's own credit to the customer. The subject is credited once. */
export async function creditCustomer(tx: Tx, credit: NewCharge): Promise<void> {
  const { ownerId, orderId, subject, reason } = credit
  await insertTransfers(tx, [
    {
      ownerId,
      kind: 'carrier_credit',
      cents: credit.cents,
      key: transferKeys.carrierCredit(subject),
      orderId,
      reason,
    },
  ])
  await collectOwed(tx, [ownerId])
}

/** Books a change of what the carrier charged for a label; `amount` below zero: it charged less. */
export async function postCarrierCost(
  tx: Tx,
  label: { ownerId: number; orderId: number },
  subject: string,
  amount: Cents,
): Promise<void> {
  if (amount === ZERO) return
  await insertTransfers(tx, [
    {
      ...label,
      kind: amount > 0 ? 'carrier_cost' : 'carrier_cost_back',
      cents: cents(Math.abs(amount)),
      key: transferKeys.carrierCost(subject),
    },
  ])
}
