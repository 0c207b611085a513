/** Hostile input of every kind: no call ends with a 500, and no refusal names internals. */
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  listUsers,
  loginAs,
  logout,
  saveAccount,
  setUserActivation,
  setUserDetails,
  setUserRole,
} from '#contract/accounts.ts'
import { initBatch } from '#contract/batches.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { placeOrder } from '#contract/orders.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import { row, singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const ana = await app.register('Ana')
const admin = await app.admin()
await app.creditDollars(ana.user._id, 100)

const INSIDES =
  /at .*\.ts:|node_modules|select |insert |postgres|pg_|syntax error|violates|constraint|zod/i
const nameOf = (call: Endpoint) => `${call.method} ${call.path}`
const headers = (token: string) => ({ token, 'content-type': 'application/json' })

/** Every call with parameters that are read as `id`, by an administrator, whom the most doors are open to. */
function requestWith(call: Endpoint, id: string, query = '') {
  const names = [...call.path.matchAll(/:(\w+)/g)].map(match => match[1]!)
  const { url } = injectOptionsFor(call, {
    params: Object.fromEntries(names.map(name => [name, id])),
  })
  return { method: call.method, url: `${String(url)}${query}` }
}

/** What went wrong where all that may go wrong is the request: a fault of ours, or a word too much. */
async function faults(call: Endpoint, request: Parameters<typeof app.send>[0]): Promise<string[]> {
  const { statusCode, body } = await app.send(request)
  return statusCode >= 500 || (statusCode >= 400 && INSIDES.test(body))
    ? [`${nameOf(call)}: ${statusCode} ${body.slice(0, 300)}`]
    : []
}

// But for the calls that end a sign-in: the ones after them would only meet a closed door.
const calls = app.router.calls.filter(call => !/\/(logout|sessions\/:userId\/end)$/.test(call.path))

const IDS = [
  '0',
  '-1',
  '1e30',
  '999999999999999999',
  '9223372036854775808',
  'abc',
  '1.5',
  '\u0000',
  "1'--",
  '../../etc/passwd',
  '\ud83d\ude00',
  'x'.repeat(290),
]
test.each(IDS)('no call fails with a 500 for an id like %.20s', async id => {
  for (const call of calls.filter(one => one.path.includes(':'))) {
    const body = call.method === 'GET' ? {} : { payload: '{}' }
    expect(
      await faults(call, { ...requestWith(call, id), ...body, headers: headers(admin.token) }),
    ).toEqual([])
  }
})

const QUERIES = [
  '?page=0',
  '?page=-1',
  '?page=abc',
  '?page=1e30',
  '?page=999999',
  '?limit=0',
  '?limit=-1',
  '?limit=abc',
  '?limit=1e9',
  '?page=1000000&limit=10000',
  '?page=1&page=2',
  '?search=%25_%5C%27%22',
  '?search=%00',
  '?search=%F0%9F%93%A6',
  '?search=%ED%A0%80',
  `?search=${'9'.repeat(30)}`,
  `?search=${'a'.repeat(300)}`,
  // Each of these characters is searched as several: a word of 3,600 bytes, and words of Arabic.
  `?search=${encodeURIComponent('\u3316'.repeat(200))}`,
  `?search=${encodeURIComponent('\ufdfa'.repeat(200))}`,
  `?search=${encodeURIComponent('\u0301\u0316'.repeat(100))}`,
  '?filter=%27%3B--',
  '?reference=%00',
  '?format=%00',
]
test.each(QUERIES)('no list fails with a 500 for a query like %.30s', async query => {
  for (const call of calls.filter(one => one.method === 'GET')) {
    expect(
      await faults(call, {
        ...requestWith(call, ana.user._id, query),
        headers: headers(admin.token),
      }),
    ).toEqual([])
  }
})

