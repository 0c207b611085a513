import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { openWallet, findViolations, walletOf } from '#server/ledger/service.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { testPayments } from '#tests/support/payments.ts'
import { ProviderUnavailable } from './port.ts'
import type { PaymentProvider } from './port.ts'
import { creditAfterReview, depositsInReview, dismissReview, findIdsInReview } from './review.ts'
import {
  checkInvoiceNow,
  depositIdsOf,
  depositsByIds,
  invoiceFor,
  pollDueInvoices,
  scheduleOpenInvoices,
  syncInvoice,
  getTopUpInvoice,
} from './service.ts'
import type { PaymentsContext } from './service.ts'

const { database, provider, payments } = await testPayments()

async function depositsOf(...asked: Parameters<typeof depositIdsOf>) {
  const { ids, total } = await depositIdsOf(...asked)
  return { rows: await depositsByIds(payments, ids), total }
}
async function findDepositsInReview(...asked: Parameters<typeof findIdsInReview>) {
  const { ids, total } = await findIdsInReview(...asked)
  return { rows: await depositsInReview(payments, ids), total }
}

let people = 0
async function newCustomer(): Promise<Caller> {
  const name = `customer ${++people}`
  const userId = await database.tx(async tx => {
    const { id } = await tx
      .insertInto('app_user')
      .values({
        name,
        email: `${name}@example.com`,
        email_key: `${name}@example.com`,
        password_hash: '-',
        referral_code: name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await openWallet(tx, id)
    return id
  })
  return { userId, role: 'user', sessionId: 0, impersonatorId: null, key: null }
}
const admin: Caller = { ...(await newCustomer()), role: 'admin' }

const balance = async (caller: Caller) => (await walletOf(database.db, caller.userId)).available
const booksBalance = async () => expect(await findViolations(database.db)).toEqual([])
const invoicesMade = async (caller: Caller) => {
  const { rows } = await sql<{
    stored: number
    atProvider: number
  }>`select count(*) as stored, count(s.id) as "atProvider"
    from invoice i left join sandbox_invoice s on s.reference = i.reference::text where i.user_id = ${caller.userId}`.execute(
    database.db,
  )
  return rows[0]
}

/** The provider with one method replaced. */
const withProvider = (change: Partial<PaymentProvider>): PaymentsContext => ({
  ...payments,
  provider: { ...provider, ...change },
})

/** The provider creates invoices, whose ids are in `made`, and no answer arrives. */
function loseAnswers() {
  const made: string[] = []
  const answerLost = withProvider({
    async create(input) {
      made.push((await provider.create(input)).id)
      throw new ProviderUnavailable()
    },
  })
  return { answerLost, made }
}

test('a paid invoice is credited once, even with simultaneous look-ups', async () => {
  const ana = await newCustomer()
  const invoice = await getTopUpInvoice(payments, ana.userId)
  expect(invoice).toMatchObject({ status: 'New', paid: 0 })
  await provider.runCommand(invoice.externalId, 'pay', cents(5000))
  await Promise.all(Array.from({ length: 20 }, () => syncInvoice(payments, invoice.id)))
  expect(await balance(ana)).toBe(5000)
  expect(await depositsOf(payments, ana.userId, null, 1, 7)).toMatchObject({
    total: 1,
    rows: [{ status: 'Settled', paid: 5000, credited: 5000 }],
  })
  const told = database.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id', 'detail'])
    .where('subject_id', '=', ana.userId)
  expect(await told.execute()).toEqual([
    {
      action: 'deposit',
      actor_id: null,
      detail: { invoice: invoice.externalId, amount: '$50.00' },
    },
  ])
  await booksBalance()
})

test('simultaneous clicks create one invoice, and all of them get it', async () => {
  const ana = await newCustomer()
  const invoices = await Promise.all(
    Array.from({ length: 10 }, () => getTopUpInvoice(payments, ana.userId)),
  )
  expect(new Set(invoices.map(invoice => invoice.externalId)).size).toBe(1)
  expect(await invoicesMade(ana)).toEqual({ stored: 1, atProvider: 1 })
})

test('an open unpaid invoice is reused; after payment or expiry the next top-up creates a new one', async () => {
  const ana = await newCustomer()
  const first = await getTopUpInvoice(payments, ana.userId)
  expect((await getTopUpInvoice(payments, ana.userId)).id).toBe(first.id)
  // Paid and expired at the provider, without a webhook.
  await provider.runCommand(first.externalId, 'pay', cents(1000))
  const second = await getTopUpInvoice(payments, ana.userId)
  expect(second.id).not.toBe(first.id)
  expect(await balance(ana)).toBe(1000)
  await sql`update sandbox_invoice set expires_at = now() where id = ${second.externalId}`.execute(
    database.db,
  )
  expect((await getTopUpInvoice(payments, ana.userId)).id).not.toBe(second.id)
  const { rows } = await depositsOf(payments, ana.userId, null, 1, 7)
  expect(rows.map(row => row.status)).toEqual(['New', 'Expired', 'Settled'])
})

test('an invoice whose creation got no response is found by the next click, not created twice', async () => {
  const ana = await newCustomer()
  const { answerLost } = loseAnswers()
  await expect(getTopUpInvoice(answerLost, ana.userId)).rejects.toMatchObject({
    code: 'payments_unavailable',
  })
  expect(await depositsOf(payments, ana.userId, null, 1, 7)).toEqual({ rows: [], total: 0 })
  await getTopUpInvoice(payments, ana.userId)
  expect(await invoicesMade(ana)).toEqual({ stored: 1, atProvider: 1 })
})

test('a paid invoice whose creation got no response is found by the poller', async () => {
  const ana = await newCustomer()
  const { answerLost, made } = loseAnswers()
  await expect(getTopUpInvoice(answerLost, ana.userId)).rejects.toMatchObject({
    code: 'payments_unavailable',
  })
  await provider.runCommand(made[0]!, 'pay', cents(700))
  await database.tx(tx =>
    sql`update invoice set next_lookup_at = now() where user_id = ${ana.userId}`.execute(tx),
  )
  expect((await pollDueInvoices(payments, 50)).errors).toEqual([])
  expect(await balance(ana)).toBe(700)
})

/** Polls an invoice at once; the answer is what is stored then. */
async function pollAtOnce(id: number) {
  await sql`update invoice set next_lookup_at = now() where id = ${id}`.execute(database.db)
  expect((await pollDueInvoices(payments, 50)).errors).toEqual([])
  return database.db
    .selectFrom('invoice')
    .select(['status', 'paid_cents', 'external_id', 'next_lookup_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
const onlyInvoiceOf = (caller: Caller) =>
  database.db
    .selectFrom('invoice')
    .select('id')
    .where('user_id', '=', caller.userId)
    .executeTakeFirstOrThrow()

test('an invoice that was never created and is set aside is looked up until it expires, and then no more', async () => {
  const ana = await newCustomer()
  const down = withProvider({
    create: async () => {
      throw new ProviderUnavailable()
    },
  })
  await expect(getTopUpInvoice(down, ana.userId, cents(5000))).rejects.toMatchObject({
    code: 'payments_unavailable',
  })
  const { id } = await onlyInvoiceOf(ana)
  await getTopUpInvoice(payments, ana.userId, cents(9000))
  expect(await pollAtOnce(id)).toMatchObject({
    status: 'Expired',
    next_lookup_at: expect.any(Date),
  })
  await sql`update invoice set expires_at = now() where id = ${id}`.execute(database.db)
  const closed = { status: 'Expired', paid_cents: 0, external_id: null, next_lookup_at: null }
  expect(await pollAtOnce(id)).toEqual(closed)
  expect(await invoicesMade(ana)).toEqual({ stored: 2, atProvider: 1 })
})

test('an invoice whose creation got no response is credited although it was set aside', async () => {
  const ana = await newCustomer()
  const { answerLost, made } = loseAnswers()
  await expect(getTopUpInvoice(answerLost, ana.userId, cents(5000))).rejects.toMatchObject({
    code: 'payments_unavailable',
  })
  const { id } = await onlyInvoiceOf(ana)
  await getTopUpInvoice(payments, ana.userId, cents(9000))
  expect(await pollAtOnce(id)).toMatchObject({ status: 'Expired', external_id: made[0] })
  await provider.runCommand(made[0]!, 'pay', cents(5000))
  expect(await pollAtOnce(id)).toMatchObject({ status: 'Settled', external_id: made[0] })
  expect(await balance(ana)).toBe(5000)
  expect(await invoicesMade(ana)).toEqual({ stored: 2, atProvider: 2 })
  await booksBalance()
})

test('a payment below 1% may disappear after another amount was named, and a new one is credited', async () => {
  const ana = await newCustomer()
  const first = await getTopUpInvoice(payments, ana.userId, cents(100_000))
  await provider.runCommand(first.externalId, 'pay', cents(500))
  expect(await syncInvoice(payments, first.id)).toMatchObject({ status: 'New', paid: 500 })
  const second = await getTopUpInvoice(payments, ana.userId, cents(2000))
  expect(second.id).not.toBe(first.id)
  await sql`delete from sandbox_payment where invoice_id = ${first.externalId}`.execute(
    database.owner.db,
  )
  expect(await syncInvoice(payments, first.id)).toMatchObject({ status: 'Expired', paid: 0 })
  expect((await getTopUpInvoice(payments, ana.userId)).id).toBe(second.id)
  await provider.runCommand(first.externalId, 'pay', cents(2000))
  expect(await pollAtOnce(first.id)).toMatchObject({ status: 'Settled', paid_cents: 2000 })
  expect(await balance(ana)).toBe(2000)
  await booksBalance()
})

test('a payment without a webhook is credited after a restart', async () => {
  const ana = await newCustomer()
  const invoice = await getTopUpInvoice(payments, ana.userId)
  await provider.runCommand(invoice.externalId, 'pay', cents(1250))
  await scheduleOpenInvoices(payments)
  await Promise.all([pollDueInvoices(payments, 50), pollDueInvoices(payments, 50)])
  expect(await balance(ana)).toBe(1250)
  expect((await pollDueInvoices(payments, 50)).ids).not.toContain(invoice.id)
})

test('an outdated response changes nothing after a newer one was recorded', async () => {
  const ana = await newCustomer()
  const invoice = await getTopUpInvoice(payments, ana.userId)
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const slow = withProvider({
    async read(id) {
      const unpaid = await provider.read(id)
      asked.resolve()
      await held.promise
      return unpaid
    },
  })
  const late = syncInvoice(slow, invoice.id)
  await asked.promise
  await provider.runCommand(invoice.externalId, 'pay', cents(900))
  await syncInvoice(payments, invoice.id)
  held.resolve()
  expect(await late).toMatchObject({ status: 'Settled', credited: 900 })
  expect(await balance(ana)).toBe(900)
  await booksBalance()
})

test('a further confirmed payment of a settled invoice is credited as a second deposit', async () => {
  const ana = await newCustomer()
  const invoice = await getTopUpInvoice(payments, ana.userId)
  await provider.runCommand(invoice.externalId, 'pay', cents(1000))
  await syncInvoice(payments, invoice.id)
  await sql`insert into sandbox_payment (invoice_id, cents, late, settled)
    values (${invoice.externalId}, 300, false, true), (${invoice.externalId}, 50, false, false)`.execute(
    database.db,
  )
  expect(await syncInvoice(payments, invoice.id)).toMatchObject({
    paid: 1350,
    confirmed: 1300,
    credited: 1300,
    creditCount: 2,
  })
  expect(await balance(ana)).toBe(1300)
  await booksBalance()
})

test('a payment after expiry is credited once, by an operator only', async () => {
  const ana = await newCustomer()
  const invoice = await getTopUpInvoice(payments, ana.userId)
  await provider.runCommand(invoice.externalId, 'expire')
  await provider.runCommand(invoice.externalId, 'pay-late', cents(2000))
  expect(await checkInvoiceNow(payments, ana, invoice.externalId)).toMatchObject({
    status: 'Expired',
    additionalStatus: 'PaidLate',
    needsReview: true,
  })
  expect(await balance(ana)).toBe(0)
  expect((await findDepositsInReview(payments, 1, 10)).rows).toMatchObject([
    { id: invoice.id, userName: `customer ${people}` },
  ])
  const clicks = await Promise.allSettled(
    [1, 2].map(() => creditAfterReview(payments, admin, invoice.externalId)),
  )
  expect(clicks.map(click => click.status).sort()).toEqual(['fulfilled', 'rejected'])
  await syncInvoice(payments, invoice.id)
  expect(await balance(ana)).toBe(2000)
  expect(await findDepositsInReview(payments, 1, 10)).toEqual({ rows: [], total: 0 })
  await booksBalance()
})

test('an invalidated payment goes to review and leaves the balance alone', async () => {
  const ana = await newCustomer()
  const invoice = await getTopUpInvoice(payments, ana.userId)
  await provider.runCommand(invoice.externalId, 'pay', cents(400))
  await syncInvoice(payments, invoice.id)
  await sql`update sandbox_invoice set status = 'Invalid', additional_status = 'Marked'
    where id = ${invoice.externalId}`.execute(database.db)
  await sql`update sandbox_payment set settled = false where invoice_id = ${invoice.externalId}`.execute(
    database.db,
  )
  expect(await syncInvoice(payments, invoice.id)).toMatchObject({
    status: 'Invalid',
    credited: 400,
    needsReview: true,
  })
  expect(await balance(ana)).toBe(400)
  await booksBalance()
})

test('an invoice is visible to its owner and administrators only', async () => {
  const [ana, bob] = [await newCustomer(), await newCustomer()]
  const { externalId, id } = await getTopUpInvoice(payments, ana.userId)
  const impersonated: Caller = { ...bob, role: 'admin', impersonatorId: admin.userId }
  for (const other of [bob, impersonated])
    await expect(invoiceFor(payments, other, externalId)).rejects.toMatchObject({
      code: 'invoice_unknown',
    })
  expect((await invoiceFor(payments, admin, externalId)).id).toBe(id)
  await expect(getTopUpInvoice(payments, 999_999)).rejects.toMatchObject({ code: 'user_unknown' })
})

test('a foreign invoice at the payment provider is never used as ours', async () => {
  const [ana, bob] = [await newCustomer(), await newCustomer()]
  const [herInvoice, otherInvoice] = [
    await getTopUpInvoice(payments, ana.userId),
    await getTopUpInvoice(payments, bob.userId),
  ]
  await provider.runCommand(otherInvoice.externalId, 'pay', cents(100))
  const confused = withProvider({ read: () => provider.read(otherInvoice.externalId) })
  await expect(syncInvoice(confused, herInvoice.id)).rejects.toThrow('not ours')
  expect(await balance(ana)).toBe(0)
})

test('a payment of a deleted user stays in review until an operator decides', async () => {
  const ana = await newCustomer()
  const invoice = await getTopUpInvoice(payments, ana.userId)
  await provider.runCommand(invoice.externalId, 'pay', cents(5000))
  await sql`update app_user set deleted_at = now() where id = ${ana.userId}`.execute(database.db)
  const inList = async () =>
    (await findDepositsInReview(payments, 1, 1000)).rows.find(({ id }) => id === invoice.id)
  for (const _ of [1, 2]) {
    await syncInvoice(payments, invoice.id)
    expect(await inList()).toMatchObject({
      credited: 5000,
      creditable: 0,
      takeable: 0,
      needsReview: true,
    })
  }
  await dismissReview(payments, admin, invoice.externalId, 'Paid back by hand')
  await syncInvoice(payments, invoice.id)
  expect(await inList()).toBeUndefined()
  expect(await balance(ana)).toBe(5000)
  await booksBalance()
})

test('the list of deposits is paged, newest first, with a filter by status', async () => {
  const ana = await newCustomer()
  for (let n = 1; n <= 3; n++) {
    const { externalId, id } = await getTopUpInvoice(payments, ana.userId)
    await provider.runCommand(externalId, 'pay', cents(n * 100))
    await syncInvoice(payments, id)
  }
  await getTopUpInvoice(payments, ana.userId)
  const amounts = async (status: 'Settled' | 'New' | null, page: number) => {
    const { rows, total } = await depositsOf(payments, ana.userId, status, page, 2)
    return [total, ...rows.map(row => row.paid)]
  }
  expect(await amounts(null, 1)).toEqual([4, 0, 300])
  expect(await amounts(null, 2)).toEqual([4, 200, 100])
  expect(await amounts('Settled', 1)).toEqual([3, 300, 200])
  expect(await amounts('New', 1)).toEqual([1, 0])
})
