import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { login, register } from '#contract/accounts.ts'
import type { OpenApiDocument } from '#contract/openapi/document.ts'
import { healthCheck, publicSettings } from '#contract/system.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import { tcpAddress } from '#tests/support/tcp-proxy.ts'
import { ensureFirstAdmin } from './accounts/service.ts'
import { buildApp } from './app.ts'
import { openDatabase } from './platform/database/database.ts'
import { isDatabaseUnavailable } from './platform/database/faults.ts'

const app = await testApp()
const fresh = await testApp()
const other = await testApp({
  env: { ADMIN_EMAIL: 'chief@example.com', PUBLIC_URL: 'https://labels.example.com' },
})

test('the health check says that the server is up', async () => {
  const health = async () => {
    const { status, body } = await app.call(healthCheck, {})
    return [status, body]
  }
  await expect
    .poll(health)
    .toEqual([200, { ok: true, database: 'up', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) }])
  const known = (await app.call(publicSettings, {})).body
  expect(known).toMatchObject({
    name: 'Evenpost',
    sandbox: { carrier: true, payments: true },
    bulkMaxRows: 50_000,
  })
})

/** A proxy to the database that can be closed. */
async function gateTo(url: string): Promise<{ url: string; shut(): Promise<void> }> {
  const through = tcpAddress(url)
  const { port, hostname } = through
  const open = new Set<Socket>()
  const gate = createServer(near => {
    const far = connect(Number(port), hostname)
    for (const end of [near, far]) {
      open.add(end)
      end.on('error', () => {})
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>(resolve => gate.listen(0, '127.0.0.1', resolve))
  through.port = String((gate.address() as AddressInfo).port)
  return {
    url: through.href,
    shut: () =>
      new Promise(resolve => {
        for (const end of open) end.destroy()
        gate.close(() => resolve())
      }),
  }
}

test('without the database the server says so, and calls ask to try again', async () => {
  const gate = await gateTo(app.database.url)
  const database = openDatabase(gate.url, { max: 2 })
  const { app: http } = await buildApp({ ...app.ctx, database }, { silent: true })
  await expect.poll(async () => (await http.inject('/api/health')).statusCode).toBe(200)
  await gate.shut()
  const answer = await http.inject('/api/health')
  expect([answer.statusCode, answer.json()]).toMatchObject([503, { ok: false, database: 'down' }])
  const call = await http.inject({ url: '/api/auth/verify', headers: { token: 'sl_x' } })
  expect([call.statusCode, call.headers['retry-after']]).toEqual([503, '5'])
  await http.close()
  await database.close()
})

test('so it does when the socket of the database is gone', async () => {
  const address = tcpAddress(app.database.url)
  address.searchParams.set('host', '/nowhere')
  const database = openDatabase(address.href, { max: 1 })
  const error = await database.pool.query('select 1').catch((failure: unknown) => failure)
  expect([(error as { code: string }).code, isDatabaseUnavailable(error)]).toEqual(['ENOENT', true])
  await database.close()
})

test('an unknown address is refused in the shape of every refusal', async () => {
  const answer = await app.send({ method: 'GET', url: '/api/nothing?secret=1' })
  const message = 'There is nothing at GET /api/nothing'
  expect([answer.statusCode, answer.json()]).toEqual([
    404,
    { message, error: message, code: 'path_unknown' },
  ])
})

test('an address that cannot be read is refused in the same shape and under the same headers', async () => {
  for (const url of ['/api/orders/%E0%A4%A', '/%']) {
    const answer = await app.send({ method: 'GET', url })
    const message = 'The path is not valid: a % in it must be followed by an encoded character'
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message, error: message, code: 'path_malformed' },
    ])
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  }
})

test('a browser with such an address gets the page', async () => {
  const headers = { accept: 'text/html,*/*;q=0.8' }
  const answer = await app.send({ method: 'GET', url: '/track/%E0%A4%A', headers })
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
})

test('a long part of an address is answered by its call, not as an unknown path', async () => {
  const { token } = await app.register()
  const url = `/api/orders/download/v2/${'0'.repeat(400)}`
  const answer = await app.send({ method: 'GET', url, headers: { token } })
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'request_invalid'])
})

