/** What the running server reports, and what it keeps secret: lines 53 to 58 of docs/security.md. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { io as connect } from 'socket.io-client'
import { afterAll, expect, inject, test } from 'vitest'
import { loginAs, register, setUserActivation, setUserDetails } from '#contract/accounts.ts'
import { AUDIT_ACTIONS } from '#contract/audit.ts'
import { defaultServices, renameDefaultService } from '#contract/catalogue.ts'
import { SECRET_NAME } from '#server/platform/variables.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import { testDatabase } from '#tests/support/database.ts'
import { row, singleOrderBody } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { projectFiles, readProjectFile, ROOT } from '#tests/support/source.ts'

const app = await testApp()
const database = await testDatabase()

test('53 an internal error is one plain sentence with the number under which it is logged', async () => {
  const { token, user } = await app.register()
  await app.database.owner.pool.query('alter table sku rename to sku_away')
  const broken = await app.send({ url: `/api/auth/get-sku/${user._id}`, headers: { token } })
  await app.database.owner.pool.query('alter table sku_away rename to sku')
  expect(broken.statusCode).toBe(500)
  const { requestId, ...told } = broken.json()
  const sentence =
    'Something went wrong on our side. Nothing was charged that is not on your statement.'
  expect([requestId, told]).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}$/),
    { message: sentence, error: sentence, code: 'internal_error' },
  ])
  expect(
    (await app.send({ url: `/api/auth/get-sku/${user._id}`, headers: { token } })).statusCode,
  ).toBe(200)
})

/** A distinct text for every field that may hold private data. */
const canary = (what: string) => `CANARY${what}7Q`
const FORGED = '{"level":50,"msg":"forged by a stranger"}'

/**
 * Every action of a customer with all their data, in every way that may be logged: done, refused,
 * and failed.
 */
