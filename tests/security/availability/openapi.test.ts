/** What is served without a sign-in costs little, and nothing is served outside the limits. */
import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import {
  FILES_A_MINUTE,
  HEALTH_CHECKS_A_MINUTE,
  openRequestLimits,
} from '#server/platform/http/request-limits.ts'
import type { RequestKind } from '#server/platform/http/request-limits.ts'
import { testApp } from '#tests/support/app.ts'
import { FROZEN, watchHealth } from '#tests/support/health-watch.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'

/** The default of CALLS_PER_MINUTE. */
const CALLS_A_MINUTE = 3_000

const PATH = '/api/openapi.json'
const app = await testApp()

test('thousands of readers of the API description keep no one waiting, and are limited', async () => {
  const data = await createDataFolder()
  const server = await startServer(data.path)
  onTestFinished(async () => {
    await server.stop('SIGTERM')
    await data.forget()
  })
  const watch = watchHealth(server.url)
  await watch.calm()
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const statuses = new Map<number, number>()
  const read = () =>
    new Promise<void>((done, failed) =>
      request(server.url + PATH, { agent, headers: { 'accept-encoding': 'br' } }, answer => {
        statuses.set(answer.statusCode!, (statuses.get(answer.statusCode!) ?? 0) + 1)
        answer.resume().on('end', done)
      })
        .on('error', failed)
        .end(),
    )
  // The limit is one of a minute: on a slow machine so many calls take most of it.
  const until = Date.now() + 50_000
  const figures = await watch.during(() =>
    Promise.all(
      Array.from({ length: 50 }, async () => {
        for (let n = 0; n < (CALLS_A_MINUTE + 200) / 50 && Date.now() < until; n++) await read()
      }),
    ),
  )
  agent.destroy()
  expect(statuses.get(200)).toBeGreaterThan(0)
  expect(statuses.get(429)).toBeGreaterThan(0)
  expect(watch.ratio(figures)).toBeLessThan(FROZEN)
})

test('the API description is made once and sent compressed, or not at all when it is known', async () => {
  const read = (headers: Record<string, string> = {}) => app.send({ url: PATH, headers })
  const [plain, again, br, gzip] = await Promise.all([
    read(),
    read(),
    read({ 'accept-encoding': 'gzip, br' }),
    read({ 'accept-encoding': 'gzip, br;q=0' }),
  ])
  expect(again.headers.etag).toBe(plain.headers.etag)
  expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
  const known = await read({ 'if-none-match': plain.headers.etag as string })
  expect([known.statusCode, known.body]).toEqual([304, ''])
})

const KINDS: [path: string, kind: RequestKind, most: number][] = [
  [PATH, 'calls', CALLS_A_MINUTE],
  ['/api/nothing', 'files', FILES_A_MINUTE],
  ['/nothing.html', 'files', FILES_A_MINUTE],
  ['/%', 'calls', CALLS_A_MINUTE],
  ['/', 'files', FILES_A_MINUTE],
  ['/sandbox-pay/invoice.js', 'files', FILES_A_MINUTE],
  ['/api/health', 'health', HEALTH_CHECKS_A_MINUTE],
]
test.each(KINDS)('%s counts under a limit of its address', async (url, kind, most) => {
  const address = `192.0.2.${KINDS.findIndex(([one]) => one === url) + 100}`
  const ask = async () => (await app.send({ url, remoteAddress: address })).statusCode
  expect(await ask()).not.toBe(429)
  // Another process has admitted the others; the two exchange their counts.
  const other = openRequestLimits(app.ctx)
  for (let n = 0; n < most; n++) other.admit(address, kind)
  await other.stop()
  await expect.poll(ask, { interval: 100 }).toBe(429)
})
