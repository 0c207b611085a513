import { mkdtemp, rm } from 'node:fs/promises'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse as Inject } from 'fastify'
import { sql } from 'kysely'
import { afterAll, expect, inject as injectProvided } from 'vitest'
import type * as z from 'zod'
import { login, register } from '#contract/accounts.ts'
import type { SignedIn } from '#contract/accounts.ts'
import type { User } from '#contract/accounts.ts'
import type { ResponseData, Endpoint, RequestInput } from '#contract/endpoint.ts'
import type { ErrorResponse } from '#contract/error-response.ts'
import { cents } from '#contract/money.ts'
import { codesWithStatus } from '#contract/openapi/codes.ts'
import { isDeclared } from '#contract/openapi/statuses.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { ensureFirstAdmin } from '#server/accounts/service.ts'
import { buildApp } from '#server/app.ts'
import type { App, AppOptions } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { credit, findViolations } from '#server/ledger/service.ts'
import type { Config } from '#server/platform/config.ts'
import type { Context } from '#server/platform/context.ts'
import { CARRIER_TIMEOUT_MS, createCarrierControl } from './carrier-control.ts'
import type { CarrierControl } from './carrier-control.ts'
import { testDatabase } from './database.ts'
import type { TestDatabase } from './database.ts'
import { checkRefusalShape } from './refusal-shape.ts'

/** The response to a call. `body` also has the fields of a refusal, for calls that are refused. */
export type CallResponse<C extends Endpoint> = {
  status: number
  body: ResponseData<C> & Partial<z.output<typeof ErrorResponse>>
  headers: OutgoingHttpHeaders
}

export type TestUser = { token: string; user: User; password: string }

export type TestApp = App & {
  ctx: Context
  database: TestDatabase
  carrier: CarrierControl
  /** Makes a call with `token`, each from another network address unless `address` names one. */
  call<C extends Endpoint>(
    call: C,
    input: RequestInput<C>,
    token?: string,
    address?: string,
  ): Promise<CallResponse<C>>
  /** Any request, for what the contract has no call for. */
  send(request: InjectOptions): Promise<Inject>
  /** A new customer, signed in. */
  register(name?: string): Promise<TestUser>
  signIn(email: string, password: string): Promise<string>
  /** The first administrator, in a new session. */
  admin(): Promise<TestUser>
  /** Credits confirmed money to a wallet through the ledger. */
  creditDollars(userId: string | number, dollars: number): Promise<void>
  /** Listens on a free port, once, and returns the address ('http://127.0.0.1:…'), for sockets and browsers. */
  listen(): Promise<string>
}

export const PASSWORD = 'a long enough passphrase'

/**
 * The whole server on a database of this file's own: `const app = await testApp()` at the top of the file. It stops when the file
 * is done, and then the books must balance. `env` sets variables of the configuration; `btcpay` combines that payment service with
 * the sandbox carrier, which the configuration of an operator refuses.
 */
