/**
 * The server is killed between the sale of a label and the message about it: before the outbox is
 * read, during a try, before its record. Each label that was sold is told at least once.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { placeOrder } from '#contract/orders.ts'
import { createWebhook } from '#contract/webhooks.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { countOpenWork, seededRandom } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { LONG_MINUTES, runSeeds, timeoutFor } from '#tests/support/seeded-runs.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { webhookReceiver } from '#tests/support/webhook-receiver.ts'

/** EVENPOST_WEBHOOK_KILLS sets their number: 200 take a quarter of an hour. */
const KILLS = Number(process.env.EVENPOST_WEBHOOK_KILLS ?? (LONG_MINUTES > 0 ? 20 : 2))
const ORDERS = 10
const APART_MS = 25
const ANSWER_MS = 60
const PATIENCE_MS = 5_000
const receiver = await webhookReceiver()

test(
  'killed between a sale and its message: every label that was sold is told, under one id',
  () =>
    runSeeds(async seed => {
      const draw = seededRandom(seed)
      const [{ database, drop }, data] = await Promise.all([cloneDatabase(), createDataFolder()])
      const start = () =>
        startServer(data.path, {
          DATABASE_URL: database.url,
          DATA_DIR: data.path,
          ALLOW_UNSAFE_DATABASE: 'yes',
          WEBHOOKS_ALLOW_LOOPBACK: 'yes',
        })
      receiver.received.length = 0
      receiver.answer(() => ({ status: 204, afterMs: ANSWER_MS }))
      let app = await start()
      try {
        const ana = await app.register('Ana')
        await app.pay(ana, 90_000)
        const userId = ana.user._id
        const made = await app.call(
          createWebhook,
          { params: { userId }, body: { url: receiver.url, types: ['label.bought'] } },
          ana.token,
        )
        expect(made.status, made.body.message).toBe(200)
        const order = (): Promise<unknown> =>
          app.call(placeOrder, { body: singleOrderBody(userId) }, ana.token).catch(() => undefined)
        for (let kill = 0; kill < KILLS; kill++) {
          const sending = Array.from({ length: ORDERS }, (_, n) => wait(n * APART_MS).then(order))
          // When the first labels are sold, their messages are on the way.
          await Promise.race([Promise.any(sending), wait(PATIENCE_MS)])
          await wait(ORDERS * APART_MS * draw())
          await app.stop('SIGKILL')
          await Promise.all(sending)
          app = await start()
        }
        await expect.poll(() => countOpenWork(database), { interval: 100 }).toBe(0)
        const { rows: sold } = await database.pool.query<{ id: string }>(
          `select id::text from shipment_order where state = 'purchased'`,
        )
        const told = () => new Set(receiver.received.map(({ data: { orderId } }) => orderId))
        await expect.poll(() => told().size).toBe(sold.length)
        expect(told()).toEqual(new Set(sold.map(({ id }) => id)))
        const idsOfLabel = receiver.received.map(
          ({ data: { orderId }, headers }) => `${String(orderId)} ${headers['webhook-id']}`,
        )
        expect(new Set(idsOfLabel).size).toBe(sold.length)
        expect(await findDiscrepancies(database)).toEqual([])
        if (LONG_MINUTES > 0)
          console.log(
            `${KILLS} kills: ${sold.length} labels told, ${idsOfLabel.length - sold.length} repeated`,
          )
      } finally {
        await app.stop('SIGKILL')
        await drop()
        await data.forget()
      }
    }),
  timeoutFor(900_000 + KILLS * 10_000),
)
