/** A body that costs much to parse costs its sender a refusal, and all others nothing. */
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { initBatch } from '#contract/batches.ts'
import { quotePrice } from '#contract/orders.ts'
import { FROZEN, watchHealth } from '#tests/support/health-watch.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { sendWhole } from './send-whole.ts'
import { waitDuring } from './wait-during.ts'

const MB = 1024 * 1024
const data = await createDataFolder()
const server = await startServer(data.path, { NODE_OPTIONS: '--max-old-space-size=512' })
afterAll(async () => {
  await server.stop('SIGTERM')
  await data.forget()
})
const eve = await server.register('Eve')
const victim = await server.register('Vic')
const idOf = async ({ token, user }: typeof eve) =>
  (await server.call(initBatch, { body: { userId: user._id } }, token)).body.orderId
const [own, foreign] = [await idOf(eve), await idOf(victim)]
const watch = watchHealth(server.url)

type LongBody = { begin: string; filling: string; end: string; bytes: number }
type Answer = { status: number; body: { code?: string } }

/** The status of a body of `bytes`: a beginning, then `filling` again and again, then the end. */
const send = async (path: string, body: LongBody): Promise<number> =>
  (await sendWhole(() => sendOnce(path, body))).status

/** With status 400 its code, otherwise no code. */
function sendOnce(path: string, body: LongBody): Promise<Answer> {
  const { begin, filling, end, bytes } = body
  const piece = Buffer.from(filling.repeat(Math.ceil((256 * 1024) / filling.length)))
  let status = 0
  return new Promise(done => {
    const call = request(
      server.url + path,
      { method: 'POST', headers: { token: eve.token, 'content-type': 'application/json' } },
      async answer => {
        status = answer.statusCode!
        if (status !== 400) answer.resume()
        const told = status === 400 ? await json(answer).catch(() => ({})) : {}
        done({ status, body: told as Answer['body'] })
        call.destroy()
      },
    )
    // A refused body is not read to its end.
    call.on('error', () => done({ status, body: {} }))
    call.write(begin)
    let sent = 0
    const fill = (): void => {
      while (sent < bytes) {
        sent += piece.length
        if (!call.write(piece)) return void call.once('drain', fill)
      }
      call.end(end)
    }
    fill()
  })
}

const quote = '/api/orders/price/v2/bulk'
const bulk = `/api/orders/bulk/process/${eve.user._id}`
const userId = eve.user._id
const BODIES: [what: string, path: string, body: LongBody, status: number][] = [
  [
    'ten million shipments',
    quote,
    { begin: `{"userId":"${userId}","shipments":[{}`, filling: ',{}', end: ']}', bytes: 30 * MB },
    400,
  ],
  [
    'twenty million rows',
    bulk,
    { begin: `{"orderId":"${own}","orderData":[{}`, filling: ',{}', end: ']}', bytes: 60 * MB },
    422,
  ],
  [
    "rows for another user's order",
    bulk,
    { begin: `{"orderId":"${foreign}","orderData":[{}`, filling: ',{}', end: ']}', bytes: 60 * MB },
    404,
  ],
  [
    'rows under a name in escapes',
    bulk,
    {
      begin: `{"orderId":"${foreign}","\\u006frderData":[{}`,
      filling: ',{}',
      end: ']}',
      bytes: 60 * MB,
    },
    400,
  ],
  [
    'one row that is a list of millions',
    bulk,
    { begin: `{"orderId":"${own}","orderData":[[{}`, filling: ',{}', end: ']]}', bytes: 60 * MB },
    400,
  ],
  [
    'millions of values in an ordinary body',
    '/api/orders/v2',
    { begin: `{"user_id":"${userId}","x":[{}`, filling: ',{}', end: ']}', bytes: MB - 300_000 },
    400,
  ],
]

test.each(BODIES)('%s: refused, and no one waits for it', async (_, path, body, status) => {
  const longest = await waitDuring(watch, async () => expect(await send(path, body)).toBe(status))
  expect(longest).toBeLessThan(FROZEN)
})

test('a heap of 512 MB survives thirty of the largest bodies at once', async () => {
  const shipment = JSON.stringify({
    service_name: 'USPS Priority Mail',
    package: { package_weight: 1 },
    sender: { name: 'x'.repeat(540) },
  })
  const largest = {
    begin: `{"userId":"${userId}","shipments":[${shipment}`,
    filling: `,${shipment}`,
    end: ']}',
    bytes: 29 * MB,
  }
  const longest = await waitDuring(watch, async () => {
    const answered = await Promise.all(Array.from({ length: 30 }, () => send(quote, largest)))
    expect(new Set(answered)).toEqual(new Set([200, 429]))
  })
  expect(longest).toBeLessThan(FROZEN)
  const { status } = await server.call(
    quotePrice,
    { body: { userId: victim.user._id, shipments: [{ service_name: 'USPS Priority Mail' }] } },
    victim.token,
  )
  expect(status).toBe(200)
})
