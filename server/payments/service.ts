/**
 * Deposits. The payment provider is called outside any transaction; its response is recorded and
 * credited in one. Only `syncInvoice` and an operator's review credit money, under keys that follow
 * from the invoice, so that a repeat credits nothing.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { InvoiceStatus } from '#contract/payments.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { requireVerifiedEmail } from '#server/accounts/email-verification.ts'
import { getUser, userExists } from '#server/accounts/service.ts'
import { credit } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { RequestLimits } from '#server/platform/http/request-limits.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { ProviderUnavailable } from './port.ts'
import type { PaymentProvider, ProviderInvoice } from './port.ts'
import { decideCredit, netCredited, nextLookup } from './rules.ts'
import {
  saveIssuedInvoice,
  drawLookupNumber,
  claimCreation,
  claimDueInvoices,
  expireUnissued,
  findByExternalId,
  findInvoice,
  findOpenInvoice,
  insertInvoice,
  lockInvoice,
  markForgottenInvoicesDue,
  markOpenInvoicesDue,
  recordLookup,
  recordInvoiceMissing,
  releaseCreation,
  selectDepositIds,
  selectDeposits,
  setAsideInvoice,
} from './store.ts'
import type { IdPage, InvoiceRow, IssuedInvoice } from './store.ts'

export { hasInvoices, markAllInvoicesDue } from './store.ts'
export type { IssuedInvoice } from './store.ts'

export type PaymentsContext = Context & {
  provider: PaymentProvider
  limits: Pick<RequestLimits, 'countAttempt'>
}

const TRY_LATER = 'The payment service is not available right now. Try again in a moment.'

/** Each invoice that is set aside is looked up some 70 times in two days. */
const NEW_AMOUNTS_A_DAY = 20
const DAY_SECONDS = 24 * 60 * 60
const TOO_MANY_AMOUNTS =
  `The amount can be changed ${NEW_AMOUNTS_A_DAY} times a day. `
  + 'Pay the open invoice with any amount, or name another amount after it has expired.'

/**
 * The user's open unpaid invoice, looked up again, or a new one. An open invoice of another amount
 * than `requested` is set aside. Simultaneous requests get the same invoice. Throws Refusal
 * 429, 404 (unknown user), 403 (an address that must be verified first) or
 * 503.
 */
export async function getTopUpInvoice(
  payments: PaymentsContext,
  userId: number,
  requested: Cents | null = null,
): Promise<IssuedInvoice> {
  await payments.limits.countAttempt(`top-up:${userId}`, 60, 60)
  // A second attempt is needed if the open invoice proves paid or expired; a third after a
  // simultaneous request.
  for (let turn = 0; turn < 3; turn++) {
    const open = await findOrInsertInvoice(payments, userId, requested)
    const fresh =
      open.externalId === null
        ? await ensureIssued(payments, open)
        : await syncInvoice(payments, open.id)
    if (fresh && fresh.status === 'New' && fresh.paid === 0) return fresh
  }
  throw new Refusal('payments_unavailable', TRY_LATER, { retryAfter: 1 })
}

/** Our record is written first, so that a crash after the provider's response loses nothing. */
async function findOrInsertInvoice(
  payments: PaymentsContext,
  userId: number,
  requested: Cents | null,
): Promise<InvoiceRow> {
  const { db } = payments.database
  for (let turn = 0; turn < 3; turn++) {
    const open = await findOpenInvoice(db, userId)
    if (open && (requested === null || open.requested === requested)) return open
    requireVerifiedEmail(payments.config.requireVerifiedEmail, await getUser(db, userId))
    if (open)
      await payments.limits.countAttempt(
        `top-up-amounts:${userId}`,
        NEW_AMOUNTS_A_DAY,
        DAY_SECONDS,
        TOO_MANY_AMOUNTS,
      )
    const inserted = await payments.database.tx(async tx => {
      if (open) await setAsideInvoice(tx, open.id)
      return insertInvoice(tx, userId, payments.provider.name, requested)
    })
    if (inserted) return inserted
  }
  throw new Refusal('payments_unavailable', TRY_LATER, { retryAfter: 1 })
}

/**
 * Creates the invoice at the provider, or waits while another request does. Null if it expired
 * before that.
 */
