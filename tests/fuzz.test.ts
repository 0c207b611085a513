/**
 * Every call of our OpenAPI document, with values it allows and values it does not, as a customer,
 * an administrator and signed out. No call ends with a 500, each responds as described, and no
 * refusal names internals. The invariants are checked at the end (tests/support/app.ts).
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listDevices } from '#contract/accounts.ts'
import { saveAddress } from '#contract/addresses.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import {
  defaultServices,
  renameDefaultService,
  setDefaultServicePrices,
  toggleDefaultService,
} from '#contract/catalogue.ts'
import { placeOrder } from '#contract/orders.ts'
import { topUp } from '#contract/payments.ts'
import { addSkus } from '#contract/skus.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { row, singleOrderBody } from '#tests/support/rows.ts'
import { listDescribedCalls, createResponseChecker } from './support/openapi-calls.ts'
import type { DescribedCall, OpenApiDescription } from './support/openapi-calls.ts'
import { arbitraryFor } from './support/schema-arbitrary.ts'
import { runSeeds, timeoutFor } from './support/seeded-runs.ts'

const REQUESTS = 6

const app = await testApp()
const description = (
  await app.send({ method: 'GET', url: '/api/openapi.json' })
).json() as OpenApiDescription
const calls = listDescribedCalls(description)
const checkResponse = createResponseChecker(description)

/** Users that ids refer to: two customers; the administrator may change the second one freely. */
type FuzzSubjects = {
  firstCustomer: TestUser
  secondCustomer: TestUser
  admin: TestUser
  ids: Record<string, unknown[]>
}

/** A customer who has a bit of everything. */
async function createCustomer(): Promise<{ visitor: TestUser; ids: Record<string, unknown[]> }> {
  const visitor = await app.register()
  const {
    token,
    user: { _id: userId },
  } = visitor
  await app.creditDollars(userId, 500)
  const params = { userId }
  const placed = await app.call(placeOrder, { body: singleOrderBody(userId) }, token)
  const batch = (await app.call(initBatch, { body: { userId } }, token)).body.orderId
  const next = (await app.call(initBatch, { body: { userId } }, token)).body.orderId
  await app.call(
    processBatch,
    { params, body: { orderId: batch, orderData: [row(1), row(2)] } },
    token,
  )
  const skus = await app.call(
    addSkus,
    {
      params,
      body: { parsedData: [{ sku: 'MUG', maxQty: 4, weight: 1, length: 2, width: 3, height: 4 }] },
    },
    token,
  )
  const formData = {
    address_id: 'Home',
    name: 'Ana',
    street: '1 Main St',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
  }
  const saved = await app.call(saveAddress, { params, body: { formData } }, token)
  const devices = await app.call(listDevices, { params }, token)
  const invoice = (await app.call(topUp, { params }, token)).body.id
  return {
    visitor,
    ids: {
      userId: [userId],
      user_id: [userId],
      orderId: [placed.body.data.orderId, batch, next],
      orderIds: [placed.body.data.orderId],
      batchId: [batch],
      skuId: [skus.body.SkuData[0]!._id],
      addressRecordId: [saved.body.address._id],
      invoiceId: [invoice],
      sessionId: devices.body.sessions.map(({ _id }) => _id),
      name: [placed.body.data.pdfName!, batch],
    },
  }
}

const { token: chief } = await app.admin()
const services = (await app.call(defaultServices, {}, chief)).body

/** Restores the catalogue after an administrator's changes. */
async function createSubjects(): Promise<FuzzSubjects> {
  // A new one: the others may have been demoted, blocked or deleted by an administrator that was made meanwhile.
  const admin = await app.register()
  await app.database.pool.query(`update app_user set role = 'admin' where id = $1`, [
    admin.user._id,
  ])
  for (const { _id: id, name, prices } of services) {
    await app.call(toggleDefaultService, { params: { id }, body: { enabled: true } }, admin.token)
    await app.call(renameDefaultService, { params: { id }, body: { name } }, admin.token)
    await app.call(setDefaultServicePrices, { params: { id }, body: { prices } }, admin.token)
  }
  const [first, second] = [await createCustomer(), await createCustomer()]
  const { sender, receiver, package: parcel } = singleOrderBody(first.visitor.user._id)
  const ids: Record<string, unknown[]> = {
    sender: [sender],
    receiver: [receiver],
    package: [parcel],
    amount: [5, 12.5],
    prices: [[{ fromWeight: 1, toWeight: 70, price: 6.5 }]],
    serviceId: services.map(({ _id }) => _id),
    service_name: services.flatMap(({ uid, name }) => [uid, name]),
    kind: ['v2', 'pdf', 'result-csv', 'auto-csv'],
    referralCode: [first.visitor.user.referralCode, second.visitor.user.referralCode],
    provider: ['sandbox'],
  }
  for (const key of Object.keys(first.ids)) ids[key] = [...first.ids[key]!, ...second.ids[key]!]
  return { firstCustomer: first.visitor, secondCustomer: second.visitor, admin, ids }
}