const NUL = 'a\u0000b'
const LONE_SURROGATE = 'a\ud83db'
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
/** A value of the wrong kind for each known name, as often as there are kinds. */
const bodiesOf = (value: unknown) =>
  JSON.stringify({
    ...Object.fromEntries(
      [
        'name',
        'email',
        'password',
        'confirmPassword',
        'referralCode',
        'orderId',
        'id',
        'address_id',
        'service_name',
        'courier',
        'amount',
        'enabled',
        'prices',
        'user_role',
        'activation',
        'orderData',
        'replaces',
        'shipments',
        'parsedData',
        'sender',
        'receiver',
        'package',
        'manifested',
      ].map(name => [name, value]),
    ),
    user_id: ana.user._id,
    userId: ana.user._id,
    formData: Object.fromEntries(
      [
        'address_id',
        'name',
        'company',
        'phone',
        'street',
        'street2',
        'city',
        'state',
        'zip',
        'country',
      ].map(name => [name, value]),
    ),
    skuData: Object.fromEntries(
      ['sku', 'maxQty', 'weight', 'length', 'width', 'height', 'description'].map(name => [
        name,
        value,
      ]),
    ),
  })
const BODIES: [what: string, body: string][] = [
  ['nothing', ''],
  ['no JSON', '{"a":'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['a number', '1e400'],
  ['NUL', NUL],
  ['a prototype', '{"__proto__":{"admin":true}}'],
  ['a constructor', '{"constructor":{"prototype":{"admin":true}}}'],
  ['one name twice', `{"userId":"${ana.user._id}","userId":"1"}`],
  ['too deep', `{"orderData":${deep(20_000)}}`],
  ['texts with NUL', bodiesOf(NUL)],
  ['half a letter', bodiesOf(LONE_SURROGATE)],
  ['a megabyte', bodiesOf('x'.repeat(30_000))],
  ['numbers', bodiesOf(-1)],
  ['beyond numbers', bodiesOf(0).replaceAll(':0', ':1e309')],
  ['lists', bodiesOf([[]])],
  ['records', bodiesOf({})],
  ['nulls', bodiesOf(null)],
]
test.each(BODIES)('no call fails with a 500 for a body that is %s', async (_, payload) => {
  for (const call of calls.filter(one => one.method !== 'GET' && one.body)) {
    for (const { token } of [ana, admin]) {
      expect(
        await faults(call, {
          ...requestWith(call, ana.user._id),
          payload,
          headers: headers(token),
        }),
      ).toEqual([])
    }
  }
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

test('a body of another type or compressed is refused with a sentence, one too large with 413', async () => {
  const init = (payload: string | Buffer, type: string, more = {}) =>
    app.send({
      method: 'POST',
      url: initBatch.path,
      payload,
      headers: { token: ana.token, 'content-type': type, ...more },
    })
  const good = JSON.stringify({ userId: ana.user._id })
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'odd',
  ]) {
    expect((await init(good, type)).statusCode, type).toBe(400)
  }
  expect(
    (await init(gzipSync(good), 'application/json', { 'content-encoding': 'gzip' })).statusCode,
  ).toBe(415)
  expect((await init(`{"userId":"${'1'.repeat(2 ** 20)}"}`, 'application/json')).statusCode).toBe(
    413,
  )
  const huge = await app.send({
    method: 'POST',
    url: `/api/orders/bulk/process/${ana.user._id}`,
    headers: headers(ana.token),
    payload: Buffer.alloc(70 * 2 ** 20, 0x20),
  })
  expect([huge.statusCode, huge.json().message]).toEqual([413, 'This is too large for one request'])
})

test('a call without a body may still be sent as JSON', async () => {
  const { orderId } = (await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token))
    .body
  const url = `/api/orders/bulk/retry-failed/${orderId}`
  const answer = await app.send({ method: 'POST', url, headers: headers(ana.token), payload: '' })
  expect(answer.statusCode).toBe(404) // no rows yet: not a word about the body
})

