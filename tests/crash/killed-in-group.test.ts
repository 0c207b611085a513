/**
 * The process is killed while it places single orders of several buyers in one transaction, and between that and the carrier.
 * Clients that repeat their requests get each label once.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { placeOrder } from '#contract/orders.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { countLabelStates, countOpenWork } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { repeatSpoiled } from '#tests/support/rounds.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'

const BUYERS = 4
/** Of each buyer at once. */
const ORDERS = 3
const PRICE = 9.5
/** The carrier sells the first label of each buyer and then says nothing for twelve seconds, so that no order has an answer at the kill. */
const SILENT_CARRIER_ENV = {
  SANDBOX_CARRIER_FAULTS: JSON.stringify({ silentAfterPurchases: BUYERS }),
  CARRIER_TIMEOUT_MS: '12000',
}
/** Until the orders that were sent with the first one wait as well. */
const GATHER_MS = 500

type KillMoment = {
  name: string
  /** Makes the moment last; returns what ends it. */
  prepare(database: TestDatabase): Promise<() => Promise<void>>
  hasCome(database: TestDatabase): Promise<boolean>
  /** Orders that were placed before the kill. */
  placed: number
}

const count = async (database: TestDatabase, query: string): Promise<number> =>
  (await database.owner.pool.query(`select count(*)::int as n from ${query}`)).rows[0].n

const MOMENTS: KillMoment[] = [
  {
    name: 'while several orders are written',
    async prepare(database) {
      const client = await database.owner.pool.connect()
      await client.query('begin; lock table open_carrier_call in exclusive mode')
      return async () => {
        await client.query('rollback')
        client.release()
      }
    },
    hasCome: async database =>
      (await count(
        database,
        `pg_locks where not granted and relation = 'open_carrier_call'::regclass and database = (
          select oid from pg_database where datname = current_database())`,
      )) > 0,
    placed: 0,
  },
  {
    name: 'between the holds and the carrier',
    prepare: async () => async () => {},
    hasCome: async database => (await count(database, 'open_carrier_call')) === BUYERS * ORDERS,
    placed: BUYERS * ORDERS,
  },
]

/** More than the time limits of the server's calls and locks: later the moment does not come any more. */
const COMES_WITHIN_MS = 15_000

async function comes({ hasCome }: KillMoment, database: TestDatabase): Promise<boolean> {
  for (const end = Date.now() + COMES_WITHIN_MS; Date.now() < end; await wait(20))
    if (await hasCome(database)) return true
  return false
}

test.each(MOMENTS)(
  'killed $name: requested again, each label is sold once and paid once',
  async moment => {
    const wasInTime = await repeatSpoiled(
      () => killAt(moment),
      inTime => !inTime,
    )
    expect(wasInTime).toBe(true)
  },
  900_000,
)

/** False: a process stood still for so long that the moment did not last until the kill. */
async function killAt(moment: KillMoment): Promise<boolean> {
  const [{ database, drop }, data] = await Promise.all([cloneDatabase(), createDataFolder()])
  const start = (env: Record<string, string> = {}) =>
    startServer(data.path, {
      DATABASE_URL: database.url,
      ALLOW_UNSAFE_DATABASE: 'yes',
      ...env,
    })
  let app = await start(SILENT_CARRIER_ENV)
  // A lock that is not given up would keep the database from being dropped.
  let end = async (): Promise<void> => {}
  try {
    const buyers = await Promise.all(
      Array.from({ length: BUYERS }, (_, n) => app.register(`Buyer ${n + 1}`)),
    )
    const order = async ({ token, user }: SignedInUser, key: string): Promise<number> => {
      const answer = await fetch(app.url + placeOrder.path, {
        method: 'POST',
        headers: { token, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(singleOrderBody(user._id)),
      })
      await answer.arrayBuffer()
      return answer.status
    }
    const insist = async (buyer: SignedInUser, key: string): Promise<number> => {
      for (;;) {
        const status = await order(buyer, key)
        // 429: while this process stood still, too many requests of the buyer waited for each other.
        if (status !== 503 && status !== 429) return status
        await wait(500)
      }
    }
    for (const buyer of buyers) {
      await app.pay(buyer, 100)
      // The first order of a user is placed alone.
      const first = await order(buyer, 'first')
      expect([200, 202, 429, 503]).toContain(first)
      if (first !== 200) return false
    }
    end = await moment.prepare(database)
    const wanted = buyers.flatMap(buyer =>
      Array.from({ length: ORDERS }, (_, n) => ({ buyer, key: `label ${n}` })),
    )
    const sending = wanted.map(({ buyer, key }) => order(buyer, key).catch(() => 0))
    if (!(await comes(moment, database))) return false
    // All orders may be in one transaction, or the first in one of its own.
    await wait(GATHER_MS)
    await app.stop('SIGKILL')
    const early = (await Promise.all(sending)).filter(status => status !== 0)
    for (const status of early) expect([200, 202, 429, 503]).toContain(status)
    if (early.length > 0) {
      expect(await findDiscrepancies(database)).toEqual([])
      return false
    }
    await end()
    end = async () => {}
    await expect.poll(() => count(database, 'shipment_order')).toBe(BUYERS + moment.placed)
    app = await start()
    const answers = await Promise.all(wanted.map(({ buyer, key }) => insist(buyer, key)))
    for (const status of answers) expect([200, 202]).toContain(status)
    await expect.poll(() => countOpenWork(database), { interval: 100 }).toBe(0)
    expect(await countLabelStates(database)).toEqual({ purchased: BUYERS * (ORDERS + 1) })
    for (const { token } of buyers)
      expect((await app.call(verifySession, {}, token)).body.user).toMatchObject({
        balance: 100 - (ORDERS + 1) * PRICE,
        totalSpent: (ORDERS + 1) * PRICE,
      })
    expect(await findDiscrepancies(database)).toEqual([])
    return true
  } finally {
    await app.stop('SIGKILL')
    await end()
    await drop()
    await data.forget()
  }
}
