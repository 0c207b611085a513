/**
 * Deposits that need an operator's decision: late payments, and credits whose payment was
 * invalidated. Each decision is one transaction under the invoice's lock, with an audit entry; a
 * second click finds nothing to decide.
 */
import { cents, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { credit, reverseCredit, walletsOf } from '#server/ledger/service.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { creditableAmount, netCredited, reversibleAmount, reviewStateKey } from './rules.ts'
import { checkInvoiceNow, invoiceFor } from './service.ts'
import type { PaymentsContext } from './service.ts'
import { lockInvoice, recordDecision, selectInReview, selectReviewIds } from './store.ts'
import type { IdPage, IssuedInvoice, ReviewRow } from './store.ts'

/**
 * In cents. `creditable`: may still be added to the balance. `owed`: was credited but must be
 * reversed. `takeable`: the part of `owed` that the balance covers. All zero for an invoice that
 * the provider has lost. `seen`: names the state, for a dismissal.
 */
export type ReviewItem = ReviewRow & {
  creditable: Cents
  owed: Cents
  takeable: Cents
  seen: string
}

/** Oldest first; pages count from 1. */
export const findIdsInReview = (
  { database: { db } }: PaymentsContext,
  page: number,
  limit: number,
): Promise<IdPage> => selectReviewIds(db, (page - 1) * limit, limit)

export async function depositsInReview(
  { database: { db } }: PaymentsContext,
  ids: readonly number[],
): Promise<ReviewItem[]> {
  const rows = await selectInReview(db, ids)
  const wallets = await walletsOf(
    db,
    rows.map(row => row.userId),
  )
  return rows.map(row => {
    const seen = seenKey(row)
    if (row.lostAt !== null) return { ...row, creditable: ZERO, owed: ZERO, takeable: ZERO, seen }
    const owed = reversibleAmount(row, netCredited(row))
    const takeable = cents(Math.min(owed, wallets.get(row.userId)?.available ?? ZERO))
    return { ...row, creditable: creditableAmount(row, netCredited(row)), owed, takeable, seen }
  })
}

/** A lost invoice shows no amounts. */
const seenKey = (row: IssuedInvoice | ReviewRow): string =>
  `${row.lostAt === null ? '' : 'Lost '}${reviewStateKey(row, netCredited(row))}`

/**
 * Credits the confirmed amount of a deposit in review, after a look-up. Throws Refusal 409
 * if there is none, as on a second click, and 503.
 */
export async function creditAfterReview(
  payments: PaymentsContext,
  admin: Caller,
  externalId: string,
): Promise<IssuedInvoice> {
  const { id } = await checkInvoiceNow(payments, admin, externalId)
  return payments.database.tx(async tx => {
    const row = refuseIfLost(await lockInvoice(tx, id))
    const amount = creditableAmount(row, netCredited(row))
    if (!row.needsReview || amount === 0)
      throw new Refusal('wrong_state', 'This deposit has no confirmed amount to credit')
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
    })
  })
}

/** Money moves by the provider's current state only, not by the one before it lost the invoice. */
function refuseIfLost(row: IssuedInvoice): IssuedInvoice {
  if (row.lostAt === null) return row
  throw new Refusal(
    'invoice_gone',
    'The payment service no longer has this invoice. Adjust the balance manually or dismiss the deposit.',
  )
}

/**
 * Reverses a credit whose payment was invalidated, as far as the balance covers it; the rest stays
 * owed and in review. Throws Refusal 409 if nothing is owed or the balance is empty, and
 * 503.
 */
export async function reverseAfterReview(
  payments: PaymentsContext,
  admin: Caller,
  externalId: string,
): Promise<{ row: IssuedInvoice; taken: Cents; owed: Cents }> {
  const { id } = await checkInvoiceNow(payments, admin, externalId)
  return payments.database.tx(async tx => {
    const row = refuseIfLost(await lockInvoice(tx, id))
    const due = reversibleAmount(row, netCredited(row))
    if (!row.needsReview || due === 0)
      throw new Refusal('nothing_to_do', 'This deposit has nothing to reverse')
    const { provider, userId, reversalCount } = row
    const taken = await reverseCredit(tx, userId, due, admin.userId, {
      id,
      provider,
      externalId,
      n: reversalCount + 1,
    })
    if (taken === 0)
      throw new Refusal(
        'balance_empty',
        `The balance is empty: ${usd(due)} of this deposit stays owed`,
      )
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
      row: await recordDecision(tx, id, { reversal: taken, reviewedAs }),
      taken,
      owed,
    }
  })
}

/**
 * Dismisses a deposit without moving money. It returns to review when its state at the provider
 * changes. Throws Refusal 409 if it is not in review, and if its state is not the one `seen`.
 */
export async function dismissReview(
  payments: PaymentsContext,
  admin: Caller,
  externalId: string,
  reason: string,
  seen?: string,
): Promise<IssuedInvoice> {
  const { id } = await invoiceFor(payments, admin, externalId)
  return payments.database.tx(async tx => {
    const row = await lockInvoice(tx, id)
    if (!row.needsReview) throw new Refusal('wrong_state', 'This deposit is not in review')
    if (seen !== undefined && seen !== seenKey(row))
      throw new Refusal(
        'changed_meanwhile',
        'This deposit has changed since you opened it. Nothing was changed; look at it again.',
      )
    const detail = { invoice: externalId, reason }
    await insertAuditEntry(tx, {
      actorId: admin.userId,
      subjectId: row.userId,
      action: 'deposit-dismissed',
      detail,
    })
    return recordDecision(tx, id, {
      reviewedAs: reviewStateKey(row, netCredited(row)),
    })
  })
}