test('a body that is not JSON, or too large, is refused in plain words', async () => {
  const post = (payload: string, type = 'application/json') =>
    app.send({
      method: 'POST',
      url: '/api/auth/login',
      payload,
      headers: { 'content-type': type },
    })
  expect((await post('{')).statusCode).toBe(400)
  expect((await post('email=a', 'application/x-www-form-urlencoded')).statusCode).toBe(400)
  expect(
    (await post(JSON.stringify({ email: 'a'.repeat(1_100_000), password: '' }))).statusCode,
  ).toBe(413)
  expect((await post(JSON.stringify({ email: ['a'], password: {} }))).json().errors).toHaveProperty(
    'email',
  )
})

const readDocument = async (query = '', token = '') =>
  app.send({ method: 'GET', url: `/api/openapi.json${query}`, headers: { token } })

test('every call is described, with its parameters and statuses', async () => {
  const { token } = await app.admin()
  const document = (await readDocument('?all=1', token)).json() as OpenApiDocument
  expect([document.openapi, document.info.title, document.servers]).toEqual([
    '3.1.0',
    'Evenpost',
    [{ url: app.ctx.config.publicUrl }],
  ])
  const calls = app.router.calls.filter(({ path }) => path.startsWith('/api/'))
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    const {
      operationId,
      parameters = [],
      responses,
    } = document.paths[path]![call.method.toLowerCase()]!
    expect(operationId).toBe(call.name)
    const named = parameters.filter(one => one.in === 'path')
    expect(named.every(one => one.required)).toBe(true)
    expect(named.map(one => one.name).toSorted()).toEqual(
      Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name).toSorted(),
    )
    expect(Object.keys(responses), path).toEqual(
      expect.arrayContaining([String(call.status ?? 200), '429', '500', '503']),
    )
  }
  const { post } = document.paths['/api/auth/sessions/{userId}/end']!
  expect(post!.requestBody!.required).toBe(false)
})

test('programs read the calls for keys; only administrators read all calls', async () => {
  const document = (await readDocument()).json() as OpenApiDocument
  const operations = Object.values(document.paths).flatMap(methods => Object.values(methods))
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
    app.router.calls
      .filter(({ scope, path }) => scope !== undefined && path.startsWith('/api/'))
      .map(({ name }) => name)
      .toSorted(),
  )
  expect(document.paths['/api/orders/v2']!.post!.security).toEqual([
    { bearer: ['labels:buy'] },
    { token: ['labels:buy'] },
    { basic: ['labels:buy'] },
  ])
  const { token } = await app.register()
  expect((await readDocument('?all=1')).statusCode).toBe(401)
  expect((await readDocument('?all=1', token)).statusCode).toBe(403)
})

test('two apps in one process share nothing', async () => {
  const { token, user } = await app.register()
  expect(
    (await other.call(login, { body: { email: user.email, password: PASSWORD } })).status,
  ).toBe(401)
  expect(
    (await other.send({ method: 'GET', url: '/api/auth/verify', headers: { token } })).statusCode,
  ).toBe(401)
  expect((await other.admin()).user.email).toBe('chief@example.com')
})

test('behind https the download cookie is sent over https only, under a name of its own', async () => {
  const open = async (at: typeof app) =>
    String(
      (
        await at.call(register, {
          body: {
            name: 'Ana',
            email: 'cookie@example.com',
            password: PASSWORD,
            confirmPassword: PASSWORD,
          },
        })
      ).headers['set-cookie'],
    )
  const [plain, safe] = [await open(app), await open(other)]
  expect(safe).toContain('; Secure')
  expect(safe.split('=')[0]).not.toBe(plain.split('=')[0])
})

test('the first administrator is created once, with a password that is shown once', async () => {
  expect(await ensureFirstAdmin(app.ctx)).toBeNull()
  await fresh.database.pool.query(`update app_user set role = 'user'`)
  const config = {
    ...fresh.ctx.config,
    adminEmail: 'first@example.com',
    adminPassword: undefined,
  }
  const made = await Promise.all([1, 2, 3].map(() => ensureFirstAdmin({ ...fresh.ctx, config })))
  const [admin] = made.filter(one => one !== null)
  expect(made.filter(one => one !== null)).toHaveLength(1)
  expect(await fresh.signIn('first@example.com', admin!.password!)).toMatch(/^sl_/)
})
