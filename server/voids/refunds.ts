import { dollars, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { RefundState } from '#contract/refunds.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { contextOfAccount } from '#server/carriers/service.ts'
import { chargeOwed, isCharged, waitingBySubject } from '#server/ledger/owed-charges.ts'
import type { LabelContext } from '#server/orders/context.ts'
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

const scanSubject = (orderId: number): string => `voided-scan:${orderId}`

/**
 * Charges the refund of a scanned label back, once. Returns what of it still waits for money. Throws
 * Refusal: 404, 409 for a label that was not voided, not scanned afterwards, or free, and for one of
 * a deleted account.
 */
export const chargeScannedLabel = (
  { database }: LabelContext,
  actorId: number,
  orderId: number,
): Promise<{ charged: Cents; waiting: Cents; message: string }> =>
  database.tx(async tx => {
    const label = await lockVoidedLabel(tx, orderId)
    if (!label) throw new Refusal('order_unknown', `There is no label ${orderId}`)
    const { ownerId, price, scannedOn, isVoided, isDeleted } = label
    if (!isVoided || scannedOn === null)
      throw new Refusal(
        'wrong_state',
        `Label ${orderId} cannot be charged back: only a voided label that the carrier scanned afterwards can`,
      )
    if (isDeleted)
      throw new Refusal(
        'wrong_state',
        `The account of label ${orderId} was deleted and has no balance`,
      )
    if (price === ZERO)
      throw new Refusal('wrong_state', `Label ${orderId} was free, so nothing was refunded`)
    const subject = scanSubject(orderId)
    if (!(await isCharged(tx, subject))) {
      const reason = `Refunded label was used: the carrier scanned it on ${scannedOn}`
      await chargeOwed(tx, { ownerId, orderId, subject, reason, cents: price })
      await insertAuditEntry(tx, {
        actorId,
        subjectId: ownerId,
        action: 'voided-scan-charged',
        detail: { orderId, amount: dollars(price) },
      })
    }
    const waiting = (await waitingBySubject(tx, [subject])).get(subject) ?? ZERO
    const rest = waiting > 0 ? `; ${usd(waiting)} of it waits until money comes in` : ''
    return { charged: price, waiting, message: `${usd(price)} was charged back${rest}` }
  })
