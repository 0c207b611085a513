/** Money that confirms long after its invoice settled or ended, without any webhook. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { findViolations, walletOf } from '#server/ledger/service.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { testPayments } from '#tests/support/payments.ts'
import { newUser } from '#tests/support/users.ts'
import { invoicePoller } from './jobs.ts'
import { depositsInReview, dismissReview, findIdsInReview } from './review.ts'
import { depositNote } from './rules.ts'
import {
  getTopUpInvoice,
  pollDueInvoices,
  scheduleForgottenInvoices,
  syncInvoice,
} from './service.ts'
import type { IssuedInvoice } from './service.ts'
import { openWebhookInbox } from './webhook-inbox.ts'

const { database, provider, payments } = await testPayments()
/** As when the payment service has lost its invoices. */
const losing = {
  ...payments,
  provider: { ...provider, read: async () => null, findByReference: async () => null },
}
const operator: Caller = {
  userId: await newUser(database, 'operator'),
  role: 'admin',
  sessionId: 0,
  impersonatorId: null,
  key: null,
}

const balance = async (userId: number) => (await walletOf(database.db, userId)).available
const booksBalance = async () => expect(await findViolations(database.db)).toEqual([])
const rowOf = ({ id }: IssuedInvoice) =>
  database.db.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

let people = 0
/** $50 of an invoice is credited, and $30 more arrived that are in no block yet. */
async function furtherPayment(): Promise<{ userId: number; invoice: IssuedInvoice }> {
  const userId = await newUser(database, `customer ${++people}`)
  const invoice = await getTopUpInvoice(payments, userId)
  await provider.runCommand(invoice.externalId, 'pay', cents(5000))
  await arrive(invoice, 3000)
  await syncInvoice(payments, invoice.id)
  expect(await balance(userId)).toBe(5000)
  return { userId, invoice }
}
const arrive = ({ externalId }: IssuedInvoice, amount: number) =>
  sql`insert into sandbox_payment (invoice_id, cents, late, settled) values (${externalId}, ${amount}, false, false)`.execute(
    database.db,
  )
const confirm = ({ externalId }: IssuedInvoice) =>
  sql`update sandbox_payment set settled = true where invoice_id = ${externalId}`.execute(
    database.db,
  )
/** Makes the invoice and its payments older by so many days. */
async function daysPass({ id, externalId }: IssuedInvoice, days: number): Promise<void> {
  const by = sql`${days} * interval '1 day'`
  await sql`update invoice set created_at = created_at - ${by}, expires_at = expires_at - ${by},
    settled_at = settled_at - ${by} where id = ${id}`.execute(database.db)
  await sql`update sandbox_invoice set expires_at = expires_at - ${by} where id = ${externalId}`.execute(
    database.db,
  )
  await sql`update sandbox_payment set received_at = received_at - ${by} where invoice_id = ${externalId}`.execute(
    database.owner.db,
  )
}
/** The next look-up, if there is one, is now. */
async function poll({ id }: IssuedInvoice): Promise<void> {
  await sql`update invoice set next_lookup_at = now() where id = ${id} and next_lookup_at is not null`.execute(
    database.db,
  )
  expect((await pollDueInvoices(payments, 50)).errors).toEqual([])
}
const inReview = async ({ id }: IssuedInvoice) => {
  const { ids } = await findIdsInReview(payments, 1, 1000)
  return (await depositsInReview(payments, ids)).find(row => row.id === id)
}

test('a further payment that confirms days after the first one is credited without a webhook', async () => {
  const { userId, invoice } = await furtherPayment()
  for (const days of [2, 3]) {
    await daysPass(invoice, days)
    await poll(invoice)
  }
  expect(await balance(userId)).toBe(5000)
  await confirm(invoice)
  await poll(invoice)
  expect(await balance(userId)).toBe(8000)
  await booksBalance()
})

