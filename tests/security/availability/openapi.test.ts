/** What is served without a sign-in costs little, and nothing is served outside the limits. */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
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
import { repeatSpoiled } from '#tests/support/rounds.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { waitDuring } from './wait-during.ts'

/** The default of CALLS_PER_MINUTE. */
const CALLS_A_MINUTE = 3_000
/** So few that they fall within a minute on a slow machine too. */
const FEW_CALLS_A_MINUTE = 300

const PATH = '/api/openapi.json'
const app = await testApp()

const open = async (env: Record<string, string> = {}) => {
  const data = await createDataFolder()
  const server = await startServer(data.path, env)
  onTestFinished(async () => {
    await server.stop('SIGTERM')
    await data.forget()
  })
  return server.url
}

/** Returns how many answers had which status. */
async function readAll(url: string, readers: number, times: number): Promise<Map<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: readers })
  const statuses = new Map<number, number>()
  const read = () =>
    new Promise<void>((done, failed) =>
      request(url + PATH, { agent, headers: { 'accept-encoding': 'br' } }, answer => {
        statuses.set(answer.statusCode!, (statuses.get(answer.statusCode!) ?? 0) + 1)
        answer.resume().on('end', done)
      })
        .on('error', failed)
        .end(),
    )
  await Promise.all(
    Array.from({ length: readers }, async () => {
      for (let n = 0; n < times; n++) await read()
    }),
  )
  agent.destroy()
  return statuses
}

test('thousands of readers of the API description keep no one waiting', async () => {
  // Each of several attacks within a minute is served.
  const url = await open({ CALLS_PER_MINUTE: '100000' })
  const watch = watchHealth(url)
  let statuses = new Map<number, number>()
  const wait = await waitDuring(watch, async () => {
    statuses = await readAll(url, 50, CALLS_A_MINUTE / 50)
  })
  expect([...statuses.keys()]).toEqual([200])
  expect(wait).toBeLessThan(FROZEN)
})

test('readers of the API description are limited', async () => {
  const url = await open({ CALLS_PER_MINUTE: String(FEW_CALLS_A_MINUTE) })
  const statuses = await repeatSpoiled(
    () => readAll(url, 10, FEW_CALLS_A_MINUTE / 5),
    found => !found.has(429),
  )
  expect([...statuses.keys()].toSorted()).toEqual([200, 429])
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
let addresses = 0
/** The last status for an address that has used up its minute: 429, or another one if the minute ended first. */
async function statusBeyond(url: string, kind: RequestKind, most: number): Promise<number> {
  const until = performance.now() + 50_000
  const address = `192.0.2.${100 + addresses++}`
  const ask = async () => (await app.send({ url, remoteAddress: address })).statusCode
  expect(await ask()).not.toBe(429)
  // Another process has admitted the others; the two exchange their counts.
  const other = openRequestLimits(app.ctx)
  for (let n = 0; n < most; n++) other.admit(address, kind)
  await other.stop()
  for (;;) {
    const status = await ask()
    if (status === 429 || performance.now() > until) return status
    await pause(100)
  }
}

test.each(KINDS)('%s counts under a limit of its address', async (url, kind, most) => {
  const status = await repeatSpoiled(
    () => statusBeyond(url, kind, most),
    found => found !== 429,
  )
  expect(status).toBe(429)
})