async function ensureIssued(
  payments: PaymentsContext,
  row: InvoiceRow,
): Promise<IssuedInvoice | null> {
  const { db } = payments.database
  for (let turn = 0; turn < 100; turn++) {
    const claim = await payments.database.tx(tx => claimCreation(tx, row.id, ['New']))
    if (claim) return issueAtProvider(payments, claim)
    const current = await findInvoice(db, row.id)
    if (current && isIssued(current)) return current
    if (current?.status !== 'New') return null
    await wait(100)
  }
  throw new Refusal('payments_unavailable', TRY_LATER, { retryAfter: 5 })
}

async function issueAtProvider(
  payments: PaymentsContext,
  claim: InvoiceRow,
): Promise<IssuedInvoice | null> {
  const { provider, database } = payments
  try {
    // An earlier attempt may have succeeded without a response, so it is looked up first.
    const found =
      claim.createAttempts > 1
        ? await callProvider(payments, provider.findByReference(claim.reference))
        : null
    const issued =
      found
      ?? (await callProvider(
        payments,
        provider.create({ reference: claim.reference, requested: claim.requested }),
      ))
    const row =
      (await database.tx(tx => saveIssuedInvoice(tx, claim.id, issued)))
      ?? (await findInvoice(database.db, claim.id))
    return row && isIssued(row) ? row : null
  } catch (error) {
    await database.tx(tx => releaseCreation(tx, claim.id))
    throw error
  }
}

/**
 * Looks up the invoice at the provider, then records and credits its state in one transaction.
 * Concurrent look-ups credit once; one that began before the last recorded look-up changes nothing.
 * An invoice that the provider has lost is closed and put in review. Null if the provider never
 * created it. Throws Refusal 503.
 */
export async function syncInvoice(
  payments: PaymentsContext,
  id: number,
): Promise<IssuedInvoice | null> {
  const { database } = payments
  const { lookup, now } = await drawLookupNumber(database.db)
  const before = await findInvoice(database.db, id)
  if (!before) throw new Error(`invoice ${id} does not exist`)
  const known = isIssued(before) ? before : await recoverIssued(payments, before)
  if (!known) return null
  const remote = await readAtProvider(payments, known)
  if (remote === null) return markLost(payments, known, lookup)
  if (remote.reference !== known.reference) {
    throw new Error(
      `invoice ${id} is not ours at the payment provider: ${known.externalId} belongs to ${remote.reference}`,
    )
  }
  return database.tx(async tx => {
    const row = await lockInvoice(tx, id)
    if (row.lastLookup > lookup) return row
    const { credit: amount, net, review } = decideCredit(remote, row, now)
    const isOrphan =
      (amount > 0 || (row.needsReview && netCredited(row) > 0))
      && !(await userExists(tx, row.userId))
    if (amount > 0) await creditAndAudit(tx, row, amount)
    // A deleted user's balance cannot be spent: an operator decides.
    const isToReview = review || isOrphan
    if (isToReview && !row.needsReview)
      payments.log.warn({ invoice: id, status: remote.status }, 'a deposit needs review')
    const settledAt = remote.status === 'Settled' ? (row.settledAt ?? now) : null
    return recordLookup(tx, id, lookup, remote, {
      credit: amount,
      review: isToReview,
      settledAt,
      nextLookupAt: nextLookup({ ...remote, settledAt }, net, now),
    })
  })
}

/**
 * The invoice's current state at the provider; null if the provider has lost it. The list by
 * reference confirms that: an unknown store fails there, and a listed invoice is not lost.
 */
async function readAtProvider(
  payments: PaymentsContext,
  { externalId, reference }: IssuedInvoice,
): Promise<ProviderInvoice | null> {
  const { provider } = payments
  const invoice = await callProvider(payments, provider.read(externalId))
  if (invoice) return invoice
  const listed = await callProvider(payments, provider.findByReference(reference))
  return listed?.id === externalId ? listed : null
}

async function markLost(
  { database, log }: PaymentsContext,
  { id, externalId }: IssuedInvoice,
  lookup: number,
): Promise<IssuedInvoice> {
  return database.tx(async tx => {
    const row = await lockInvoice(tx, id)
    if (row.lastLookup > lookup) return row
    if (row.lostAt === null)
      log.warn(
        { invoice: id, externalId, status: row.status },
        'the payment provider has lost an invoice',
      )
    return recordInvoiceMissing(tx, id, lookup)
  })
}

