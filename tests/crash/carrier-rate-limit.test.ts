/**
 * A carrier that answers 429 above its limit, and a bulk order larger than it. The long form runs
 * in real time: 300 labels, 60 requests a minute, six minutes. An ordinary run uses a faster clock.
 */
import { afterAll, expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { testApp } from '#tests/support/app.ts'
import { openShipEngineStub, SHIPENGINE_KEYS } from '#tests/support/carriers/shipengine-stub.ts'
import { LIVE_ENV } from '#tests/support/live-env.ts'
import { rows } from '#tests/support/rows.ts'
import { LONG_MINUTES } from '#tests/support/seeded-runs.ts'

const isLong = LONG_MINUTES > 0
/** The carrier takes `most` questions within any `windowMs`; the operator knows it and has said so. */
const { labels, perMinute, most, windowMs } = isLong
  ? { labels: 300, perMinute: 60, most: 60, windowMs: 60_000 }
  : { labels: 60, perMinute: 300, most: 45, windowMs: 2_000 }
const PRICE = 6.5
/** Between two labels, where no process stands still and no pause was asked for. */
const USUAL_GAP_MS = 3_000
const BUSY_SECONDS = 7

let refused = 0
/** Between two requests, without pauses of the carrier. The rate limiter saves up tokens in it and then spends them at once. */
let longestGapMs = 0
let lastAt = Infinity
let pausedUntil = 0
const within = (now: number): number => stub.requests.filter(({ at }) => at > now - windowMs).length
const stub = await openShipEngineStub(() => {
  const now = Date.now()
  if (lastAt > pausedUntil) longestGapMs = Math.max(longestGapMs, now - lastAt)
  lastAt = now
  if (within(now) < most) return 'fine'
  refused++
  pausedUntil = now + BUSY_SECONDS * 1_000
  return 'busy'
}, BUSY_SECONDS)
afterAll(stub.close)

const app = await testApp({
  env: {
    ...LIVE_ENV,
    CARRIER: 'shipengine',
    SHIPENGINE_URL: stub.urlOn(),
    SHIPENGINE_API_KEY: SHIPENGINE_KEYS.apiKey,
    SHIPENGINE_CARRIER_ID: SHIPENGINE_KEYS.carrierId,
    CARRIER_PER_MINUTE: String(perMinute),
  },
})

test('a large order goes through a low rate limit one label after the other, and its end is estimated correctly', async () => {
  const ana = await app.register()
  await app.creditDollars(ana.user._id, 3_000)
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const began = Date.now()
  const sent = await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData: rows(labels) } },
    ana.token,
  )
  expect(sent.status, sent.body.message).toBe(202)

  const told: { asked: number; answered: number; end: number; left: number }[] = []
  await expect
    .poll(
      async () => {
        const asked = Date.now()
        const {
          body: { expectedAt, processedCount, status },
        } = await app.call(batchStatus, { params: { orderId } }, ana.token)
        if (expectedAt)
          told.push({
            asked,
            answered: Date.now(),
            end: Date.parse(expectedAt),
            left: labels - processedCount,
          })
        return isTerminal(status)
      },
      { timeout: 900_000, interval: 250 },
    )
    .toBe(true)
  const ended = Date.now()

  const {
    body: { status, processedCount, failedCount },
  } = await app.call(batchStatus, { params: { orderId } }, ana.token)
  expect({ status, processedCount, failedCount }).toEqual({
    status: 'completed',
    processedCount: labels,
    failedCount: 0,
  })
  const { rows: ours } = await app.database.pool.query<{ number: string }>(
    'select tracking_number as number from shipment_order',
  )
  expect(ours.map(({ number }) => number).toSorted()).toEqual(
    stub.labels.map(({ trackingNumber }) => trackingNumber).toSorted(),
  )
  expect((await app.call(verifySession, {}, ana.token)).body.user.balance).toBe(
    3_000 - labels * PRICE,
  )

  // A 429 pauses all processes for the requested time.
  const savedUp = (Math.max(0, longestGapMs - USUAL_GAP_MS) / 60_000) * perMinute
  expect(refused).toBeLessThanOrEqual(labels / 10 + savedUp)
  // What is told follows from the pace and from what is left, however fast this machine is.
  for (const { asked, answered, end, left } of told) {
    expect(end - asked).toBeGreaterThanOrEqual((left / perMinute) * 60_000)
    expect(end - answered).toBeLessThan((left / perMinute) * 60_000 * 1.25 + 30_000)
  }
  if (!isLong) return
  const off = told.map(({ end }) => Math.round(Math.abs(end - ended) / 1000))
  console.log(
    `${labels} labels in ${Math.round((ended - began) / 1000)} s at ${perMinute} questions a minute: ${stub.requests.length} `
      + `questions, ${refused} refused; the end was told at first ${off[0]} s off, half-way ${off[Math.floor(off.length / 2)]} s off`,
  )
}, 960_000)
