/**
 * What only an operator can decide: late money, and credits whose payment was taken back. Each decision is one transaction under the
 * invoice's lock, written into the audit; the second of two clicks finds nothing left to decide.
 */
import { cents, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { credit, reverseCredit, walletsOf } from '#server/ledger/service.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { creditableAmount, netCredited, reversibleAmount, reviewStateKey } from './rules.ts'
import { checkInvoiceNow, invoiceFor } from './service.ts'
import type { IssuedInvoice, PaymentsContext } from './service.ts'
import { lockInvoice, recordDecision, selectInReview } from './store.ts'
import type { ReviewRow } from './store.ts'

/**
 * A deposit that waits, and what can be done: `creditable` to the balance, `owed` back from it, of which it has `takeable`. Of one that the
 * payment service has lost nothing can be said.
 */
export type ReviewItem = ReviewRow & { creditable: Cents; owed: Cents; takeable: Cents }

/** A page of the deposits that wait for a decision, oldest first. Pages count from 1. */
export async function listReviewItems(
  { database: { db } }: PaymentsContext,
  page: number,
  limit: number,
): Promise<{ rows: ReviewItem[]; total: number }> {
  const { rows, total } = await selectInReview(db, (page - 1) * limit, limit)
  const wallets = await walletsOf(
    db,
    rows.map(row => row.userId),
  )
  return {
    total,
    rows: rows.map(row => {
      if (row.lostAt !== null) return { ...row, creditable: ZERO, owed: ZERO, takeable: ZERO }
      const owed = reversibleAmount(row, netCredited(row))
      const takeable = cents(Math.min(owed, wallets.get(row.userId)?.available ?? ZERO))
      return { ...row, creditable: creditableAmount(row, netCredited(row)), owed, takeable }
    }),
  }
}

/**
 * Credits the confirmed money of a deposit in review, as the payment service has it now. Throws Refusal 'conflict' when there is none, as
 * on the second of two clicks, and 'unavailable'.
 */
export async function creditAfterReview(
  payments: PaymentsContext,
  admin: Caller,
  externalId: string,
): Promise<IssuedInvoice> {
  const { id } = await checkInvoiceNow(payments, admin, externalId)
  return payments.database.tx(async tx => {
    const row = refuseIfLost((await lockInvoice(tx, id)) as IssuedInvoice)
    const amount = creditableAmount(row, netCredited(row))
    if (!row.needsReview || amount === 0)
      throw new Refusal('conflict', 'There is no confirmed money to credit on this deposit')
    await credit(tx, row.userId, amount, {
      id,
      provider: row.provider,
      externalId: row.externalId,
      n: row.creditCount + 1,
    })
    const detail = { invoice: externalId, amount: usd(amount) }
    await insertAuditEntry(tx, {
      actorId: admin.userId,
      subjectId: row.userId,
      action: 'deposit-credited',
      detail,
    })
    return recordDecision(tx, id, {
      credit: amount,
      reviewedAs: reviewStateKey(row, cents(netCredited(row) + amount)),
    }) as Promise<IssuedInvoice>
  })
}

/** Money is moved by what the payment service says now, not by what it said before it lost the invoice. */
function refuseIfLost(row: IssuedInvoice): IssuedInvoice {
  if (row.lostAt === null) return row
  throw new Refusal(
    'conflict',
    'The payment service does not know this invoice any more. Set the balance by hand, or lay it aside.',
  )
}

/**
 * Takes a credit back whose payment did not stay, as far as the balance has the money; what is missing stays owed, and in the list.
 * Throws Refusal 'conflict' when nothing is owed or nothing is there, and 'unavailable'.
 */
export async function reverseAfterReview(
  payments: PaymentsContext,
  admin: Caller,
  externalId: string,
): Promise<{ row: IssuedInvoice; taken: Cents; owed: Cents }> {
  const { id } = await checkInvoiceNow(payments, admin, externalId)
  return payments.database.tx(async tx => {
    const row = refuseIfLost((await lockInvoice(tx, id)) as IssuedInvoice)
    const due = reversibleAmount(row, netCredited(row))
    if (!row.needsReview || due === 0)
      throw new Refusal('conflict', 'Nothing of this deposit is to be taken back')
    const { provider, userId, reversalCount } = row
    const taken = await reverseCredit(tx, userId, due, admin.userId, {
      id,
      provider,
      externalId,
      n: reversalCount + 1,
    })
    if (taken === 0)
      throw new Refusal('conflict', `The balance is empty: ${usd(due)} of this deposit stays owed`)
    const owed = cents(due - taken)
    const detail = { invoice: externalId, amount: usd(taken), ...(owed > 0 && { owed: usd(owed) }) }
    await insertAuditEntry(tx, {
      actorId: admin.userId,
      subjectId: userId,
      action: 'deposit-reversed',
      detail,
    })
    const reviewedAs = owed > 0 ? null : reviewStateKey(row, cents(netCredited(row) - taken))
    return {
      row: (await recordDecision(tx, id, { reversal: taken, reviewedAs })) as IssuedInvoice,
      taken,
      owed,
    }
  })
}

/**
 * Lays a deposit aside as it is: nothing is credited and nothing taken back, for the reason given. It comes again when the payment
 * service says something else of it. Throws Refusal 'conflict' when it does not wait for review.
 */
export async function dismissReview(
  payments: PaymentsContext,
  admin: Caller,
  externalId: string,
  reason: string,
): Promise<IssuedInvoice> {
  const { id } = await invoiceFor(payments, admin, externalId)
  return payments.database.tx(async tx => {
    const row = (await lockInvoice(tx, id)) as IssuedInvoice
    if (!row.needsReview) throw new Refusal('conflict', 'This deposit does not wait for review')
    const detail = { invoice: externalId, reason }
    await insertAuditEntry(tx, {
      actorId: admin.userId,
      subjectId: row.userId,
      action: 'deposit-dismissed',
      detail,
    })
    return recordDecision(tx, id, {
      reviewedAs: reviewStateKey(row, netCredited(row)),
    }) as Promise<IssuedInvoice>
  })
}
