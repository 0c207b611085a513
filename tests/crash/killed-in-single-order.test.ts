/**
 * The serving process is killed during single orders: before the hold, between hold and carrier,
 * during the sale, before the result is recorded. A client that repeats its request, as browsers
 * do, gets the label that was sold.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { placeOrder } from '#contract/orders.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { seededRandom, countOpenWork, countLabelStates } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { LONG_MINUTES, runSeeds, timeoutFor } from '#tests/support/seeded-runs.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { stopProcess, startWorkerProcess } from '#tests/support/worker-process.ts'

const KILLS = LONG_MINUTES > 0 ? 6 : 2
/** A round does not count if every call was answered before the kill, as after this process stood still. */
const MOST_ROUNDS = KILLS * 5
const ORDERS = 12
const PRICE = 9.5
const LATENCY_MS = 200
/** Orders come in one after the other, so that a kill meets each of them at another moment. */
const APART_MS = 40

test(
  'killed while single labels are ordered: requested again, each is sold once and paid once',
  () =>
    runSeeds(async seed => {
      const draw = seededRandom(seed)
      const [{ database, drop }, data] = await Promise.all([cloneDatabase(), createDataFolder()])
      const env = {
        DATABASE_URL: database.url,
        DATA_DIR: data.path,
        ALLOW_UNSAFE_DATABASE: 'yes',
        SANDBOX_CARRIER_LATENCY_MS: String(LATENCY_MS),
        // A carrier without idempotency keys.
        SANDBOX_CARRIER_FAULTS: JSON.stringify({
          seed,
          memory: 'lookup',
          quarantineMs: 5_000,
          resetAfter: 0.1,
        }),
      }
      const start = () => startServer(data.path, { ...env, ROLE: 'web' })
      const worker = await startWorkerProcess(env)
      let app = await start()
      try {
        const ana = await app.register('Ana')
        await app.pay(ana, 10_000)
        const order = async (key: string): Promise<number> => {
          const answer = await fetch(app.url + placeOrder.path, {
            method: 'POST',
            headers: {
              token: ana.token,
              'content-type': 'application/json',
              'idempotency-key': key,
            },
            body: JSON.stringify(singleOrderBody(ana.user._id)),
          })
          await answer.arrayBuffer()
          return answer.status
        }
        /** Repeats a refused request, as browsers do. */
        const insist = async (key: string): Promise<number> => {
          for (;;) {
            const status = await order(key)
            // 429: while a process stood still, too many requests of the buyer waited for each other.
            if (status !== 503 && status !== 429) return status
            await wait(500)
          }
        }
        const keys: string[] = []
        for (let kills = 0, round = 0; kills < KILLS; round++) {
          expect(round, 'rounds, of which too few were cut off by their kill').toBeLessThan(
            MOST_ROUNDS,
          )
          const wanted = Array.from({ length: ORDERS }, (_, n) => `label ${seed}-${round}-${n}`)
          const sending = wanted.map((key, n) =>
            wait(n * APART_MS)
              .then(() => order(key))
              .catch(() => 0),
          )
          await wait(ORDERS * APART_MS * (0.5 + draw() / 2))
          await app.stop('SIGKILL')
          // Where this process stood still, all may have been answered before the kill: then it does not count.
          if ((await Promise.all(sending)).includes(0)) kills++
          app = await start()
          keys.push(...wanted)
        }
        const answers = await Promise.all(keys.map(insist))
        for (const status of answers) expect([200, 202]).toContain(status) // 202: it is being checked and comes in a moment
        await expect.poll(() => countOpenWork(database), { interval: 100 }).toBe(0)
        expect(await countLabelStates(database)).toEqual({ purchased: keys.length })
        const spent = keys.length * PRICE
        expect((await app.call(verifySession, {}, ana.token)).body.user).toMatchObject({
          balance: 10_000 - spent,
          totalSpent: spent,
        })
        expect(await findDiscrepancies(database)).toEqual([])
      } finally {
        await Promise.all([app.stop('SIGKILL'), stopProcess(worker, 'SIGKILL')])
        await drop()
        await data.forget()
      }
    }),
  timeoutFor(900_000),
)
