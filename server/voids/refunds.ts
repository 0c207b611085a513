import { cents, dollars, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { RefundState } from '#contract/refunds.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { assertMayGive, lockMoneyMoves } from '#server/accounts/balance-adjustments.ts'
import { contextOfAccount } from '#server/carriers/service.ts'
import {
  chargeOf,
  chargeOwed,
  giveBackCharge,
  waitingBySubject,
} from '#server/ledger/owed-charges.ts'
import { chargeSubject } from '#server/ledger/rules.ts'
import { orderNotFound } from '#server/orders/access.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { selectRefunds, selectRefundsDue, lockVoidedLabel, sumRefunds } from './refunds-store.ts'
import type { RefundDueRow, RefundRow, RefundSums } from './refunds-store.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * `expectedAt`: null for a stopped refund, and where the carrier has not accepted the request or tells no number of days, and
 * for labels of a carrier account that is not connected.
 */
export type RefundView = RefundRow & { expectedAt: Date | null }

export async function refundsOf(
  ctx: LabelContext,
  userId: number,
  state: RefundState | null,
  { page, limit }: { page: number; limit: number },
): Promise<{ refunds: RefundView[]; total: number; sums: RefundSums }> {
  const { db } = ctx.database
  const rows = await selectRefunds(db, userId, state, {
    offset: (page - 1) * limit,
    limit,
  })
  const sums = await sumRefunds(db, userId)
  const { pending, refunded, refused } = sums
  const daysOf = ({ account }: RefundRow): number | undefined => {
    const days = (account === null ? ctx : contextOfAccount(ctx, account))?.carrier.voidDecisionDays
    return days === undefined ? undefined : days + ctx.config.refundDelayDays
  }
  return {
    refunds: rows.map(row => ({ ...row, expectedAt: expectedAt(row, daysOf(row)) })),
    total: state === null ? pending.count + refunded.count + refused.count : sums[state].count,
    sums,
  }
}

const expectedAt = (
  { state, submittedAt, refundDueAt, isStopped }: RefundRow,
  days: number | undefined,
): Date | null =>
  refundDueAt
    ? isStopped
      ? null
      : refundDueAt
    : state === 'pending' && submittedAt && days !== undefined
      ? new Date(submittedAt.getTime() + days * DAY_MS)
      : null

export const openRefunds = ({ database }: LabelContext): Promise<RefundDueRow[]> =>
  selectRefundsDue(database.db)

/**
 * Charges the refund of a scanned label back, once. Returns what of it still waits for money. Throws
 * Refusal: 404, 409 for a label that was not voided, not scanned afterwards, free, or refunded by
 * decision after its scan, and for one of a deleted account.
 */
export const chargeScannedLabel = (
  { database }: LabelContext,
  actorId: number,
  orderId: number,
): Promise<{ charged: Cents; waiting: Cents; message: string }> =>
  database.tx(async tx => {
    const label = await lockVoidedLabel(tx, orderId)
    if (!label) throw orderNotFound()
    const { ownerId, price, scannedOn, isVoided, isDecided, isDeleted } = label
    const credited = (await chargeOf(tx, chargeSubject('voidCredit', orderId)))?.left ?? ZERO
    const refunded = cents(price - credited)
    if (!isVoided || scannedOn === null)
      throw new Refusal(
        'wrong_state',
        `Label ${orderId} cannot be charged back: only a voided label that the carrier scanned afterwards can`,
      )
    if (isDecided)
      throw new Refusal(
        'wrong_state',
        `Label ${orderId} cannot be charged back: an administrator gave its refund after the scan`,
      )
    if (refunded === ZERO)
      throw new Refusal('wrong_state', `Label ${orderId} was free, so nothing was refunded`)
    const subject = chargeSubject('voidedScan', orderId)
    const before = await chargeOf(tx, subject)
    if (before?.isGivenBack)
      throw new Refusal(
        'already_done',
        `Label ${orderId} was charged back before, and the charge was given back`,
      )
    if (!before) {
      if (isDeleted)
        throw new Refusal(
          'wrong_state',
          `The account of label ${orderId} was deleted and is not charged. `
            + `Take ${usd(refunded)} from its balance under User Management, status Deleted.`,
        )
      const reason = `Refunded label was used: the carrier scanned it on ${scannedOn}`
      await chargeOwed(tx, { ownerId, orderId, subject, reason, cents: refunded })
      await insertAuditEntry(tx, {
        actorId,
        subjectId: ownerId,
        action: 'voided-scan-charged',
        detail: { orderId, amount: dollars(refunded) },
      })
    }
    const waiting = (await waitingBySubject(tx, [subject])).get(subject) ?? ZERO
    const rest = waiting > 0 ? `; ${usd(waiting)} of it waits until money comes in` : ''
    return { charged: refunded, waiting, message: `${usd(refunded)} was charged back${rest}` }
  })

/**
 * Gives the charge of a scanned label back to its customer, whole and once: what waits is no longer
 * owed, what was collected returns to the balance. A repeat changes nothing. Throws Refusal: 404,
 * 409 for a label that was not charged back or whose account was deleted, 403 for the actor's own
 * label and beyond their daily limit.
 */
export const giveScanChargeBack = (
  ctx: LabelContext,
  actorId: number,
  orderId: number,
  reason: string,
): Promise<{ given: Cents; message: string }> =>
  ctx.database.tx(async tx => {
    await lockMoneyMoves(tx, actorId)
    const label = await lockVoidedLabel(tx, orderId)
    if (!label) throw orderNotFound()
    const subject = chargeSubject('voidedScan', orderId)
    const charge = await chargeOf(tx, subject)
    if (!charge)
      throw new Refusal(
        'wrong_state',
        `Label ${orderId} was not charged back, so there is nothing to give back`,
      )
    if (label.isDeleted && charge.left > ZERO)
      throw new Refusal(
        'wrong_state',
        `The account of label ${orderId} was deleted. `
          + `Add ${usd(charge.left)} to its balance under User Management, status Deleted.`,
      )
    const { cents: given, left, isGivenBack } = charge
    if (!isGivenBack) {
      if (label.ownerId === actorId)
        throw new Refusal(
          'not_your_own',
          'You cannot decide this for yourself. Another administrator can.',
        )
      await assertMayGive(ctx, tx, actorId, left)
      await giveBackCharge(tx, subject, {
        most: left,
        actorId,
        reason: 'The charge of a scanned label was given back',
      })
      await insertAuditEntry(tx, {
        actorId,
        subjectId: label.ownerId,
        action: 'voided-scan-returned',
        detail: { orderId, amount: dollars(left), reason },
      })
    }
    return { given, message: `${usd(given)} was given back` }
  })

/** What of the charge of a scanned label can be given back; null without one, and once it was. */
export async function scanChargeOf(db: Db, orderId: number): Promise<Cents | null> {
  const charge = await chargeOf(db, chargeSubject('voidedScan', orderId))
  return charge && !charge.isGivenBack ? charge.left : null
}
