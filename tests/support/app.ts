import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse as Inject } from 'fastify'
import { sql } from 'kysely'
import { afterAll, expect } from 'vitest'
import type * as z from 'zod'
import { login, register } from '#contract/accounts.ts'
import type { User } from '#contract/accounts.ts'
import type { ResponseData, Endpoint, ErrorResponse, RequestInput } from '#contract/endpoint.ts'
import { cents } from '#contract/money.ts'
import { ensureFirstAdmin } from '#server/accounts/service.ts'
import { buildApp } from '#server/app.ts'
import type { App } from '#server/app.ts'
import { credit, findViolations } from '#server/ledger/service.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Config } from '#server/platform/config.ts'
import type { Context } from '#server/platform/context.ts'
import { testDatabase } from './database.ts'
import type { TestDatabase } from './database.ts'

/** What a call answered. `body` also has the fields of a refusal, for the calls that are refused. */
export type CallResponse<C extends Endpoint> = {
  status: number
  body: ResponseData<C> & Partial<z.output<typeof ErrorResponse>>
  headers: OutgoingHttpHeaders
}

/** Somebody signed in. */
export type TestUser = { token: string; user: User; password: string }

export type TestApp = App & {
  ctx: Context
  database: TestDatabase
  /** Makes a call as the holder of `token`, from a network address of this visitor's own unless `address` names one. */
  call<C extends Endpoint>(
    call: C,
    wish: RequestInput<C>,
    token?: string,
    address?: string,
  ): Promise<CallResponse<C>>
  /** Any request, for what the contract has no call for. */
  send(request: InjectOptions): Promise<Inject>
  /** A new customer, signed in. */
  register(name?: string): Promise<TestUser>
  signIn(email: string, password: string): Promise<string>
  /** The first administrator, signed in anew. */
  admin(): Promise<TestUser>
  /** Puts confirmed money into a wallet, through the books. */
  creditDollars(userId: string | number, dollars: number): Promise<void>
  /** Listens on a free port, once, and returns the address ('http://127.0.0.1:…'), for sockets and browsers. */
  listen(): Promise<string>
}

export const PASSWORD = 'a long enough passphrase'

/**
 * The whole house on a database of this file's own: `const app = await testApp()` at the top of the file. It is closed when the
 * file is done, and then the books must balance. `env` sets variables of the configuration; `btcpay` puts that payment service beside the
 * sandbox's carrier, which no configuration of an operator may.
 */
export async function testApp(
  options: { env?: Record<string, string>; btcpay?: Config['btcpay'] } = {},
): Promise<TestApp> {
  const database = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'evenpost-app-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ADMIN_PASSWORD: PASSWORD,
    ...options.env,
  })
  if (options.btcpay) Object.assign(config, { payments: 'btcpay', btcpay: options.btcpay })
  const quiet = () => {}
  const house: Context = {
    config,
    database,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  }
  const built = await buildApp(house, { silent: true })
  await ensureFirstAdmin(house)
  await built.start()
  afterAll(async () => {
    await built.stop()
    await rm(dataDir, { recursive: true, force: true })
    expect(await findViolations(database.db), 'rules of the books that are broken').toEqual([])
  })

  let people = 0
  let url: Promise<string> | undefined
  const call: TestApp['call'] = async (what, wish, token, address = randomAddress()) => {
    const headers = token === undefined ? {} : { token }
    const answer = await built.app.inject({
      ...injectOptionsFor(what, wish),
      headers,
      remoteAddress: address,
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body === '' ? (undefined as never) : answer.json(),
    }
  }
  const signIn = async (email: string, password: string) => {
    const { status, body } = await call(login, { body: { email, password } })
    expect(status, body.message).toBe(200)
    return body
  }
  return {
    ...built,
    ctx: house,
    database,
    call,
    send: request => built.app.inject({ remoteAddress: randomAddress(), ...request }),
    signIn: async (email, password) => (await signIn(email, password)).token,
    async register(name = `Customer ${++people}`) {
      const email = `customer${randomInt(2 ** 47)}@example.com`
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
  wish: { params?: unknown; query?: unknown; body?: unknown },
): InjectOptions {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((wish.params as Record<string, unknown>)[name])),
  )
  const query = Object.entries(wish.query ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, String(value)])
  return {
    method: call.method,
    url: query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`,
    ...(wish.body !== undefined && { payload: wish.body as object }),
  }
}

/** A network address of one's own, so that the limits of one address are met only by tests that look for them. */
const randomAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

async function insertPaidInvoice(
  database: TestDatabase,
  userId: number,
  amount: number,
): Promise<void> {
  await database.tx(async tx => {
    const externalId = `test-${randomInt(2 ** 47)}`
    const {
      rows: [invoice],
    } = await sql<{ id: number }>`
      insert into invoice (user_id, provider, external_id, status, paid_cents, confirmed_cents, credited_cents, credits, expires_at)
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
