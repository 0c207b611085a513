/**
 * Every call of our OpenAPI document, with values it allows and values it does not, as a customer,
 * an administrator and signed out. No call ends with a 500, each responds as described, and no
 * refusal names internals. The invariants are checked at the end (tests/support/app.ts).
 */
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import {
  CONTENT_TYPES,
  corruptedText,
  MALFORMED_PIECES,
  printable,
  requests,
} from './support/fuzz-requests.ts'
import { prepareSubjects } from './support/fuzz-subjects.ts'
import { listDescribedCalls, createResponseChecker } from './support/openapi-calls.ts'
import type { DescribedCall, OpenApiDescription } from './support/openapi-calls.ts'
import { runSeeds, timeoutFor } from './support/seeded-runs.ts'

const REQUESTS = 6
const MOST_TRIES = 120

const app = await testApp()
const description = (
  await app.send({
    method: 'GET',
    url: '/api/openapi.json?all=1',
    headers: { token: (await app.admin()).token },
  })
).json() as OpenApiDescription
const calls = listDescribedCalls(description)
const checkResponse = createResponseChecker(description)
const createSubjects = await prepareSubjects(app)

const isAlive = async ({ token }: TestUser): Promise<boolean> =>
  (await app.send({ method: 'GET', url: '/api/auth/verify', headers: { token } })).statusCode
  === 200

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
  text.replace(
    /"(?:[^"\\]|\\.)*"|There is nothing at .*|^\/api\/.*(?= does not take [A-Z]+\. Use )|The query field \S+|'.*'/g,
    '',
  )

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

/**
 * A download may be answered by 503 and a time to retry while the files of its order are written again: it is repeated then. One that
 * stays is a fault, and so is one without a time.
 */
async function sendUntilServed(request: Parameters<typeof app.send>[0]): Promise<FuzzResponse> {
  for (let tries = 1; ; tries++) {
    const answer = await app.send(request)
    const mayRepeat =
      answer.statusCode === 503
      && answer.headers['retry-after'] !== undefined
      && JSON.stringify(request).includes('/orders/download/')
    if (!mayRepeat || tries === MOST_TRIES) return answer
    await wait(500)
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
        const answer = await sendUntilServed({
          method: call.method as 'GET',
          ...request,
          headers,
        })
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
  { timeout: timeoutFor(900_000) },
  async () => {
    await runSeeds(async seed => expect(await fuzzDescribedCalls(seed)).toBe(''))
  },
)

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
        { weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES) },
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
      const answer = await sendUntilServed(request)
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

test('malformed requests are refused in words too', { timeout: timeoutFor(900_000) }, async () => {
  await runSeeds(async seed => expect(await fuzzMalformedRequests(seed)).toBe(''))
})
