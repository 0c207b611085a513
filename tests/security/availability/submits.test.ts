/** Bulk orders without money cost little, and a customer who sends many at once delays no one else. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { initBatch, processBatch, retryFailedLabels } from '#contract/batches.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { totalOrders } from '#contract/orders.ts'
import { repeatIfLate } from '#tests/security/repeat-if-late.ts'
import { testDatabase } from '#tests/support/database.ts'
import { FROZEN, watchHealth } from '#tests/support/health-watch.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { sendWhole } from './send-whole.ts'
import { waitDuring } from './wait-during.ts'

const database = await testDatabase()
const data = await createDataFolder()
const server = await startServer(data.path, {
  DATABASE_URL: database.url,
  ALLOW_UNSAFE_DATABASE: 'yes',
})
const watch = watchHealth(server.url)
afterAll(async () => {
  await watch.close()
  await server.stop('SIGTERM')
  await data.forget()
})

async function reserveId({ user, token }: SignedInUser): Promise<string> {
  const { body } = await server.call(initBatch, { body: { userId: user._id } }, token)
  return body.orderId
}

async function submit(by: SignedInUser, orderId: string, orderData: unknown[]) {
  const asked = { params: { userId: by.user._id }, body: { orderId, orderData } }
  const { status, body } = await sendWhole(() => server.call(processBatch, asked, by.token))
  return { status, body: body as Partial<ResponseData<typeof processBatch>> & { message?: string } }
}

/** Ids that were given to orders, also to those of transactions that were rolled back. */
async function givenOrderIds(): Promise<number> {
  const { rows: found } = await database.owner.pool.query<{ given: number }>(
    `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('shipment_order', 'id')::regclass), 0) as given`,
  )
  return Number(found[0]!.given)
}

test('fifty thousand rows without money are refused before one of them is stored', async () => {
  const poor = await server.register('Poor')
  const orderId = await reserveId(poor)
  const many = rows(50_000)
  const before = await givenOrderIds()
  let answer: Awaited<ReturnType<typeof submit>> | undefined
  const wait = await waitDuring(watch, async () => {
    answer = await submit(poor, orderId, many)
  })
  expect([answer!.status, answer!.body.message]).toEqual([
    402,
    expect.stringMatching(/325,000\.00.*0\.00/),
  ])
  expect(await givenOrderIds()).toBe(before)
  expect(wait).toBeLessThan(FROZEN)
})

test('thirty bulk orders of one customer at once leave another customer’s calls as they are', async () => {
  const [poor, other] = await Promise.all(['Poor', 'Other'].map(name => server.register(name)))
  const ids: string[] = []
  for (let n = 0; n < 30; n++) ids.push(await reserveId(poor!))
  const many = rows(5_000)
  const statuses: number[] = []
  const ofOther: number[] = []
  const wait = await waitDuring(watch, async () => {
    let isOver = false
    statuses.length = 0
    const attack = Promise.all(
      ids.map(async orderId => statuses.push((await submit(poor!, orderId, many)).status)),
    ).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const asked = { params: { userId: other!.user._id } }
      ofOther.push((await server.call(totalOrders, asked, other!.token)).status)
      // Calls of one address are limited, and a slow machine takes long over the attack.
      await pause(25)
    }
    await attack
  })
  expect(new Set(ofOther)).toEqual(new Set([200]))
  expect(statuses.filter(status => status !== 429)).not.toEqual([])
  for (const status of statuses) expect([402, 429]).toContain(status)
  expect(wait).toBeLessThan(FROZEN)
})

test('two tabs that submit at the same time both have their bulk order', async () => {
  const seller = await server.register('Seller')
  await server.pay(seller, 100)
  const [first, second] = [await reserveId(seller), await reserveId(seller)]
  const answers = await Promise.all([
    submit(seller, first, rows(3)),
    submit(seller, second, rows(4)),
    submit(seller, first, rows(3)),
  ])
  expect(answers.map(({ status, body }) => [status, body.orderId, body.totalCount])).toEqual([
    [202, first, 3],
    [202, second, 4],
    [202, first, 3],
  ])
})

test('a repeated submit is answered as the first, also when the money is spent', async () => {
  const seller = await server.register('Seller')
  await server.pay(seller, 19.5)
  const orderId = await reserveId(seller)
  const answers = await Promise.all([1, 2, 3].map(() => submit(seller, orderId, rows(3))))
  answers.push(await submit(seller, orderId, rows(3)))
  expect(answers.map(({ status, body }) => [status, body.orderId])).toEqual(
    answers.map(() => [202, orderId]),
  )
})

test('of sixty retries of one customer at once one runs and forty wait; the others are refused', async () => {
  const seller = await server.register('Seller')
  await server.pay(seller, 100)
  // A request that waits for a lock is refused after 15 s, one that waits for its turn after 20 s.
  const statuses = await repeatIfLate(12, async () => {
    const orderId = await reserveId(seller)
    expect((await submit(seller, orderId, rows(3))).status).toBe(202)
    const blocker = await database.owner.pool.connect()
    await blocker.query('begin; set local idle_in_transaction_session_timeout = 0')
    await blocker.query('select id from batch where id = $1 for update', [orderId])
    const found: number[] = []
    const attack = Promise.all(
      Array.from({ length: 60 }, async () => {
        const asked = { params: { orderId } }
        found.push((await server.call(retryFailedLabels, asked, seller.token)).status)
      }),
    )
    await expect.poll(() => found.length).toBeGreaterThanOrEqual(19)
    await blocker.query('commit')
    blocker.release()
    await attack
    return found
  })
  expect(statuses).toEqual([...Array(19).fill(429), ...Array(41).fill(409)])
})