const isAlive = async ({ token }: TestUser): Promise<boolean> =>
  (await app.send({ method: 'GET', url: '/api/auth/verify', headers: { token } })).statusCode
  === 200

/** Rows of a bulk order are described by the specification, not by the description. */
const ROWS = fc.record(
  Object.fromEntries(
    Object.entries(row()).map(([name, value]) => [
      name,
      fc.oneof(
        { weight: 150, arbitrary: fc.constant(value) },
        { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
      ),
    ]),
  ),
)

type FuzzRequest = { url: string; payload: string | undefined }

/** What a call means by `id`. */
const ID_OF = [
  ['/defaultServices', 'serviceId'],
  ['/address', 'addressRecordId'],
  ['', 'invoiceId'],
] as const

/** A request to make the call. `own`: whose it mostly is. */
function requests(
  call: DescribedCall,
  { ids }: FuzzSubjects,
  own: string[],
): fc.Arbitrary<FuzzRequest> {
  const id = ID_OF.find(([path]) => call.path.includes(path))![1]
  const known = (name: string) =>
    ids[name === 'id' ? id : name === 'user_id' ? 'userId' : name]?.concat(
      name === 'userId' || name === 'user_id' ? Array(4).fill(own).flat() : [],
    ) ?? []
  const fields = (where: 'path' | 'query') =>
    Object.fromEntries(
      call.parameters
        .filter(one => one.in === where)
        .map(({ name, schema }) => [name, arbitraryFor(schema, known, name)]),
    )
  const body = call.body === undefined ? fc.constant(undefined) : arbitraryFor(call.body, known)
  const rows = fc.array(ROWS, { maxLength: 3 })
  const parts = fc.tuple(
    fc.record(fields('path')),
    fc.record(fields('query'), { requiredKeys: [] }),
    body,
    rows,
  )
  return parts.map(([path, query, made, data]) => {
    const at = call.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(path[name]))
    const asked = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, textOf(value)]),
    )
    const full =
      typeof made === 'object' && made !== null && 'orderData' in made
        ? { ...made, orderData: data }
        : made
    return {
      url: asked.size > 0 ? `${at}?${asked}` : at,
      payload: full === undefined ? undefined : JSON.stringify(full),
    }
  })
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()
// An empty one is another address, and so is a dot.
const pathSegment = (value: unknown): string =>
  encodeURIComponent(textOf(value).slice(0, 250)).replace(/^(\.{0,2})$/, '-$1')

const INSIDES = new RegExp(
  [
    'at .*\\.ts:',
    'node_modules',
    'select .* from',
    'insert into',
    'postgres',
    'pg_',
    'syntax error',
    'violates',
    'constraint',
    'zod',
    'undefined',
    'NaN',
    '\\[object',
    'Invalid (input|option|string)',
    'Too (big|small):',
    'expected',
    'received',
    'FST_',
    'JSON at position',
    'ECONN',
  ].join('|'),
)

/** The text of a refusal without the values sent by the caller. */
const proseOf = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|There is nothing at .*|'.*'/g, '')

type FuzzResponse = { statusCode: number; headers: Record<string, unknown>; body: string }

/** What is wrong with the answer; null when nothing is. */
function problemWith(call: DescribedCall, answer: FuzzResponse): string | null {
  const wrong = checkResponse(call, {
    status: answer.statusCode,
    type: String(answer.headers['content-type'] ?? ''),
    body: answer.body,
  })
  return answer.statusCode >= 500
    ? describeServerError(answer)
    : (wrong ?? problemWithRefusal(answer))
}

const describeServerError = ({ statusCode, body }: FuzzResponse): string =>
  `a fault: ${statusCode} ${body.slice(0, 300)}`

/** What is wrong with a refusal of any kind. */
function problemWithRefusal(answer: FuzzResponse): string | null {
  if (answer.statusCode < 400) return null
  const {
    message,
    error,
    errors = {},
  } = JSON.parse(answer.body) as { message: string; error: string; errors?: Record<string, string> }
  const inside = [message, ...Object.values(errors)].find(
    text => text.trim() === '' || INSIDES.test(proseOf(text)),
  )
  if (inside !== undefined) return `words of the inside: ${inside.slice(0, 300)}`
  return message === error ? null : 'error does not repeat message'
}

/** What went wrong, once for each kind. */
function createProblemLog(): {
  note: (call: DescribedCall, wrong: string | null, request: object) => void
  told: () => string
} {
  const faults = new Map<string, string>()
  return {
    note(call, wrong, request) {
      if (wrong === null) return
      faults.set(
        `${call.method} ${call.path}: ${wrong.slice(0, 60)}`,
        `${wrong}\n    ${JSON.stringify(request).slice(0, 600)}`,
      )
    },
    told: () => [...faults].map(([what, how]) => `${what}\n  ${how}`).join('\n'),
  }
}