async function exerciseEverything(
  server: ServerProcess,
  outages: (() => Promise<() => Promise<void>>)[],
): Promise<string[]> {
  const password = canary('password')
  const email = `${canary('mail')}@example.com`
  const tokens: string[] = []
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const answer = await fetch(server.url + path, {
      method,
      headers: {
        'user-agent': canary('agent'),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  const entry = { name: canary('name'), email, password, confirmPassword: password }
  const { token, user } = (await ask('POST', register.path, { ...entry, referralCode: '' })).body
  const signedIn = { token }
  tokens.push(token)
  await ask('POST', register.path, { ...entry, referralCode: canary('code') })
  await ask('POST', '/api/auth/login', { email, password: canary('guess') })
  await ask('POST', '/api/auth/login', {
    email: `${canary('line')}@example.com\n${FORGED}`,
    password: `x\n${FORGED}`,
  })
  await ask('POST', '/api/auth/forgot-password', { email })
  await ask('POST', '/api/auth/reset-password', {
    token: canary('link'),
    password: canary('reset'),
  })
  await ask('GET', `/api/auth/verify?token=${canary('query')}`, undefined, {
    token: `sl_${canary('dead')}`,
  })
  await ask('POST', '/api/orders/v2', `{"broken": "${canary('broken')}`, signedIn)
  await ask('POST', '/api/orders/v2', { user_id: canary('shape') }, signedIn)
  await server.pay({ token, user }, 100)
  const order = singleOrderBody(user._id, {
    receiver: {
      receiver_name: canary('receiver'),
      receiver_phone: '5595550187',
      receiver_company: canary('company'),
      receiver_address1: `12 ${canary('street')}`,
      receiver_city: canary('city'),
    },
    package: { package_description: canary('parcel'), package_reference2: canary('sku') },
  })
  await ask('POST', '/api/orders/v2', order, { ...signedIn, 'idempotency-key': canary('key') })
  const lost = { ...order, receiver: { ...order.receiver, receiver_address2: 'SANDBOX REFUSE' } }
  await ask('POST', '/api/orders/v2', lost, signedIn)
  const { orderId } = (await ask('POST', '/api/orders/bulk/init', { userId: user._id }, signedIn))
    .body
  const bulk = (orderData: unknown[]) =>
    ask('POST', `/api/orders/bulk/process/${user._id}`, { orderId, orderData }, signedIn)
  await bulk([row(1, { ToZipPostal: canary('zip') })])
  await bulk([
    row(1, {
      ToRecipientName: canary('bulk'),
      ToStreet1: canary('road'),
      orderId: canary('order'),
    }),
  ])
  await ask('GET', `/api/orders/${user._id}?search=${canary('search')}`, undefined, signedIn)
  await ask('GET', `/api/orders/download/v2/${canary('file')}.pdf`, undefined, signedIn)
  const formData = {
    address_id: canary('address'),
    name: canary('sender'),
    street: 'x',
    city: 'y',
    state: 'TX',
    zip: '78701',
  }
  const save = () => ask('POST', `/api/auth/save-address/${user._id}`, { formData }, signedIn)
  await save()
  await save() // the database refuses the second one
  // And now the same while the database is out of order: what is told and what is logged is an error each time.
  for (const outage of outages) {
    const mend = await outage()
    await save()
    await ask('POST', '/api/orders/v2', order, signedIn)
    await ask('POST', register.path, { ...entry, email: `${canary('second')}@example.com` })
    await mend()
  }
  const socket = connect(server.url, {
    transports: ['websocket'],
    reconnection: false,
    auth: { token: canary('socket') },
  })
  await new Promise<void>(resolve =>
    socket.once('connect_error', () => resolve()).once('connect', () => resolve()),
  )
  socket.disconnect()
  return tokens
}

/** A table that is away, and one that takes no row: of that PostgreSQL tells the whole row. Each gives back how it is mended. */
const OUTAGES = ['saved_address', 'shipment_order', 'app_user', 'login_session'].flatMap(name => [
  async () => {
    await database.owner.pool.query(`alter table ${name} rename to ${name}_away`)
    return async () =>
      void (await database.owner.pool.query(`alter table ${name}_away rename to ${name}`))
  },
  async () => {
    await database.owner.pool.query(
      `alter table ${name} add constraint broken check (false) not valid`,
    )
    return async () =>
      void (await database.owner.pool.query(`alter table ${name} drop constraint broken`))
  },
])

/**
 * The server as its operator runs it, with the most verbose log, during a customer's whole life.
 */
const { path, forget } = await createDataFolder()
afterAll(forget)
const serverLog = (async () => {
  const server = await startServer(path, {
    DATABASE_URL: database.url,
    ALLOW_UNSAFE_DATABASE: 'yes',
    LOG_LEVEL: 'debug',
  })
  let said = server.readOutput()
  for (const stream of [server.child.stdout!, server.child.stderr!])
    stream.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  try {
    const tokens = await exerciseEverything(server, OUTAGES)
    const gone = once(server.child, 'close')
    await server.stop('SIGTERM')
    await gone
    return { said, tokens }
  } finally {
    await server.stop('SIGKILL')
  }
})()
// Told by the tests that wait for it.
serverLog.catch(() => {})

test('54 for every action and every failure, the log has nothing of a customer’s data', async () => {
  const { said, tokens } = await serverLog
  expect(
    said.match(/a request failed/g)?.length,
    'calls that failed and were logged',
  ).toBeGreaterThan(5)
  expect([...new Set(said.match(/CANARY\w+/gi))]).toEqual([])
  const ofDatabase = await readFile(inject('databaseLog'), 'utf8')
  expect(ofDatabase).toContain('database system is ready')
  expect([...new Set(ofDatabase.match(/CANARY\w+/gi))]).toEqual([])
  for (const secret of [...tokens, '5595550187', 'the operator of this installation'])
    expect(said).not.toContain(secret)
})

test('55 a typed line break starts no line in the log', async () => {
  const { said } = await serverLog
  expect(said).not.toContain('forged')
  const lines = said.split('\n').filter(line => line.startsWith('{'))
  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), time: expect.any(Number) })
})

test('each line of the log about a request has its number once', async () => {
  const { said } = await serverLog
  const lines = said.split('\n').filter(line => /"a request (?:failed|was answered)"/.test(line))
  expect(lines.length).toBeGreaterThan(5)
  const ids = (line: string) => line.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)
  for (const line of lines) expect(ids(line)).toEqual([JSON.parse(line).requestId])
})

test('56 sign-ins, refusals, administrators’ actions and money are recorded, and no entry can be changed', async () => {
  const admin = await app.admin()
  const { token, user, password } = await app.register()
  const params = { userId: user._id }
  await app.send({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: user.email, password: 'wrong' },
  })
  await app.signIn(user.email, password)
  await app.send({ url: '/api/auth/users', headers: { token } })
  await app.call(setUserDetails, { params, body: { balance: 5, reason: 'goodwill' } }, admin.token)
  await app.call(loginAs, { params, body: { reason: 'asked' } }, admin.token)
  await app.call(setUserActivation, { params, body: { activation: 'block' } }, admin.token)
  const {
    body: [service],
  } = await app.call(defaultServices, {}, admin.token)
  await app.send({
    ...injectOptionsFor(renameDefaultService, {
      params: { id: service!._id },
      body: { name: 'Ground' },
    }),
    headers: { token: admin.token },
  })
  const { rows } = await app.database.pool.query<{ action: string }>(
    'select action from audit_entry where actor_id = any($1) or subject_id = $2',
    [[user._id, admin.user._id], user._id],
  )
  const written = new Set(rows.map(({ action }) => action))
  for (const action of [
    'register',
    'login-denied',
    'login',
    'forbidden',
    'adjusted',
    'login-as',
    'block',
    'service-renamed',
  ]) {
    expect(written).toContain(action)
    expect(AUDIT_ACTIONS).toHaveProperty(action)
  }
  const before = await app.database.pool.query('select count(*) as many from audit_entry')
  for (const tampering of [
    `update audit_entry set action = 'login'`,
    'delete from audit_entry',
    'truncate audit_entry',
    'truncate audit_entry cascade',
    `update transfer set cents = 0`,
    'delete from transfer',
    'truncate transfer cascade',
  ])
    for (const { pool } of [app.database, app.database.owner])
      await expect(pool.query(tampering), tampering).rejects.toThrow()
  expect((await app.database.pool.query('select count(*) as many from audit_entry')).rows).toEqual(
    before.rows,
  )
})

