/** The product with a BTCPay Server stub, and what the tests of its payments look up. */
import { afterAll, afterEach, expect } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { checkInvoice, listDeposits, listDepositsInReview, topUp } from '#contract/payments.ts'
import { btcpayProvider } from '#server/payments/btcpay/adapter.ts'
import type { PaymentsContext } from '#server/payments/service.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { btcpayStub } from '#tests/support/btcpay-stub.ts'

export const POLL_INTERVAL = { interval: 100 }

/** Call at the top of a test file: it closes what it opens after the file's tests. */
export async function openBtcpay() {
  const stub = await btcpayStub()
  const app = await testApp({ btcpay: stub.config })
  stub.tellTo(await app.listen())
  afterAll(stub.close)
  afterEach(() => void Object.assign(stub.manners, { mood: 'well', post: 'once' }))
  const admin = await app.admin()
  const provider = btcpayProvider(stub.config)
  const payments: PaymentsContext = {
    ...app.ctx,
    provider,
    limits: { countAttempt: async () => {} },
  }

  const topUpFor = ({ user, token }: TestUser) =>
    app.call(topUp, { params: { userId: user._id } }, token)
  const invoiceOf = async (visitor: TestUser) => (await topUpFor(visitor)).body.id
  const currentUserOf = async ({ token }: TestUser) =>
    (await app.call(verifySession, {}, token)).body.user
  /** The balance in cents. */
  const balance = async (visitor: TestUser) =>
    Math.round((await currentUserOf(visitor)).balance * 100)
  const check = async (visitor: TestUser, id: string) =>
    (await app.call(checkInvoice, { params: { id } }, visitor.token)).body
  const deposits = async ({ user, token }: TestUser) =>
    (await app.call(listDeposits, { params: { userId: user._id }, query: {} }, token)).body.deposits
  const waiting = async (id: string) =>
    (await app.call(listDepositsInReview, { query: {} }, admin.token)).body.deposits.find(
      deposit => deposit.invoiceId === id,
    )
  const expectBalance = async (visitor: TestUser, due: number) => {
    await expect.poll(() => balance(visitor), POLL_INTERVAL).toBe(due)
  }
  const countUnhandled = async () =>
    (await app.database.pool.query('select 1 from webhook_inbox where handled_at is null')).rowCount
  const waitForInbox = async () => {
    await expect.poll(countUnhandled, POLL_INTERVAL).toBe(0)
  }

  async function customer(): Promise<[TestUser, string]> {
    const visitor = await app.register()
    return [visitor, await invoiceOf(visitor)]
  }
  const rowOf = async (externalId: string): Promise<number> =>
    (
      await app.database.pool.query<{ id: number }>(
        'select id from invoice where external_id = $1',
        [externalId],
      )
    ).rows[0]!.id
  return {
    stub,
    app,
    admin,
    provider,
    payments,
    topUpFor,
    invoiceOf,
    currentUserOf,
    balance,
    check,
    deposits,
    waiting,
    expectBalance,
    waitForInbox,
    customer,
    rowOf,
  }
}
