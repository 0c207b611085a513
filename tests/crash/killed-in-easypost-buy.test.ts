/**
 * The serving process is killed while shipments of /v2 are bought. Each finds its order again: a
 * program that buys it once more gets its one label, or is told that it exists.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { countLabelStates, countOpenWork, seededRandom } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { SHIPMENT } from '#tests/support/easypost-client.ts'
import { LONG_MINUTES, runSeeds, timeoutFor } from '#tests/support/seeded-runs.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { startWorkerProcess, stopProcess } from '#tests/support/worker-process.ts'

const KILLS = 6
/** A round does not count if every call was answered before the kill, as after this process stood still. */
const MOST_ROUNDS = KILLS * 5
const SHIPMENTS = 12
const PRICE = 6.5
const APART_MS = 40

type Answer = {
  status: number
  body: { id?: string; error?: { code: string }; rates?: { id: string }[] }
}

// Half a minute: in the long form only.
test.runIf(LONG_MINUTES > 0)(
  'killed while shipments of /v2 are bought: each has one label, and one only',
  () =>
    runSeeds(async seed => {
      const draw = seededRandom(seed)
      const [{ database, drop }, data] = await Promise.all([cloneDatabase(), createDataFolder()])
      const env = {
        DATABASE_URL: database.url,
        DATA_DIR: data.path,
        ALLOW_UNSAFE_DATABASE: 'yes',
        SANDBOX_CARRIER_LATENCY_MS: '200',
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
        await app.pay(ana, 5_000)
        const post = async (path: string, body: object): Promise<Answer> => {
          const answer = await fetch(`${app.url}/v2/${path}`, {
            method: 'POST',
            headers: { token: ana.token, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
          return { status: answer.status, body: (await answer.json()) as Answer['body'] }
        }
        const shipments: Answer['body'][] = []
        const buy = ({ id, rates }: Answer['body']): Promise<Answer> =>
          post(`shipments/${id}/buy`, { rate: { id: rates![0]!.id } })
        /** Repeats what was not answered, as programs do. */
        const insist = async (shipment: Answer['body']): Promise<string> => {
          for (;;) {
            const { status, body } = await buy(shipment)
            if (status === 200) return 'bought'
            if (![429, 503, 504].includes(status)) return body.error!.code
            await wait(500)
          }
        }
        for (let kills = 0, round = 0; kills < KILLS; round++) {
          expect(round, 'rounds, of which too few were cut off by their kill').toBeLessThan(
            MOST_ROUNDS,
          )
          const drafts = await Promise.all(
            Array.from({ length: SHIPMENTS }, () => post('shipments', { shipment: SHIPMENT })),
          )
          const sending = drafts.map(({ body }, n) =>
            wait(n * APART_MS)
              .then(() => buy(body))
              .then(({ status }) => status)
              .catch(() => 0),
          )
          await wait(SHIPMENTS * APART_MS * (0.5 + draw() / 2))
          await app.stop('SIGKILL')
          // Where this process stood still, all may have been answered before the kill: then it does not count.
          if ((await Promise.all(sending)).includes(0)) kills++
          app = await start()
          shipments.push(...drafts.map(({ body }) => body))
        }
        const told = await Promise.all(shipments.map(insist))
        for (const one of told) expect(['bought', 'SHIPMENT.POSTAGE.EXISTS']).toContain(one)
        await expect.poll(() => countOpenWork(database), { interval: 100 }).toBe(0)
        expect(await countLabelStates(database)).toEqual({ purchased: shipments.length })
        const spent = shipments.length * PRICE
        expect((await app.call(verifySession, {}, ana.token)).body.user).toMatchObject({
          balance: 5_000 - spent,
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