test('an operator is told of a further payment that is in no block after two weeks, and it is credited if it confirms', async () => {
  const { userId, invoice } = await furtherPayment()
  await daysPass(invoice, 13)
  await poll(invoice)
  expect(await inReview(invoice)).toBeUndefined()
  await daysPass(invoice, 1)
  await poll(invoice)
  const found = await inReview(invoice)
  expect(found).toMatchObject({ credited: 5000, creditable: 0, owed: 0 })
  expect(depositNote(found!)).toBe('A further payment of $30.00 is still not confirmed: in review')
  await confirm(invoice)
  await poll(invoice)
  expect(await inReview(invoice)).toBeUndefined()
  expect(await balance(userId)).toBe(8000)
  await booksBalance()
})

test('a dismissed further payment does not return to review, and is credited if it confirms after all', async () => {
  const { userId, invoice } = await furtherPayment()
  await daysPass(invoice, 15)
  await poll(invoice)
  await dismissReview(payments, operator, invoice.externalId, 'The customer paid again')
  await poll(invoice)
  expect(await inReview(invoice)).toBeUndefined()
  await confirm(invoice)
  await poll(invoice)
  expect(await balance(userId)).toBe(8000)
  await booksBalance()
})

test('money that arrives weeks after an invoice was settled or expired is found without a webhook', async () => {
  const [ana, ben] = [await newUser(database, 'ana'), await newUser(database, 'ben')]
  const settled = await getTopUpInvoice(payments, ana)
  await provider.runCommand(settled.externalId, 'pay', cents(5000))
  const expired = await getTopUpInvoice(payments, ben)
  await provider.runCommand(expired.externalId, 'expire')
  for (const invoice of [settled, expired]) {
    await syncInvoice(payments, invoice.id)
    await daysPass(invoice, 20)
    await poll(invoice)
    await arrive(invoice, 3000)
    await confirm(invoice)
    await poll(invoice)
  }
  expect(await balance(ana)).toBe(8000)
  expect(await inReview(expired)).toMatchObject({ paid: 3000, creditable: 3000 })
  await booksBalance()
})

test('money of an invoice that the payment service had lost for a while is found weeks later without a webhook', async () => {
  const userId = await newUser(database, `customer ${++people}`)
  const invoice = await getTopUpInvoice(payments, userId)
  await provider.runCommand(invoice.externalId, 'pay', cents(5000))
  await syncInvoice(payments, invoice.id)
  await daysPass(invoice, 20)
  await syncInvoice(losing, invoice.id)
  await arrive(invoice, 3000)
  await confirm(invoice)
  await poll(invoice)
  expect(await balance(userId)).toBe(8000)
  await booksBalance()
})

test('an invoice that an earlier version no longer looked up is looked up again after the upgrade', async () => {
  const userId = await newUser(database, `customer ${++people}`)
  const invoice = await getTopUpInvoice(payments, userId)
  await provider.runCommand(invoice.externalId, 'pay', cents(5000))
  await syncInvoice(payments, invoice.id)
  await daysPass(invoice, 100)
  await sql`update invoice set next_lookup_at = null where id = ${invoice.id}`.execute(database.db)
  await scheduleForgottenInvoices(payments)
  expect((await rowOf(invoice)).next_lookup_at).not.toBeNull()
})

test('a further payment that an earlier version forgot is credited after the upgrade', async () => {
  const { userId, invoice } = await furtherPayment()
  await daysPass(invoice, 40)
  await confirm(invoice)
  await sql`update invoice set next_lookup_at = null where id = ${invoice.id}`.execute(database.db)
  const poller = invoicePoller(payments, openWebhookInbox(payments))
  await poller.start()
  await expect.poll(() => balance(userId)).toBe(8000)
  await poller.stop()
  await booksBalance()
})

test('two processes that find forgotten payments at the same moment credit each once', async () => {
  const all = [await furtherPayment(), await furtherPayment(), await furtherPayment()]
  for (const { invoice } of all) await confirm(invoice)
  await sql`update invoice set next_lookup_at = null`.execute(database.db)
  const findAndPoll = async () => {
    await scheduleForgottenInvoices(payments)
    await pollDueInvoices(payments, 50)
  }
  await Promise.all([findAndPoll(), findAndPoll()])
  // A row that one process had locked is left to the other.
  await findAndPoll()
  for (const { userId } of all) expect(await balance(userId)).toBe(8000)
  await booksBalance()
})