/** How the secrets of this world look. Put together where this line would find itself. */
const SECRETS = new RegExp(
  [
    '-----BEGIN' + ' [A-Z ]*PRIVATE KEY',
    'AKIA' + '[0-9A-Z]{16}',
    'EZ(AK|TK)' + '[0-9a-f]{20,}',
    '[sr]k_live_' + '\\w{10,}',
    'gh[pousr]_' + '\\w{30,}',
    'xox[abprs]-' + '[\\w-]{10,}',
    'eyJ' + '[\\w-]{20,}\\.eyJ[\\w-]{20,}',
    'npm_' + '\\w{36}',
    '://[^\\s:/@\'"`$]+:' + '[^\\s:/@\'"`$]{12,}@',
  ].join('|'),
)

test('57 with real money the server does not start on example secrets; the project contains no secret', async () => {
  const child = spawn(process.execPath, [join(ROOT, 'server', 'main.ts')], {
    cwd: path,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: path,
      PORT: '0',
      CARRIER: 'easypost',
      PAYMENTS: 'btcpay',
      EASYPOST_API_KEY: 'your-api-key',
      BTCPAY_URL: 'https://pay.example.com',
      BTCPAY_API_KEY: 'changeme',
      BTCPAY_STORE_ID: 'x',
      BTCPAY_WEBHOOK_SECRET: 'webhook-secret',
      ADMIN_PASSWORD: 'admin-password-1',
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  for (const name of [
    'EASYPOST_API_KEY',
    'BTCPAY_API_KEY',
    'BTCPAY_WEBHOOK_SECRET',
    'ADMIN_PASSWORD',
  ]) {
    expect(said).toContain(`${name} can be guessed`)
  }
  expect(said).not.toMatch(/your-api-key|changeme|webhook-secret|admin-password-1/)

  const files = projectFiles(
    '{*,.*,{contract,server,web,tests,scripts,docs}/**/*}.{ts,tsx,mjs,js,json,sql,md,yaml,yml,html,css,txt,example}',
  )
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter(file => SECRETS.test(readProjectFile(file)))).toEqual([])
  const example = parseEnv(readProjectFile('.env.example'))
  expect(
    Object.entries(example).filter(([name, value]) => SECRET_NAME.test(name) && value !== ''),
  ).toEqual([])
})

/** Licences under which others may be shipped with us or used to build and test. */
const LICENCES =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|MPL-2\.0|OFL-1\.1|PostgreSQL|PSF-2\.0|Unlicense|CC0-1\.0)\b/

test('58 packages are those of the lock file, each with its checksum and a permissive license', () => {
  type Entry = {
    version?: string
    integrity?: string
    license?: string
    resolved?: string
    link?: boolean
  }
  const { packages } = JSON.parse(readProjectFile('package-lock.json')) as {
    packages: Record<string, Entry>
  }
  const entries = Object.entries(packages).filter(([at]) => at !== '')
  expect(entries.length).toBeGreaterThan(100)
  expect(
    entries
      .filter(([, { integrity, version }]) => !integrity?.startsWith('sha512-') || !version)
      .map(([at]) => at),
  ).toEqual([])
  const foreign = entries.filter(
    ([at, { license }]) => !LICENCES.test(license ?? UNSTATED[at] ?? ''),
  )
  expect(foreign.map(([at, { license }]) => `${at}: ${license}`)).toEqual([])
  const { dependencies, devDependencies } = JSON.parse(readProjectFile('package.json')) as Record<
    string,
    Record<string, string>
  >
  const isExact = /^\d+\.\d+\.\d+(-[\w.]+)?$/
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !isExact.test(version),
  )
  expect(loose).toEqual([])
  for (const file of ['Dockerfile', 'scripts/setup.mjs'])
    expect(readProjectFile(file)).toMatch(/npm ci [^\n]*--ignore-scripts|'ci', '--ignore-scripts'/)
  expect(readProjectFile('package.json')).toMatch(/"holes": "npm audit /)
})

/** Packages whose lock entry names no licence, and the one that they come with. */
const UNSTATED: Record<string, string> = {
  'node_modules/png-js': 'MIT',
  'node_modules/xmlhttprequest-ssl': 'MIT',
}