async function creditAndAudit(tx: Tx, row: IssuedInvoice, amount: Cents): Promise<void> {
  const { id, provider, externalId } = row
  if (!(await credit(tx, row.userId, amount, { id, provider, externalId, n: row.creditCount + 1 })))
    return
  await insertAuditEntry(tx, {
    actorId: null,
    subjectId: row.userId,
    action: 'deposit',
    detail: { invoice: externalId, amount: usd(amount) },
  })
}

/**
 * Looks up an invoice whose creation got no response, also one that was set aside meanwhile, without
 * creating another.
 */
async function recoverIssued(
  payments: PaymentsContext,
  row: InvoiceRow,
): Promise<IssuedInvoice | null> {
  const { provider, database } = payments
  const claim = await database.tx(tx => claimCreation(tx, row.id, ['New', 'Expired']))
  if (!claim) return null
  const found = await callProvider(payments, provider.findByReference(row.reference))
  if (found) return (await database.tx(tx => saveIssuedInvoice(tx, row.id, found))) ?? null
  await database.tx(async tx => {
    if (!(await expireUnissued(tx, row.id))) await releaseCreation(tx, row.id)
  })
  return null
}

/** Logs the reason of a failure for the operator; the caller gets Refusal 503. */
async function callProvider<T>(
  { log, provider }: PaymentsContext,
  response: Promise<T>,
): Promise<T> {
  try {
    return await response
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    log.warn(
      { provider: provider.name, problem: error.message },
      'the payment provider gave no valid response',
    )
    throw new Refusal('payments_unavailable', TRY_LATER, { retryAfter: 5 })
  }
}

const isIssued = (row: InvoiceRow): row is IssuedInvoice => row.externalId !== null

/** The invoice with the provider's id, for its owner and administrators; 404 for others. */
export async function invoiceFor(
  payments: PaymentsContext,
  caller: Caller,
  externalId: string,
): Promise<IssuedInvoice> {
  const row = await findByExternalId(payments.database.db, payments.provider.name, externalId)
  const isAdmin = caller.role === 'admin' && caller.impersonatorId === null
  if (!row || (row.userId !== caller.userId && !isAdmin))
    throw new Refusal('invoice_unknown', 'Invoice not found')
  return row as IssuedInvoice
}

/** Looks up an invoice on request, at most 120 times a minute per user. */
export async function checkInvoiceNow(
  payments: PaymentsContext,
  caller: Caller,
  externalId: string,
): Promise<IssuedInvoice> {
  const row = await invoiceFor(payments, caller, externalId)
  await payments.limits.countAttempt(`check-invoice:${caller.userId}`, 120, 60)
  return (await syncInvoice(payments, row.id)) ?? row
}

/** Newest first; pages count from 1; `status` null: all. */
export const depositIdsOf = (
  payments: PaymentsContext,
  userId: number,
  status: InvoiceStatus | null,
  page: number,
  limit: number,
): Promise<IdPage> =>
  selectDepositIds(payments.database.db, userId, status, (page - 1) * limit, limit)

/** Newest first. */
export const depositsByIds = (
  payments: PaymentsContext,
  ids: readonly number[],
): Promise<InvoiceRow[]> => selectDeposits(payments.database.db, ids)

/**
 * Looks up at most `most` due invoices concurrently; returns their ids and the errors of failed
 * look-ups.
 */
export async function pollDueInvoices(
  payments: PaymentsContext,
  most: number,
): Promise<{ ids: number[]; errors: unknown[] }> {
  const ids = await payments.database.tx(tx => claimDueInvoices(tx, most))
  const errors: unknown[] = []
  await Promise.all(
    ids.map(id => syncInvoice(payments, id).catch((error: unknown) => errors.push(error))),
  )
  return { ids, errors }
}

/** At start: open invoices may have changed while no process was running. */
export const scheduleOpenInvoices = (payments: PaymentsContext): Promise<void> =>
  payments.database.tx(markOpenInvoicesDue)

const SCHEDULED_AT_ONCE = 1_000

/** Ends early when `isStopping`; the next call schedules the others. */
export async function scheduleForgottenInvoices(
  { database }: PaymentsContext,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const schedule = (after: number) =>
    database.tx(tx => markForgottenInvoicesDue(tx, after, SCHEDULED_AT_ONCE))
  let last: number | null = 0
  while (last !== null && !isStopping()) last = await schedule(last)
}
