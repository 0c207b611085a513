import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { initBatch, processBatch } from '#contract/batches.ts'
import { placeOrder } from '#contract/orders.ts'
import { collectLeftBehind } from '#server/ledger/left-behind.ts'
import { waitingOf } from '#server/ledger/owed-charges.ts'
import { walletsOf } from '#server/ledger/service.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { openPurchasing } from './open.ts'
import { sweepExpired } from './sweep-jobs.ts'

const app = await testApp()
const { db } = app.database

const reserveId = async ({ user, token }: TestUser): Promise<string> =>
  (await app.call(initBatch, { body: { userId: user._id } }, token)).body.orderId

const submit = async ({ user, token }: TestUser, orderId: string) => {
  const params = { userId: user._id }
  return app.call(processBatch, { params, body: { orderId, orderData: rows(2) } }, token)
}

const sweepOnce = (): Promise<void> => sweepExpired(openPurchasing(app.ctx))

test('an id that was never submitted ends after a day, a submitted one stays', async () => {
  const ana = await app.register()
  await app.creditDollars(ana.user._id, 100)
  const [submitted, fresh] = [await reserveId(ana), await reserveId(ana)]
  const old: string[] = []
  for (let n = 0; n < 3; n++) old.push(await reserveId(ana))
  expect((await submit(ana, submitted)).status).toBe(202)
  await sql`update batch set created_at = now() - interval '25 hours' where id = any(${[submitted, ...old]}::bigint[])`.execute(
    db,
  )
  await sweepOnce()
  for (const id of old) {
    const { status, body } = await submit(ana, id)
    expect([status, body.message]).toEqual([
      404,
      expect.stringContaining('within 24 hours, or when 100 newer ones were reserved'),
    ])
  }
  expect((await submit(ana, submitted)).status).toBe(202)
  expect((await submit(ana, fresh)).status).toBe(202)
})

test('of the ids that a user reserves and does not submit, the newest hundred are kept', async () => {
  const ben = await app.register()
  await app.creditDollars(ben.user._id, 100)
  const ids: string[] = []
  for (let n = 0; n < 103; n++) ids.push(await reserveId(ben))
  const { rows: kept } = await sql<{ n: number }>`
    select count(*) as n from batch where user_id = ${Number(ben.user._id)}`.execute(db)
  expect(kept[0]!.n).toBe(100)
  expect((await submit(ben, ids[2]!)).status).toBe(404)
  expect((await submit(ben, ids[3]!)).status).toBe(202)
})

test('keys of orders are deleted a day later, also when none of them comes back', async () => {
  const cleo = await app.register()
  await app.creditDollars(cleo.user._id, 100)
  for (const key of ['old', 'new']) {
    const { statusCode } = await app.send({
      method: placeOrder.method,
      url: placeOrder.path,
      headers: { token: cleo.token, 'idempotency-key': key },
      payload: singleOrderBody(cleo.user._id),
    })
    expect(statusCode).toBe(200)
  }
  await sql`update order_request set created_at = now() - interval '25 hours' where key = 'old'`.execute(
    db,
  )
  await sweepOnce()
  const { rows: keys } = await sql<{ key: string }>`
    select key from order_request where user_id = ${Number(cleo.user._id)}`.execute(db)
  expect(keys).toEqual([{ key: 'new' }])
})

test('money beside a charge that waits, as a process of an older version leaves it, is collected', async () => {
  const [eve, fay] = [await app.register(), await app.register()]
  const owners = [eve, fay].map(({ user }) => Number(user._id))
  await app.creditDollars(eve.user._id, 100)
  for (const ownerId of owners)
    await sql`insert into owed_charge (owner_id, order_id, subject, reason, cents)
      values (${ownerId}, 7, ${`adjustment:${ownerId}`}, 'Weight', 2500)`.execute(db)
  await sweepOnce()
  await sweepOnce()
  const wallets = await walletsOf(db, owners)
  expect(owners.map(id => wallets.get(id)!.available)).toEqual([75_00, 0])
  expect(await Promise.all(owners.map(id => waitingOf(db, id)))).toEqual([
    { charges: 0, total: 0 },
    { charges: 1, total: 25_00 },
  ])
  // A sweep goes on while it finds full chunks of users.
  expect(await collectLeftBehind(app.database, 1)).toBe(0)
})
