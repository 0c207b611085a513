/** The process that serves is killed while a bulk order is sent to it: there is all of it, with its money held, or nothing. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { initBatch, processBatch } from '#contract/batches.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { seededRandom, countLabelStates } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { rows } from '#tests/support/rows.ts'
import { LONG_MINUTES, runSeeds, timeoutFor } from '#tests/support/seeded-runs.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'

const ROWS = 3_000
const KILLS = LONG_MINUTES > 0 ? 12 : 3
/** A file of this size is accepted in a little less on an idle machine. */
const LATEST_KILL_MS = 400

test(
  'killed while a file is submitted, at any moment: all of it or nothing, and submitted again it exists once',
  () =>
    runSeeds(async seed => {
      const draw = seededRandom(seed)
      const [{ database, drop }, data] = await Promise.all([cloneDatabase(), createDataFolder()])
      // Nothing is bought: accepted orders stay as accepted.
      const start = () =>
        startServer(data.path, {
          DATABASE_URL: database.url,
          ALLOW_UNSAFE_DATABASE: 'yes',
          ROLE: 'web',
        })
      let app = await start()
      try {
        const ana = await app.register('Ana')
        await app.pay(ana, 100_000)
        const params = { userId: ana.user._id }
        const orderData = rows(ROWS, n => ({ orderId: `111-${n}-1` }))
        // A repeat of the same id is no second purchase of the file.
        const file = { name: 'orders.csv', sha256: 'a'.repeat(64), source: 'template' } as const
        const {
          body: { orderId },
        } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
        const send = () =>
          app.call(processBatch, { params, body: { orderId, orderData, file } }, ana.token)
        for (let kill = 0; kill < KILLS; kill++) {
          const sending = send().catch(() => null)
          await wait(LATEST_KILL_MS * draw())
          await app.stop('SIGKILL')
          await sending
          expect([0, ROWS], `after kill ${kill}`).toContain(
            (await countLabelStates(database)).queued ?? 0,
          )
          expect(await findDiscrepancies(database)).toEqual([])
          app = await start()
        }
        const sent = await send()
        expect(sent.status, sent.body.message).toBe(202)
        expect(await countLabelStates(database)).toEqual({ queued: ROWS })
        const { rows: holds } = await database.pool.query(
          "select cents from transfer where kind = 'hold'",
        )
        expect(holds).toEqual([{ cents: ROWS * 650 }])
        expect(await findDiscrepancies(database)).toEqual([])
      } finally {
        await app.stop('SIGKILL')
        await drop()
        await data.forget()
      }
    }),
  timeoutFor(900_000),
)
