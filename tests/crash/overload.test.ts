/**
 * Overload: requests that never end, huge bodies, a thousand pages on one order. The server answers
 * everyone else, and its memory stays in the same range.
 */
import { request } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { io } from 'socket.io-client'
import type { Socket as Line } from 'socket.io-client'
import { afterAll, expect, test } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import type { BatchProgress } from '#contract/batches.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import { ErrorResponse } from '#contract/error-response.ts'
import { invariants } from '#contract/ledger.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { healthCheck } from '#contract/system.ts'
import { row, rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'

const METRICS_TOKEN = 'only for the figures of this test'
const INVALID_SHIPMENT = '{"service_name":[],"package":{"package_weight":[],"package_length":[]}},'
const PATIENCE = { timeout: 600_000, interval: 100 }

const data = await createDataFolder()
const app = await startServer(data.path, {
  METRICS_TOKEN,
  SANDBOX_CARRIER_LATENCY_MS: '20',
  TRUST_PROXY: 'loopback',
})
const { hostname, port } = new URL(app.url)
afterAll(async () => {
  await app.stop('SIGTERM')
  await data.forget()
})

/** The server says 503 while its database stands still. */
async function healthy(message?: string): Promise<void> {
  await expect.poll(async () => (await app.call(healthCheck, {})).status, { message }).toBe(200)
}

/** The server's memory in MB. */
async function memory(): Promise<number> {
  const answer = await fetch(`${app.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(await answer.text())![1]) / 2 ** 20
}

test('500 clients that send a byte now and then are disconnected, and all others are served', async () => {
  const said: string[] = []
  let ended = 0
  const slow: Socket[] = Array.from({ length: 500 }, () => {
    const socket = connect(Number(port), hostname)
    // At once, not when it is connected: the bytes below may come first then.
    socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    socket.on('data', chunk => said.push(chunk.toString()))
    return socket.on('error', () => {}).on('close', () => ended++)
  })
  const drip = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('a')
  }, 500)
  try {
    for (let n = 0; n < 5; n++) await healthy()
    await expect.poll(() => ended, PATIENCE).toBe(500)
  } finally {
    clearInterval(drip)
    for (const socket of slow) socket.destroy()
  }
  expect(said.length).toBeGreaterThan(0)
  expect(said[0]).toMatch(/^HTTP\/1\.1 408 [\s\S]*"error":"The request did not come in time"/)
  await healthy()
})

/** What is answered to bytes that are no request as it should be. */
const sendRaw = (text: string): Promise<string> =>
  new Promise(done => {
    let heard = ''
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'))
    socket
      .on('data', chunk => (heard += chunk.toString()))
      .on('error', () => {})
      .on('close', () => done(heard))
  })

const RUBBISH: [what: string, text: string, status: number][] = [
  ['no HTTP', 'HELLO\r\n\r\n', 400],
  ['a letter of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400],
  ['a zero in a header', 'GET / HTTP/1.1\r\nHost: x\r\ntoken: a\x00b\r\n\r\n', 400],
  [
    'two lengths',
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
    400,
  ],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'a token of 64 KB',
    `GET /api/auth/verify HTTP/1.1\r\nHost: x\r\ntoken: ${'x'.repeat(65_536)}\r\n\r\n`,
    431,
  ],
  ['an address of 64 KB', `GET /${'x'.repeat(65_536)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
]
test.each(RUBBISH)('%s is refused in the usual form', async (_, text, status) => {
  const [head, body] = (await sendRaw(text)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  const { message, error, code } = ErrorResponse.parse(JSON.parse(body!))
  expect([error, message]).toEqual([message, expect.stringMatching(/^The (request|headers) /)])
  expect(REFUSALS[code].status).toBe(status)
})

type RawBodyOptions = { encoding?: string; length?: string }
/** `isIncomplete`: the server did not get the body in time. */
type RawAnswer = { status: number; isIncomplete: boolean }

const MOST_SENDS = 5

/** Sends a body that fetch would not; the answer may come before it is sent whole. */
async function send(
  path: string,
  token: string,
  body: Iterable<string | Buffer>,
  options: RawBodyOptions = {},
): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      const { status, isIncomplete } = await sendOnce(path, token, body, options)
      if (!isIncomplete) return status
      // A process may have stood still. This refusal does not depend on the contents of the body.
      expect(tries, 'bodies that did not come in time').toBeLessThan(MOST_SENDS)
    } catch (error) {
      // The server answers before the end of the body and closes: the answer may be lost with it. It is a reset where the server
      // had received more than it had read.
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['EPIPE', 'ECONNRESET'].includes(code) || tries === MOST_SENDS) throw error
    }
  }
}

