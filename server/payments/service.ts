/**
 * Deposits. The payment service is asked outside any transaction; what it says is recorded and credited in one. Money is only ever
 * credited by `syncInvoice` and by an operator's word, under keys that follow from the invoice, so that no repetition counts twice.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { InvoiceStatus } from '#contract/payments.ts'
import { unknownUser } from '#server/accounts/service.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { findUser, userExists } from '#server/accounts/store.ts'
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
  beginLookup,
  claimCreation,
  claimDueInvoices,
  expireUnissued,
  findByExternalId,
  findInvoice,
  findOpenInvoice,
  insertInvoice,
  lockInvoice,
  markOpenInvoicesDue,
  recordLookup,
  recordLost,
  releaseCreation,
  selectDeposits,
} from './store.ts'
import type { InvoiceRow } from './store.ts'

export { markAllInvoicesDue } from './store.ts'

/** What the room needs: the house, a payment service, and limits. */
export type PaymentsContext = Context & {
  provider: PaymentProvider
  limits: Pick<RequestLimits, 'countAttempt'>
}

/** A row that the payment service knows. */
export type IssuedInvoice = InvoiceRow & { externalId: string }

const TRY_LATER = 'The payment service cannot be reached just now. Please try again in a moment.'

/**
 * An invoice to pay into a user's balance: his open unpaid one, looked up afresh, or a new one. Clicks at the same moment get the
 * same invoice. Throws Refusal 'too_many', 'not_found' (no such user) or 'unavailable'.
 */
export async function getTopUpInvoice(
  payments: PaymentsContext,
  userId: number,
): Promise<IssuedInvoice> {
  await payments.limits.countAttempt(`top-up:${userId}`, 60, 60)
  // A second turn is needed when the open one turns out to be paid or expired; a third when somebody else was at it meanwhile.
  for (let turn = 0; turn < 3; turn++) {
    const open = await findOrInsertInvoice(payments, userId)
    const fresh =
      open.externalId === null
        ? await ensureIssued(payments, open)
        : await syncInvoice(payments, open.id)
    if (fresh && fresh.status === 'New' && fresh.paid === 0) return fresh
  }
  throw new Refusal('unavailable', TRY_LATER, undefined, 1)
}

/** Our own record comes first, so that a crash after the payment service's answer loses nothing. */
async function findOrInsertInvoice(payments: PaymentsContext, userId: number): Promise<InvoiceRow> {
  const { db } = payments.database
  for (let turn = 0; turn < 3; turn++) {
    const open = await findOpenInvoice(db, userId)
    if (open) return open
    if (!(await findUser(db, userId))) throw unknownUser()
    const begun = await payments.database.tx(tx =>
      insertInvoice(tx, userId, payments.provider.name),
    )
    if (begun) return begun
  }
  throw new Refusal('unavailable', TRY_LATER, undefined, 1)
}

/**
 * Has the payment service make the invoice, or waits while somebody else does. Null when it expired unmade. A former attempt may
 * have been made without our hearing of it, so it is looked for first.
 */
async function ensureIssued(
  payments: PaymentsContext,
  row: InvoiceRow,
): Promise<IssuedInvoice | null> {
  const { db } = payments.database
  for (let turn = 0; turn < 100; turn++) {
    const claim = await payments.database.tx(tx => claimCreation(tx, row.id))
    if (claim) return issueAtProvider(payments, claim)
    const now = await findInvoice(db, row.id)
    if (now && isIssued(now)) return now
    if (now?.status !== 'New') return null
    await wait(100)
  }
  throw new Refusal('unavailable', TRY_LATER, undefined, 5)
}

async function issueAtProvider(
  payments: PaymentsContext,
  claim: InvoiceRow,
): Promise<IssuedInvoice | null> {
  const { provider, database } = payments
  try {
    const found =
      claim.createAttempts > 1
        ? await askProvider(payments, provider.findByReference(claim.reference))
        : null
    const made =
      found ?? (await askProvider(payments, provider.create({ reference: claim.reference })))
    const row =
      (await database.tx(tx => saveIssuedInvoice(tx, claim.id, made)))
      ?? (await findInvoice(database.db, claim.id))
    return row && isIssued(row) ? row : null
  } catch (error) {
    await database.tx(tx => releaseCreation(tx, claim.id))
    throw error
  }
}

/**
 * The one place where money comes in: asks the payment service for the invoice, then records and credits what it says in one
 * transaction. Any number of them at once credit once; one whose look began before the newest recorded one changes nothing.
 * One that the payment service has lost is over, and waits for an operator. Null when it never made the invoice. Throws Refusal
 * 'unavailable'.
 */