/** What went wrong in a round; nothing, if all is well. */
async function fuzzDescribedCalls(seed: number): Promise<string> {
  const faults = createProblemLog()
  let now = await createSubjects()
  for (const [index, call] of calls.entries()) {
    for (const who of ['firstCustomer', 'admin', null] as const) {
      const headers = { ...(who && { token: now[who].token }), 'content-type': 'application/json' }
      const own =
        who === 'admin'
          ? [now.secondCustomer.user._id, now.admin.user._id]
          : [now.firstCustomer.user._id]
      for (const request of fc.sample(requests(call, now, own), {
        seed: seed + index,
        numRuns: who ? REQUESTS : 2,
      })) {
        const answer = await app.send({ method: call.method as 'GET', ...request, headers })
        const wrong =
          who || call.isPublic || answer.statusCode === 401
            ? problemWith(call, answer)
            : `let in with ${answer.statusCode}`
        faults.note(call, wrong, request)
      }
    }
    if (
      call.method !== 'GET'
      && !(
        await Promise.all([now.firstCustomer, now.secondCustomer, now.admin].map(isAlive))
      ).every(Boolean)
    )
      now = await createSubjects()
  }
  return faults.told()
}

test(
  'everything the description allows, and much that it does not, is answered as described',
  { timeout: timeoutFor(120_000) },
  async () => {
    await runSeeds(async seed => expect(await fuzzDescribedCalls(seed)).toBe(''))
  },
)

/** Pieces that do harm inside a JSON text, an address or a header. */
const MALFORMED_PIECES = [
  '',
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  'null',
  '1e999',
  '-0',
  '-',
  '9'.repeat(400),
  '\\u0000',
  '\\ud800',
  '\\',
  '\u0000',
  '\u00ff',
  '"__proto__":{"admin":true},',
  '"constructor":{"prototype":null},',
  '"userId":"1",',
  '//',
  '/*',
  '\u2028',
  'NaN',
  "'",
  '%',
  '%2e%2e%2f',
  '\ufeff',
  '\n',
  '%00',
  '%ff',
  '?',
  '#',
  '&',
  '&page=1&page=2',
  '&__proto__[a]=1&constructor=1',
  '&userId[]=1',
  ';',
  '..',
  '+',
  '\ud83d\ude00',
  '[[[[[[[[[[',
]
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'Application/JSON',
  'application/json;;',
  'text/plain',
  'multipart/form-data',
  '',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'a/b; charset="',
  'application/json, text/html',
]

/** The text with some pieces cut out and others driven in. */
function corruptedText(text: string): fc.Arbitrary<string> {
  const cut = fc.tuple(fc.nat(text.length), fc.nat(6), fc.constantFrom(...MALFORMED_PIECES))
  return fc
    .array(cut, { minLength: 1, maxLength: 3 })
    .map(cuts =>
      cuts.reduce(
        (now, [at, length, splinter]) => now.slice(0, at) + splinter + now.slice(at + length),
        text,
      ),
    )
}

async function fuzzMalformedRequests(seed: number): Promise<string> {
  const faults = createProblemLog()
  const { firstCustomer, admin, ids } = await createSubjects()
  const one = { firstCustomer, secondCustomer: firstCustomer, admin, ids }
  // Calls that sign out, block or delete are left out, since later calls need their users.
  const safe = calls.filter(call => !/logout|\/end$|auth\/users|account/.test(call.path))
  for (const [index, call] of safe.entries()) {
    const [good] = fc.sample(requests(call, one, [firstCustomer.user._id]), {
      seed: seed + index,
      numRuns: 1,
    })
    const { url, payload } = good!
    const odd = fc.record({
      url: fc.oneof(
        fc.constant(url),
        corruptedText(url.slice(5)).map(rest => `/api/${rest}`),
      ),
      payload:
        payload === undefined
          ? fc.constantFrom(undefined, ...MALFORMED_PIECES)
          : fc.oneof(fc.constant(payload), corruptedText(payload)),
      type: fc.oneof(
        { weight: 3, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
      ),
      token: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(firstCustomer.token, admin.token) },
        { weight: 1, arbitrary: corruptedText(firstCustomer.token) },
      ),
      key: fc.constantFrom('k', 'x'.repeat(65_536), '\u00ff', ''),
    })
    for (const { url: at, payload: body, type, token, key } of fc.sample(odd, {
      seed: seed + index,
      numRuns: REQUESTS,
    })) {
      const headers = { token: printable(token), 'content-type': type, 'idempotency-key': key }
      const request = {
        method: call.method as 'GET',
        url: printable(at),
        payload: body && Buffer.from(body, 'latin1'),
        headers,
      }
      const answer = await app.send(request)
      // What became the address of a page is none of ours.
      if (String(answer.headers['content-type']).startsWith('text/html')) continue
      faults.note(
        call,
        answer.statusCode >= 500 ? describeServerError(answer) : problemWithRefusal(answer),
        {
          ...request,
          payload: body,
          key: key.slice(0, 9),
        },
      )
    }
  }
  return faults.told()
}

// What HTTP lets through; the rest is refused beneath us (tests/floods.test.ts).
const printable = (text: string): string => text.replace(/[^\x21-\x7e\xa0-\xff]/g, '~')

test('malformed requests are refused in words too', { timeout: timeoutFor(120_000) }, async () => {
  await runSeeds(async seed => expect(await fuzzMalformedRequests(seed)).toBe(''))
})