export async function testApp(
  options: {
    env?: Record<string, string>
    btcpay?: Config['btcpay']
    resolveName?: AppOptions['resolveName']
  } = {},
): Promise<TestApp> {
  const database = await testDatabase()
  const dataDir = await mkdtemp(join(injectProvided('runFolder'), 'app-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ADMIN_PASSWORD: PASSWORD,
    CARRIER_TIMEOUT_MS,
    ...options.env,
  })
  if (options.btcpay) Object.assign(config, { payments: 'btcpay', btcpay: options.btcpay })
  const ignore = () => {}
  const ctx: Context = {
    config,
    database,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  }
  const carrier = createCarrierControl()
  const { resolveName } = options
  const built = await buildApp(ctx, { silent: true, wrapCarrier: carrier.wrap, resolveName })
  await ensureFirstAdmin(ctx)
  await built.start()
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= built.stop())
  afterAll(async () => {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
    expect(await findViolations(database.db), 'broken invariants of the books').toEqual([])
  })

  const inject = async (request: InjectOptions) => {
    const response = await built.app.inject(request)
    checkRefusalShape(String(request.url), response)
    return response
  }
  let customers = 0
  let url: Promise<string> | undefined
  const call: TestApp['call'] = async (endpoint, input, token, address = nextAddress()) => {
    const headers = token === undefined ? {} : { token }
    const response = await inject({
      ...injectOptionsFor(endpoint, input),
      headers,
      remoteAddress: address,
    })
    const isDescribed = endpoint.path.startsWith('/api/')
    if (isDescribed && !isDeclared(endpoint, response.statusCode))
      throw new Error(
        `${endpoint.name} answered ${response.statusCode}, which its description does not have: `
          + 'name it in `refusals` or `otherStatuses`',
      )
    const body: unknown = response.body === '' ? undefined : response.json()
    const { code } = (body ?? {}) as { code?: RefusalCode }
    const isRefused = isDescribed && response.statusCode >= 400 && code !== undefined
    if (isRefused && !codesWithStatus(endpoint, response.statusCode).includes(code))
      throw new Error(
        `${endpoint.name} refused with ${code}, which its description does not have: `
          + 'name it in contract/openapi/codes.ts',
      )
    return {
      status: response.statusCode,
      headers: response.headers,
      body: body as never,
    }
  }
  const signIn = async (email: string, password: string) => {
    const { status, body } = await call(login, { body: { email, password } })
    expect(status, body.message).toBe(200)
    return body as SignedIn
  }
  return {
    ...built,
    stop,
    ctx,
    database,
    carrier,
    call,
    send: request => inject({ remoteAddress: nextAddress(), ...request }),
    signIn: async (email, password) => (await signIn(email, password)).token,
    async register(name) {
      const number = ++customers
      name ??= `Customer ${number}`
      const email = `customer${number}@example.com`
      const { status, body } = await call(register, {
        body: { name, email, password: PASSWORD, confirmPassword: PASSWORD },
      })
      expect(status, body.message).toBe(200)
      return { token: body.token, user: body.user, password: PASSWORD }
    },
    admin: async () => ({
      ...(await signIn(config.adminEmail, config.adminPassword!)),
      password: config.adminPassword!,
    }),
    creditDollars: (userId, dollars) =>
      insertPaidInvoice(database, Number(userId), Math.round(dollars * 100)),
    listen: () => (url ??= built.app.listen({ host: '127.0.0.1', port: 0 })),
  }
}

/** Method, address and body of a call. */
export function injectOptionsFor(
  call: Endpoint,
  input: { params?: unknown; query?: unknown; body?: unknown },
): InjectOptions {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((input.params as Record<string, unknown>)[name])),
  )
  const query = Object.entries(input.query ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, String(value)])
  return {
    method: call.method,
    url: query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`,
    ...(input.body !== undefined && { payload: input.body as object }),
  }
}

let addresses = 0
/** Another address for each call, so that only tests of the rate limits per address meet them. */
function nextAddress(): string {
  const n = ++addresses
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
}

let invoices = 0

/** Credits a deposit (cents) that was paid and confirmed. */
export async function insertPaidInvoice(
  database: Pick<TestDatabase, 'tx'>,
  userId: number,
  amount: number,
): Promise<void> {
  await database.tx(async tx => {
    const externalId = `test-${++invoices}`
    const {
      rows: [invoice],
    } = await sql<{ id: number }>`
      insert into invoice (user_id, provider, external_id, status, paid_cents, confirmed_cents, credited_cents, credit_count, expires_at)
      values (${userId}, 'sandbox', ${externalId}, 'Settled', ${amount}, ${amount}, ${amount}, 1, now()) returning id`.execute(
      tx,
    )
    await credit(tx, userId, cents(amount), {
      id: invoice!.id,
      provider: 'sandbox',
      externalId,
      n: 1,
    })
  })
}