export async function syncInvoice(
  payments: PaymentsContext,
  id: number,
): Promise<IssuedInvoice | null> {
  const { database } = payments
  const { look, now } = await beginLookup(database.db)
  const before = await findInvoice(database.db, id)
  if (!before) throw new Error(`there is no invoice ${id}`)
  const known = isIssued(before) ? before : await recoverIssued(payments, before)
  if (!known) return null
  const seen = await readAtProvider(payments, known)
  if (seen === null) return markLost(payments, known, look)
  if (seen.reference !== known.reference) {
    throw new Error(
      `invoice ${id} is not ours at the payment service: ${known.externalId} belongs to ${seen.reference}`,
    )
  }
  return database.tx(async tx => {
    const row = (await lockInvoice(tx, id)) as IssuedInvoice
    if (row.lastLookup > look) return row
    const { credit: amount, review } = decideCredit(seen, row)
    const isOrphan =
      (amount > 0 || (row.needsReview && netCredited(row) > 0))
      && !(await userExists(tx, row.userId))
    if (amount > 0) await creditAndAudit(tx, row, amount)
    // Money of a user who was deleted meanwhile is on his books, where nobody can spend it.
    const isToReview = review || isOrphan
    if (isToReview && !row.needsReview)
      payments.log.warn({ invoice: id, status: seen.status }, 'a deposit waits for review')
    const settledAt = seen.status === 'Settled' ? (row.settledAt ?? now) : null
    const nextLookAt = nextLookup({ ...seen, settledAt }, now)
    return recordLookup(tx, id, look, seen, {
      credit: amount,
      review: isToReview,
      settledAt,
      nextLookupAt: nextLookAt,
    }) as Promise<IssuedInvoice>
  })
}

/**
 * An invoice as the payment service has it now; null when it has lost it. Then its store has been asked as well: one that is not there
 * knows no invoice at all, and what it still lists is not lost.
 */
async function readAtProvider(
  payments: PaymentsContext,
  { externalId, reference }: IssuedInvoice,
): Promise<ProviderInvoice | null> {
  const { provider } = payments
  const seen = await askProvider(payments, provider.read(externalId))
  if (seen) return seen
  const listed = await askProvider(payments, provider.findByReference(reference))
  return listed?.id === externalId ? listed : null
}

/** Notes that an invoice is gone at the payment service. */
async function markLost(
  { database, log }: PaymentsContext,
  { id, externalId }: IssuedInvoice,
  look: number,
): Promise<IssuedInvoice> {
  return database.tx(async tx => {
    const row = (await lockInvoice(tx, id)) as IssuedInvoice
    if (row.lastLookup > look) return row
    if (row.lostAt === null)
      log.warn(
        { invoice: id, externalId, status: row.status },
        'the payment service has lost an invoice',
      )
    return recordLost(tx, id, look) as Promise<IssuedInvoice>
  })
}

/** Credits confirmed money, and says so in the audit. */
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

/** Looks for an invoice that was asked for, without asking for another. */
async function recoverIssued(
  payments: PaymentsContext,
  row: InvoiceRow,
): Promise<IssuedInvoice | null> {
  const { provider, database } = payments
  const claim = await database.tx(tx => claimCreation(tx, row.id))
  if (!claim) return null
  const found = await askProvider(payments, provider.findByReference(row.reference))
  if (found)
    return (
      ((await database.tx(tx => saveIssuedInvoice(tx, row.id, found))) as IssuedInvoice | undefined)
      ?? null
    )
  await database.tx(async tx => {
    if (!(await expireUnissued(tx, row.id))) await releaseCreation(tx, row.id)
  })
  return null
}

/** An answer of the payment service. Why there is none is the operator's to know; who asked for it is told to try again. */
async function askProvider<T>(
  { log, provider }: PaymentsContext,
  question: Promise<T>,
): Promise<T> {
  try {
    return await question
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    log.warn(
      { provider: provider.name, problem: error.message },
      'the payment service gave no answer that says anything',
    )
    throw new Refusal('unavailable', TRY_LATER, undefined, 5)
  }
}

const isIssued = (row: InvoiceRow): row is IssuedInvoice => row.externalId !== null

/** The invoice under the payment service's id, for its owner and administrators; for everybody else there is none (404). */
export async function invoiceFor(
  payments: PaymentsContext,
  caller: Caller,
  externalId: string,
): Promise<IssuedInvoice> {
  const row = await findByExternalId(payments.database.db, payments.provider.name, externalId)
  const administers = caller.role === 'admin' && caller.impersonatorId === null
  if (!row || (row.userId !== caller.userId && !administers))
    throw new Refusal('not_found', 'There is no such invoice')
  return row as IssuedInvoice
}

/** The payment dialog was closed, or somebody wants to know. */
export async function checkInvoiceNow(
  payments: PaymentsContext,
  caller: Caller,
  externalId: string,
): Promise<IssuedInvoice> {
  const row = await invoiceFor(payments, caller, externalId)
  await payments.limits.countAttempt(`check-invoice:${caller.userId}`, 120, 60)
  return (await syncInvoice(payments, row.id)) ?? row
}

/** A page of a user's deposits, newest first. Pages count from 1; `status` null: all. */
export const depositsOf = (
  payments: PaymentsContext,
  userId: number,
  status: InvoiceStatus | null,
  page: number,
  limit: number,
): Promise<{ rows: InvoiceRow[]; total: number }> =>
  selectDeposits(payments.database.db, userId, status, (page - 1) * limit, limit)

/** Looks at up to `most` invoices whose time has come, all at once; returns their ids and what went wrong with some. */
export async function pollDueInvoices(
  payments: PaymentsContext,
  most: number,
): Promise<{ ids: number[]; faults: unknown[] }> {
  const ids = await payments.database.tx(tx => claimDueInvoices(tx, most))
  const faults: unknown[] = []
  await Promise.all(
    ids.map(id => syncInvoice(payments, id).catch((error: unknown) => faults.push(error))),
  )
  return { ids, faults }
}

/** At start: whatever happened to open invoices while nobody looked is looked at now. */
export const scheduleOpenInvoices = (payments: PaymentsContext): Promise<void> =>
  payments.database.tx(markOpenInvoicesDue)