const UNSTORABLE_TEXTS = [
  ['a zero character', NUL],
  ['half a letter', LONE_SURROGATE],
  ['a million letters', 'x'.repeat(1_000_000)],
] as const
test.each(UNSTORABLE_TEXTS)('a row with %s is refused, and its field named', async (_, text) => {
  const { orderId } = (await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token))
    .body
  for (const field of Object.keys(row())) {
    const answer = await app.send({
      method: 'POST',
      url: `/api/orders/bulk/process/${ana.user._id}`,
      headers: headers(ana.token),
      payload: JSON.stringify({ orderId, orderData: [row(1, { [field]: text })] }),
    })
    // A row of more than 32 KB is not even parsed.
    expect([field, answer.statusCode]).toEqual([field, text.length > 32_000 ? 400 : 422])
    expect(Object.keys(answer.json().errors)).toEqual([`1.${field}`])
  }
})

test.each(UNSTORABLE_TEXTS.slice(0, 2))('a label with %s is refused', async (_, text) => {
  for (const part of ['sender', 'receiver', 'package'] as const) {
    const good = singleOrderBody(ana.user._id)
    for (const field of Object.keys(good[part])) {
      if (field === 'package_weight_unit') continue
      const payload = JSON.stringify({ ...good, [part]: { ...good[part], [field]: text } })
      const answer = await app.send({
        method: 'POST',
        url: '/api/orders/v2',
        headers: headers(ana.token),
        payload,
      })
      expect([field, answer.statusCode]).toEqual([field, 422])
    }
  }
})

/** A call whose body ends only after `between`: its sign-in was good when it began. */
function sendSlowly(
  call: Endpoint,
  input: { params?: unknown; body: object },
  token: string,
  between: () => Promise<unknown>,
) {
  const { url, method } = injectOptionsFor(call, input)
  const text = JSON.stringify(input.body)
  const payload = Readable.from(
    (async function* () {
      yield Buffer.from(text.slice(0, 2))
      await between()
      yield Buffer.from(text.slice(2))
    })(),
  )
  return app.send({
    method: method!,
    url: url!,
    headers: { ...headers(token), 'content-length': String(text.length) },
    payload,
  })
}

test('a user who is blocked or demoted while sending a request changes nothing with it', async () => {
  const [rogue, pal] = [await app.register('Rogue'), await app.register('Pal')]
  const role = (userId: string, user_role: 'user' | 'admin') =>
    app.call(setUserRole, { params: { userId }, body: { user_role } }, admin.token)
  const block = (userId: string) =>
    app.call(setUserActivation, { params: { userId }, body: { activation: 'block' } }, admin.token)
  const params = { userId: pal.user._id }
  await role(rogue.user._id, 'admin')
  const demoted = [
    await sendSlowly(setUserRole, { params, body: { user_role: 'admin' } }, rogue.token, () =>
      role(rogue.user._id, 'user'),
    ),
    await role(rogue.user._id, 'admin').then(() =>
      sendSlowly(setUserDetails, { params, body: { balance: 5000 } }, rogue.token, () =>
        role(rogue.user._id, 'user'),
      ),
    ),
  ]
  expect(demoted.map(({ statusCode }) => statusCode)).toEqual([403, 403])
  const { token } = (await app.call(loginAs, { params, body: {} }, admin.token)).body
  const acting = await sendSlowly(saveAccount, { params, body: { name: 'Nobody' } }, token, () =>
    app.call(logout, {}, token),
  )
  await app.creditDollars(pal.user._id, 20)
  const ordering = await sendSlowly(
    placeOrder,
    { body: singleOrderBody(pal.user._id) },
    pal.token,
    () => block(pal.user._id),
  )
  expect([acting.statusCode, ordering.statusCode]).toEqual([401, 401])
  const found = (await app.call(listUsers, { query: { search: pal.user.email } }, admin.token)).body
  expect(found.map(({ name, user_role, balance }) => [name, user_role, balance])).toEqual([
    ['Pal', 'user', 20],
  ])
})