function sendOnce(
  path: string,
  token: string,
  body: Iterable<string | Buffer>,
  { encoding, length }: RawBodyOptions,
): Promise<RawAnswer> {
  return new Promise((done, failed) => {
    const headers = {
      token,
      'content-type': 'application/json',
      ...(encoding && { 'content-encoding': encoding }),
      ...(length && { 'content-length': length }),
    }
    let hasAnswer = false
    const call = request({ hostname, port, path, method: 'POST', headers }, response => {
      hasAnswer = true
      let heard = ''
      response.on('data', chunk => (heard += chunk.toString()))
      response.on('error', () => {})
      response.on('end', () => call.destroy())
      response.on('close', () =>
        done({ status: response.statusCode!, isIncomplete: heard.includes('"body_incomplete"') }),
      )
    })
    call.on('error', error => hasAnswer || failed(error))
    for (const part of body) call.write(part)
    if (!length) call.end()
  })
}

const repeatText = (text: string, count: number): string => text.repeat(count)

test('huge bodies are refused, and memory stays in the same range', async () => {
  const eve = await app.register('Eve')
  const {
    token,
    user: { _id: userId },
  } = eve
  const { orderId } = (await app.call(initBatch, { body: { userId } }, token)).body
  const [bulk, quote] = [`/api/orders/bulk/process/${userId}`, '/api/orders/price/v2/bulk']
  const nested = repeatText('[', 100_000) + repeatText(']', 100_000)
  const wide = JSON.stringify(
    Object.fromEntries(Array.from({ length: 500_000 }, (_, n) => [`cell ${n}`, ''])),
  )
  const bodies: [what: string, status: number[], sent: () => Promise<number>][] = [
    ['said to be 70 MB', [413], () => send(bulk, token, ['{'], { length: String(70 * 2 ** 20) })],
    [
      '2 MB where 1 MB is taken',
      [413],
      () => send('/api/auth/login', '', [`{"email":"${repeatText('x', 2 ** 21)}"}`]),
    ],
    [
      'packed',
      [415],
      () => send(bulk, token, [gzipSync(Buffer.alloc(50 * 2 ** 20, 0x20))], { encoding: 'gzip' }),
    ],
    [
      'nested 100,000 deep',
      [400],
      () => send(bulk, token, [`{"orderId":"${orderId}","orderData":[${nested}]}`]),
    ],
    [
      'nested in a field that is not read',
      [400],
      () =>
        send(quote, token, [
          `{"userId":"${userId}","shipments":[{"service_name":"USPS Priority Mail","sender":${nested}}]}`,
        ]),
    ],
    [
      'a row of half a million cells',
      [400],
      () => send(bulk, token, [`{"orderId":"${orderId}","orderData":[${wide}]}`]),
    ],
    [
      'ten million rows',
      [422],
      () =>
        send(bulk, token, [
          `{"orderId":"${orderId}","orderData":[${repeatText('0,', 10_000_000)}0]}`,
        ]),
    ],
    [
      'ten million shipments',
      [400],
      () =>
        send(quote, token, [
          `{"userId":"${userId}","shipments":[${repeatText('0,', 10_000_000)}0]}`,
        ]),
    ],
    [
      '50,000 shipments with nothing right',
      [400],
      () =>
        send(quote, token, [
          `{"userId":"${userId}","shipments":[${repeatText(INVALID_SHIPMENT, 49_999)}0]}`,
        ]),
    ],
    [
      '20,000 SKUs with nothing right',
      [422],
      () =>
        send(`/api/auth/add-sku/${userId}`, token, [
          `{"parsedData":[${repeatText('{"sku":"","weight":"x"},', 19_999)}{}]}`,
        ]),
    ],
  ]
  // What many honest rows need is there from now on.
  const many = rows(2_000, () => ({ ToCity: '' }))
  expect(
    (
      await app.call(
        processBatch,
        { params: { userId }, body: { orderId, orderData: many } },
        token,
      )
    ).status,
  ).toBe(422)
  const before = await memory()
  for (const [what, status, sent] of bodies) {
    expect([what, await sent()]).toEqual([what, expect.toBeOneOf(status)])
    await healthy(what)
  }
  expect(await memory()).toBeLessThan(before + 1_500)
  const { status } = await app.call(
    processBatch,
    { params: { userId }, body: { orderId, orderData: [row()] } },
    token,
  )
  expect(status).toBe(402) // the order is as good as it was; there is only no money for it
})

