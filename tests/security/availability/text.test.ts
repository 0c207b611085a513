/** Texts that are costly to read do not keep other callers waiting. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { register } from '#contract/accounts.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import { quotePrice } from '#contract/orders.ts'
import { FIELDS } from '#contract/rows.ts'
import { addSkus } from '#contract/skus.ts'
import { watchHealth } from '#tests/support/health-watch.ts'
import type { HealthWatch } from '#tests/support/health-watch.ts'
import { row } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { sendWhole } from './send-whole.ts'
import { waitDuring } from './wait-during.ts'

/** `length`: in characters. Composing a letter with them took time quadratic to their number. */
const marks = (length: number): string => `a${'\u0301\u0316'.repeat(length / 2)}`.slice(0, length)

/** Of a wait, in units of a fixed computation (health-watch.ts). */
const MOST_WAIT = 8

const folder = await createDataFolder()
let server: ServerProcess
let watch: HealthWatch
let ana: SignedInUser

beforeAll(async () => {
  server = await startServer(folder.path)
  watch = watchHealth(server.url)
  ana = await server.register('Ana')
})
afterAll(async () => {
  await watch?.close()
  await server?.stop('SIGTERM')
  await folder.forget()
})

/** Submits rows and returns the status. */
async function submit(orderData: unknown[]): Promise<number> {
  const userId = ana.user._id
  const { body } = await server.call(initBatch, { body: { userId } }, ana.token)
  const asked = { params: { userId }, body: { orderId: body.orderId, orderData } }
  const answer = await sendWhole(() => server.call(processBatch, asked, ana.token))
  return answer.status
}

test('a row with one cell of 400 KB of accents is refused without delay for others', async () => {
  const cell = marks(200_000)
  const wait = await waitDuring(
    watch,
    async () => {
      const answer = await server.call(register, { body: { name: cell, email: 'a@b.example' } })
      expect(answer.status).toBe(400)
      expect([400, 413, 422]).toContain(await submit([row(1, { ToCity: cell })]))
    },
    MOST_WAIT,
  )
  expect(wait).toBeLessThan(MOST_WAIT)
})

test('rows whose every cell is full of accents are refused without delay for others', async () => {
  const full = Object.fromEntries(FIELDS.map(({ name, max }) => [name, marks(4 * max)]))
  const wait = await waitDuring(
    watch,
    async () => {
      expect(await submit(Array.from({ length: 250 }, () => full))).toBe(422)
    },
    MOST_WAIT,
  )
  expect(wait).toBeLessThan(MOST_WAIT)
})

test('a quote for 1,000 services named by accents is refused without delay for others', async () => {
  const shipments = Array.from({ length: 1_000 }, () => ({ service_name: marks(1_000) }))
  const wait = await waitDuring(
    watch,
    async () => {
      const asked = { body: { userId: ana.user._id, shipments } }
      const { status, body } = await sendWhole(() => server.call(quotePrice, asked, ana.token))
      expect([status, body.errors?.['1.ServiceName']]).toEqual([
        422,
        'Service must be at most 120 characters; this has 1000',
      ])
    },
    MOST_WAIT,
  )
  expect(wait).toBeLessThan(MOST_WAIT)
})

test('1,000 SKU records full of accents are refused without delay for others', async () => {
  const parsedData = Array.from({ length: 1_000 }, () => ({
    sku: marks(1_000),
    description: marks(1_000),
    maxQty: 1,
    weight: 1,
    length: 1,
    width: 1,
    height: 1,
  }))
  const wait = await waitDuring(
    watch,
    async () => {
      const asked = { params: { userId: ana.user._id }, body: { parsedData } }
      const { status, body } = await sendWhole(() => server.call(addSkus, asked, ana.token))
      expect([status, body.errors?.['1.sku']]).toEqual([
        422,
        'SKU must be at most 60 characters; this has 1000',
      ])
    },
    MOST_WAIT,
  )
  expect(wait).toBeLessThan(MOST_WAIT)
})
