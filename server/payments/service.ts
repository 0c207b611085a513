/**
 * Deposits. The payment service is asked outside any transaction; what it says is recorded and credited in one. Money is only ever
 * credited by `syncInvoice` and by an operator's word, under keys that follow from the invoice, so that no repetition counts twice.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { InvoiceStatus } from '#contract/payments.ts'
import { unknownUser } from '#server/accounts/service.ts'
import { findMember, insertAudit, isThere } from '#server/accounts/store.ts'
import { credit } from '#server/ledger/service.ts'
import type { Tx } from '#server/platform/database.ts'
import type { House } from '#server/platform/house.ts'
import type { Caller } from '#server/platform/http.ts'
import type { Limits } from '#server/platform/limits.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { ProviderAway } from './port.ts'
import type { PaymentProvider, ProviderInvoice } from './port.ts'
import { judge, netOf, nextLook } from './rules.ts'
import {
  adopt,
  beginLook,
  claimCreation,
  claimDue,
  expireUnmade,
  findByExternalId,
  findInvoice,
  findOpen,
  insertInvoice,
  lockInvoice,
  makeOpenDue,
  recordLook,
  recordLost,
  releaseCreation,
  selectDeposits,
} from './store.ts'
import type { InvoiceRow } from './store.ts'

/** What the room needs: the house, a payment service, and limits. */
export type Payments = House & { provider: PaymentProvider; limits: Pick<Limits, 'hit'> }

/** A row that the payment service knows. */
export type KnownInvoice = InvoiceRow & { externalId: string }

const TRY_LATER = 'The payment service cannot be reached just now. Please try again in a moment.'

/**
 * An invoice to pay into a user's balance: his open unpaid one, looked up afresh, or a new one. Clicks at the same moment get the
 * same invoice. Throws Refusal 'too_many', 'not_found' (no such user) or 'unavailable'.
 */
export async function topUp(payments: Payments, userId: number): Promise<KnownInvoice> {
  await payments.limits.hit(`top-up:${userId}`, 60, 60)
  // A second turn is needed when the open one turns out to be paid or expired; a third when somebody else was at it meanwhile.
  for (let turn = 0; turn < 3; turn++) {
    const open = await findOrBegin(payments, userId)
    const fresh =
      open.externalId === null
        ? await makeKnown(payments, open)
        : await syncInvoice(payments, open.id)
    if (fresh && fresh.status === 'New' && fresh.paid === 0) return fresh
  }
  throw new Refusal('unavailable', TRY_LATER, undefined, 1)
}

