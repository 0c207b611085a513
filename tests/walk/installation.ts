/** A new installation in live mode as its operator starts it: a process, a carrier, a payment service. */
import { randomUUID } from 'node:crypto'
import { afterAll, expect } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { getAdminDashboard } from '#contract/admin.ts'
import { verifyEmail } from '#contract/email-ownership.ts'
import type { Endpoint, RequestInput, ResponseData } from '#contract/endpoint.ts'
import { placeOrder } from '#contract/orders.ts'
import { tradeReport } from '#contract/reports.ts'
import { btcpayStub } from '#tests/support/btcpay-stub.ts'
import { testDatabase } from '#tests/support/database.ts'
import { tokenOf, verifyLinksTo } from '#tests/support/mail-outbox.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { clientFor, createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import type { WalkCarrier } from './carriers.ts'

/** Not today alone: midnight may pass during the walk. */
const DAYS = 7

export type Installation = Awaited<ReturnType<typeof openInstallation>>

/** Call at the top of a test file: all of it ends after the file's tests. */
export async function openInstallation(walk: WalkCarrier) {
  const database = await testDatabase()
  const [carrier, payments, data] = await Promise.all([
    walk.open(),
    btcpayStub(),
    createDataFolder(),
  ])
  const env = {
    ...carrier.settings,
    PAYMENTS: 'btcpay',
    BTCPAY_URL: payments.url,
    BTCPAY_API_KEY: payments.config.apiKey,
    BTCPAY_STORE_ID: payments.config.storeId,
    BTCPAY_WEBHOOK_SECRET: payments.config.webhookSecret,
    DATABASE_URL: database.url,
    ALLOW_UNSAFE_DATABASE: 'yes',
    CARRIER_PER_MINUTE: '100000',
    CARRIER_TIMEOUT_MS: '12000',
  }
  const server = await startServer(data.path, env)
  payments.tellTo(server.url)
  afterAll(async () => {
    await server.stop('SIGTERM')
    await Promise.all([carrier.close(), payments.close(), data.forget()])
  })

  /** The body of a call that succeeds. */
  const ask = async <C extends Endpoint>(
    endpoint: C,
    input: RequestInput<C>,
    { token }: { token: string },
  ): Promise<ResponseData<C>> => {
    const { status, body } = await server.call(endpoint, input, token)
    expect(status, `${endpoint.name}: ${body.message}`).toBeLessThan(300)
    return body
  }
  return {
    server,
    database,
    carrier,
    payments,
    ask,
    /**
     * Orders a label, once: asked again with its key while the label is on its way, as on a slow machine. `tries`: 1 where
     * 202 is the expected answer, because the label waits for the operator.
     */
    async order({ user, token }: SignedInUser, service: string, pounds: number, tries = 5) {
      const { call } = clientFor(server.url, { 'idempotency-key': randomUUID() })
      const body = singleOrderBody(user._id, {
        service_name: service,
        package: { package_weight: pounds },
      })
      for (let left = tries; ; left--) {
        const answer = await call(placeOrder, { body }, token)
        if (answer.status !== 202 || left === 1) return answer
      }
    },
    /** In cents. */
    balanceOf: async (user: SignedInUser) =>
      inCents((await ask(verifySession, {}, user)).user.balance),
    /** The customer opens the newest link that was mailed. */
    async openMailedLink({ user }: SignedInUser): Promise<void> {
      const links = () => verifyLinksTo(data.path, user.email)
      await expect.poll(async () => (await links()).length, { interval: 50 }).toBeGreaterThan(0)
      const token = tokenOf((await links()).at(-1)!)
      const { status, body } = await server.call(verifyEmail, { body: { token } })
      expect(status, body.message).toBe(200)
    },
    dashboard: async (admin: SignedInUser) => {
      const { periods, ...rest } = await ask(getAdminDashboard, { query: { offset: 0 } }, admin)
      return { ...rest, week: periods.find(({ days }) => days === DAYS)! }
    },
    trade: (admin: SignedInUser) =>
      ask(tradeReport, { query: { days: String(DAYS) as never } }, admin),
    /** What the server printed and logged. */
    output: server.readOutput,
  }
}

/** Of an amount in dollars as the interface has it; throws unless it is whole cents. */
export function inCents(amount: number): number {
  const found = Math.round(amount * 100)
  if (found / 100 !== amount) throw new Error(`${amount} dollars are no whole cents`)
  return found
}

/** The cells of a CSV file without quotes, as the pages read it. */
export const cellsOf = (csv: string): string[][] =>
  csv
    .trim()
    .split('\n')
    .map(line => line.split(',').map(cell => cell.trim()))