test('late money that confirms days after the expiry gets its button without a webhook', async () => {
  const userId = await newUser(database, `customer ${++people}`)
  const invoice = await getTopUpInvoice(payments, userId)
  await provider.runCommand(invoice.externalId, 'expire')
  await arrive(invoice, 2000)
  await daysPass(invoice, 5)
  await poll(invoice)
  expect(await inReview(invoice)).toMatchObject({ paid: 2000, creditable: 0 })
  await confirm(invoice)
  await poll(invoice)
  expect(await inReview(invoice)).toMatchObject({ paid: 2000, creditable: 2000 })
  expect(await balance(userId)).toBe(0)
})

test('an invalid payment that confirms days later goes to review without a webhook', async () => {
  const userId = await newUser(database, `customer ${++people}`)
  const invoice = await getTopUpInvoice(payments, userId)
  await arrive(invoice, 2000)
  await sql`update sandbox_invoice set status = 'Invalid' where id = ${invoice.externalId}`.execute(
    database.db,
  )
  await daysPass(invoice, 5)
  await poll(invoice)
  expect(await inReview(invoice)).toBeUndefined()
  await confirm(invoice)
  await poll(invoice)
  expect(await inReview(invoice)).toMatchObject({ status: 'Invalid', confirmed: 2000 })
})

test('an invoice with an unconfirmed further payment that the payment service loses goes to review once', async () => {
  const { userId, invoice } = await furtherPayment()
  await syncInvoice(losing, invoice.id)
  expect(depositNote((await inReview(invoice))!)).toBe('Lost by the payment service: in review')
  await dismissReview(payments, operator, invoice.externalId, 'The customer paid again')
  await syncInvoice(losing, invoice.id)
  expect(await inReview(invoice)).toBeUndefined()
  await scheduleForgottenInvoices(payments)
  expect(await balance(userId)).toBe(5000)
  await booksBalance()
})

test('of thousands of invoices that an earlier version no longer looked up, all are looked up again', async () => {
  const userId = await newUser(database, `customer ${++people}`)
  await sql`insert into invoice (user_id, provider, external_id, status, expires_at, next_lookup_at)
    select ${userId}, 'sandbox', 'old-' || n, 'Expired', now() - interval '100 days', null from generate_series(1, 2500) n`.execute(
    database.db,
  )
  await scheduleForgottenInvoices(payments)
  const left = await database.db
    .selectFrom('invoice')
    .select('id')
    .where('next_lookup_at', 'is', null)
    .execute()
  expect(left).toEqual([])
})

test('a late payment that arrives while another one is dismissed is not dismissed with it', async () => {
  const userId = await newUser(database, `customer ${++people}`)
  const invoice = await getTopUpInvoice(payments, userId)
  await provider.runCommand(invoice.externalId, 'expire')
  await provider.runCommand(invoice.externalId, 'pay-late', cents(2000))
  await syncInvoice(payments, invoice.id)
  const { seen } = (await inReview(invoice))!
  await arrive(invoice, 1500)
  await confirm(invoice)
  await syncInvoice(payments, invoice.id)
  const dismiss = (state: string) =>
    dismissReview(payments, operator, invoice.externalId, 'Paid back in coins', state)
  await expect(dismiss(seen)).rejects.toMatchObject({ code: 'changed_meanwhile' })
  const now = (await inReview(invoice))!
  expect(now).toMatchObject({ creditable: 3500 })
  await dismiss(now.seen)
  expect(await inReview(invoice)).toBeUndefined()
})

test('a deposit that was lost when it was seen is not dismissed once the payment service has it again', async () => {
  const userId = await newUser(database, `customer ${++people}`)
  const invoice = await getTopUpInvoice(payments, userId)
  await provider.runCommand(invoice.externalId, 'expire')
  await provider.runCommand(invoice.externalId, 'pay-late', cents(2000))
  await syncInvoice(payments, invoice.id)
  await syncInvoice(losing, invoice.id)
  const { seen, creditable } = (await inReview(invoice))!
  expect(creditable).toBe(0)
  await syncInvoice(payments, invoice.id)
  expect(await inReview(invoice)).toMatchObject({ creditable: 2000 })
  const dismissed = dismissReview(payments, operator, invoice.externalId, 'It is lost', seen)
  await expect(dismissed).rejects.toMatchObject({ code: 'changed_meanwhile' })
})