/** Our own record comes first, so that a crash after the payment service's answer loses nothing. */
async function findOrBegin(payments: Payments, userId: number): Promise<InvoiceRow> {
  const { db } = payments.database
  for (let turn = 0; turn < 3; turn++) {
    const open = await findOpen(db, userId)
    if (open) return open
    if (!(await findMember(db, userId))) throw unknownUser()
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
async function makeKnown(payments: Payments, row: InvoiceRow): Promise<KnownInvoice | null> {
  const { db } = payments.database
  for (let turn = 0; turn < 100; turn++) {
    const claim = await payments.database.tx(tx => claimCreation(tx, row.id))
    if (claim) return introduce(payments, claim)
    const now = await findInvoice(db, row.id)
    if (now && isKnown(now)) return now
    if (now?.status !== 'New') return null
    await wait(100)
  }
  throw new Refusal('unavailable', TRY_LATER, undefined, 5)
}

async function introduce(payments: Payments, claim: InvoiceRow): Promise<KnownInvoice | null> {
  const { provider, database } = payments
  try {
    const found =
      claim.createAttempts > 1
        ? await asking(payments, provider.findByReference(claim.reference))
        : null
    const made = found ?? (await asking(payments, provider.create({ reference: claim.reference })))
    const row =
      (await database.tx(tx => adopt(tx, claim.id, made)))
      ?? (await findInvoice(database.db, claim.id))
    return row && isKnown(row) ? row : null
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
export async function syncInvoice(payments: Payments, id: number): Promise<KnownInvoice | null> {
  const { database } = payments
  const { look, now } = await beginLook(database.db)
  const before = await findInvoice(database.db, id)
  if (!before) throw new Error(`there is no invoice ${id}`)
  const known = isKnown(before) ? before : await recover(payments, before)
  if (!known) return null
  const seen = await seenOf(payments, known)
  if (seen === null) return lost(payments, known, look)
  if (seen.reference !== known.reference) {
    throw new Error(
      `invoice ${id} is not ours at the payment service: ${known.externalId} belongs to ${seen.reference}`,
    )
  }
  return database.tx(async tx => {
    const row = (await lockInvoice(tx, id)) as KnownInvoice
    if (row.lastLook > look) return row
    const { credit: amount, review } = judge(seen, row)
    const isOrphan =
      (amount > 0 || (row.needsReview && netOf(row) > 0)) && !(await isThere(tx, row.userId))
    if (amount > 0) await deposit(tx, row, amount)
    // Money of a user who was deleted meanwhile is on his books, where nobody can spend it.
    const isToReview = review || isOrphan
    if (isToReview && !row.needsReview)
      payments.log.warn({ invoice: id, status: seen.status }, 'a deposit waits for review')
    const settledAt = seen.status === 'Settled' ? (row.settledAt ?? now) : null
    const nextLookAt = nextLook({ ...seen, settledAt }, now)
    return recordLook(tx, id, look, seen, {
      credit: amount,
      review: isToReview,
      settledAt,
      nextLookAt,
    }) as Promise<KnownInvoice>
  })
}

/**
 * An invoice as the payment service has it now; null when it has lost it. Then its store has been asked as well: one that is not there
 * knows no invoice at all, and what it still lists is not lost.
 */
async function seenOf(
  payments: Payments,
  { externalId, reference }: KnownInvoice,
): Promise<ProviderInvoice | null> {
  const { provider } = payments
  const seen = await asking(payments, provider.read(externalId))
  if (seen) return seen
  const listed = await asking(payments, provider.findByReference(reference))
  return listed?.id === externalId ? listed : null
}

/** Notes that an invoice is gone at the payment service. */
async function lost(
  { database, log }: Payments,
  { id, externalId }: KnownInvoice,
  look: number,
): Promise<KnownInvoice> {
  return database.tx(async tx => {
    const row = (await lockInvoice(tx, id)) as KnownInvoice
    if (row.lastLook > look) return row
    if (row.lostAt === null)
      log.warn(
        { invoice: id, externalId, status: row.status },
        'the payment service has lost an invoice',
      )
    return recordLost(tx, id, look) as Promise<KnownInvoice>
  })
}

/** Credits confirmed money, and says so in the audit. */
async function deposit(tx: Tx, row: KnownInvoice, amount: Cents): Promise<void> {
  const { id, provider, externalId } = row
  if (!(await credit(tx, row.userId, amount, { id, provider, externalId, n: row.credits + 1 })))
    return
  await insertAudit(tx, {
    actorId: null,
    subjectId: row.userId,
    action: 'deposit',
    detail: { invoice: externalId, amount: usd(amount) },
  })
}

/** Looks for an invoice that was asked for, without asking for another. */
async function recover(payments: Payments, row: InvoiceRow): Promise<KnownInvoice | null> {
  const { provider, database } = payments
  const claim = await database.tx(tx => claimCreation(tx, row.id))
  if (!claim) return null
  const found = await asking(payments, provider.findByReference(row.reference))
  if (found)
    return ((await database.tx(tx => adopt(tx, row.id, found))) as KnownInvoice | undefined) ?? null
  await database.tx(async tx => {
    if (!(await expireUnmade(tx, row.id))) await releaseCreation(tx, row.id)
  })
  return null
}

/** An answer of the payment service. Why there is none is the operator's to know; who asked for it is told to try again. */
async function asking<T>({ log, provider }: Payments, question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    if (!(error instanceof ProviderAway)) throw error
    log.warn(
      { provider: provider.name, problem: error.message },
      'the payment service gave no answer that says anything',
    )
    throw new Refusal('unavailable', TRY_LATER, undefined, 5)
  }
}

const isKnown = (row: InvoiceRow): row is KnownInvoice => row.externalId !== null

/** The invoice under the payment service's id, for its owner and administrators; for everybody else there is none (404). */
export async function invoiceFor(
  payments: Payments,
  caller: Caller,
  externalId: string,
): Promise<KnownInvoice> {
  const row = await findByExternalId(payments.database.db, payments.provider.name, externalId)
  const administers = caller.role === 'admin' && caller.actorId === null
  if (!row || (row.userId !== caller.userId && !administers))
    throw new Refusal('not_found', 'There is no such invoice')
  return row as KnownInvoice
}

/** The payment dialog was closed, or somebody wants to know. */
export async function checkInvoiceNow(
  payments: Payments,
  caller: Caller,
  externalId: string,
): Promise<KnownInvoice> {
  const row = await invoiceFor(payments, caller, externalId)
  await payments.limits.hit(`check-invoice:${caller.userId}`, 120, 60)
  return (await syncInvoice(payments, row.id)) ?? row
}

/** A page of a user's deposits, newest first. Pages count from 1; `status` null: all. */
export const depositsOf = (
  payments: Payments,
  userId: number,
  status: InvoiceStatus | null,
  page: number,
  limit: number,
): Promise<{ rows: InvoiceRow[]; total: number }> =>
  selectDeposits(payments.database.db, userId, status, (page - 1) * limit, limit)

/** Looks at up to `most` invoices whose time has come, all at once; returns their ids and what went wrong with some. */
export async function pollDue(
  payments: Payments,
  most: number,
): Promise<{ ids: number[]; faults: unknown[] }> {
  const ids = await payments.database.tx(tx => claimDue(tx, most))
  const faults: unknown[] = []
  await Promise.all(
    ids.map(id => syncInvoice(payments, id).catch((error: unknown) => faults.push(error))),
  )
  return { ids, faults }
}

/** At start: whatever happened to open invoices while nobody looked is looked at now. */
export const sweep = (payments: Payments): Promise<void> => payments.database.tx(makeOpenDue)