const OWNERS = 50
const LABELS = 24

/** A page that watches an order: it joins whenever it is connected, and hears what it hears. */
type ProgressWatcher = {
  connection: Line
  heard: Set<string>
  last: () => BatchProgress | undefined
}

function openWatcher(of: SignedInUser, orderId: string): ProgressWatcher {
  const auth = { token: of.token }
  const line = io(app.url, {
    transports: ['websocket'],
    forceNew: true,
    auth,
    reconnectionDelay: 200,
    timeout: 60_000,
  })
  // Refused while the server still holds the lost connections of the same user.
  line.on('connect_error', () => {
    if (!line.active) setTimeout(() => line.connect(), 500)
  })
  const heard = new Set<string>()
  let last: BatchProgress | undefined
  // Refused where the server is busy, as any request may be. It takes 60 joins a minute.
  const join = async (): Promise<void> => {
    const { id } = line
    const isThere = () => line.connected && line.id === id
    const ask = (): Promise<{ ok: boolean }> =>
      line.emitWithAck('joinOrderRoom', `order_${orderId}`)
    while (isThere() && !(await ask()).ok) await wait(2_000)
  }
  // The connection may be lost again before the answer.
  line.on('connect', () => void join().catch(() => {}))
  line.on('orderProgress', (progress: BatchProgress) => {
    heard.add(progress.orderId)
    last = progress
  })
  return { connection: line, heard, last: () => last }
}

test('a thousand pages lose their connections at once, and each learns the end of its own order', async () => {
  const owners = await Promise.all(
    Array.from({ length: OWNERS }, async (_, n) => {
      const owner = await app.register(`Owner ${n}`)
      await app.pay(owner, 1_000)
      const { orderId } = (
        await app.call(initBatch, { body: { userId: owner.user._id } }, owner.token)
      ).body
      return { owner, orderId }
    }),
  )
  const watchers = Array.from({ length: 1_000 }, (_, n) => {
    const { owner, orderId } = owners[n % OWNERS]!
    return { ...openWatcher(owner, orderId), orderId }
  })
  const connected = () => watchers.filter(({ connection }) => connection.connected).length
  try {
    await expect.poll(connected, PATIENCE).toBe(1_000)
    for (const {
      owner: { user, token },
      orderId,
    } of owners) {
      const body = { orderId, orderData: rows(LABELS) }
      expect(
        (await app.call(processBatch, { params: { userId: user._id }, body }, token)).status,
      ).toBe(202)
    }
    // An order is watched from when it was accepted; all lines are lost just then, and each joins when it is there again.
    for (const { connection } of watchers) connection.io.engine.close()
    await expect.poll(connected, PATIENCE).toBe(1_000)
    await expect
      .poll(
        () => watchers.filter(({ last }) => !isTerminal(last()?.status ?? 'processing')).length,
        PATIENCE,
      )
      .toBe(0)
    expect(
      watchers.filter(({ heard, orderId }) => heard.size !== 1 || !heard.has(orderId)),
    ).toEqual([])
    expect(watchers.every(({ last }) => last()!.processedCount === LABELS)).toBe(true)
    await healthy()
  } finally {
    for (const { connection } of watchers) connection.disconnect()
  }
  expect(await memory()).toBeLessThan(1_500)
})

test('after all that the books balance', async () => {
  const { token } = await app.admin()
  expect((await app.call(invariants, {}, token)).body).toEqual({ ok: true, violations: [] })
})
