/**
 * A restored database does not know what happened after the backup; the carrier does. The tests
 * call the carrier directly for those events. There is no worker; the tests run its steps.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { createKey, currentKey } from '#contract/api-keys.ts'
import { batchStatus, initBatch, processBatch, retryFailedLabels } from '#contract/batches.ts'
import { statement } from '#contract/ledger.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { afterRestore } from './after-restore.ts'
import { endIfReady } from './batches/close.ts'
import { markRestored } from './platform/backup/restore-state.ts'
import { checkLabelsAfterRestore } from './purchasing/after-restore.ts'
import { openPurchasing } from './purchasing/open.ts'
import { reconcile } from './purchasing/reconcile.ts'
import { assertSameCarrier } from './purchasing/same-carrier.ts'
import { startPurchaseWorker } from './purchasing/worker.ts'
import { processDueVoids } from './voids/settle.ts'

const app = await testApp({ env: { ROLE: 'web' } })
const { database } = app
const ctx = openPurchasing(app.ctx)
const never = new AbortController().signal

const sellers: TestUser[] = []
async function seller(): Promise<TestUser> {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, 100)
  sellers.push(visitor)
  return visitor
}
const balance = async (of: TestUser) =>
  (await app.call(verifySession, {}, of.token)).body.user.balance
const ordersOf = async (of: TestUser) =>
  (
    await app.call(listOrders, { params: { userId: of.user._id }, query: {} }, of.token)
  ).body.orders.toSorted((a, b) => a.row! - b.row!)
const moves = async (of: TestUser) =>
  (await app.call(statement, { params: { userId: of.user._id }, query: {} }, of.token)).body.entries
    .map(entry => entry.kind)
    .toReversed()

/** A bulk order that is not bought. */
async function ordered(
  by: TestUser,
  street2: string[],
): Promise<{ orderId: string; ids: string[] }> {
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: by.user._id } }, by.token)
  const orderData = rows(street2.length, n => ({ ToStreet2: street2[n - 1]! }))
  expect(
    (
      await app.call(
        processBatch,
        { params: { userId: by.user._id }, body: { orderId, orderData } },
        by.token,
      )
    ).status,
  ).toBe(202)
  return { orderId, ids: (await ordersOf(by)).map(order => order._id) }
}

/** The carrier sells a label in a round and voids it. */
async function soldAndVoided(reference: string, round = 1): Promise<void> {
  const order = await database.db
    .selectFrom('shipment_order')
    .select(['service_uid as serviceUid', 'sender', 'receiver', 'package'])
    .where('id', '=', Number(reference))
    .executeTakeFirstOrThrow()
  const sold = await ctx.carrier.purchase({ reference, round }, order, never)
  expect(sold.ok).toBe(true)
  await takenBack(reference, round)
}
async function takenBack(reference: string, round = 1): Promise<void> {
  const {
    rows: [sale],
  } = await database.pool.query<{ tracking: string }>(
    'select tracking_number as tracking from sandbox_purchase where reference = $1 and round = $2',
    [reference, round],
  )
  expect(
    await ctx.carrier.void(
      { attempt: { reference, round }, trackingNumber: sale!.tracking },
      never,
    ),
  ).toEqual({ kind: 'voided' })
}

/** All sellers sign in again. */
async function restore(): Promise<string | null> {
  await markRestored(database)
  const told = await afterRestore(database)
  for (const one of sellers) one.token = await app.signIn(one.user.email, one.password)
  return told
}

test('a label bought and voided after the backup ends as voided, and its price is refunded', async () => {
  const ana = await seller()
  const { orderId, ids } = await ordered(ana, ['', ''])
  await soldAndVoided(ids[0]!)
  expect(await restore()).toContain('asked about 2 open labels')
  await reconcile(ctx)
  expect((await ordersOf(ana)).map(order => [order.status, order.void])).toEqual([
    ['completed', 'requested'],
    ['pending', null],
  ])
  await processDueVoids(ctx)
  await startPurchaseWorker(ctx).stop()
  await endIfReady(ctx, Number(orderId))
  expect((await ordersOf(ana)).map(order => [order.status, order.void])).toEqual([
    ['cancelled', 'voided'],
    ['completed', null],
  ])
  expect((await app.call(batchStatus, { params: { orderId } }, ana.token)).body).toMatchObject({
    status: 'completed',
    processedCount: 2,
  })
  expect([await balance(ana), await moves(ana)]).toEqual([93.5, ['deposit', 'hold', 'refund']])
  expect(await findDiscrepancies(database)).toEqual([])
})

test('no number given since the backup is given again, however many labels were ordered since', async () => {
  const gus = await seller()
  const before = await ordered(gus, [''])
  await restore()
  const after = await ordered(gus, [''])
  // A year at 30 a second is 946,080,000.
  expect(Math.max(...after.ids.map(Number)) - Number(before.ids[0])).toBeGreaterThan(946_080_000)
  expect(Number(after.orderId) - Number(before.orderId)).toBeGreaterThan(946_080_000)
  await reconcile(ctx)
  await startPurchaseWorker(ctx).stop()
  for (const { orderId } of [before, after]) await endIfReady(ctx, Number(orderId))
  expect((await ordersOf(gus)).map(order => order.status)).toEqual(['completed', 'completed'])
  expect(await findDiscrepancies(database)).toEqual([])
})

test('a bought label of the backup that was voided since is voided, the others stay', async () => {
  const ben = await seller()
  const [kept, voided] = [
    (await app.call(placeOrder, { body: singleOrderBody(ben.user._id) }, ben.token)).body.data,
    (await app.call(placeOrder, { body: singleOrderBody(ben.user._id) }, ben.token)).body.data,
  ]
  await takenBack(voided.orderId)
  expect(await findDiscrepancies(database)).toHaveLength(1)
  expect(await restore()).toMatch(
    /checks \d+ bought labels: labels that were voided since are paid back\. All sign-ins ended/,
  )
  const asked = await checkLabelsAfterRestore(ctx)
  expect(asked).toBeGreaterThanOrEqual(2)
  await processDueVoids(ctx)
  const orders = await ordersOf(ben)
  expect(orders.find(order => order._id === voided.orderId)).toMatchObject({
    status: 'cancelled',
    void: 'voided',
  })
  expect(orders.find(order => order._id === kept.orderId)).toMatchObject({
    status: 'completed',
    void: null,
  })
  expect([await balance(ben), await moves(ben)]).toEqual([
    90.5,
    ['deposit', 'hold', 'hold', 'refund'],
  ])
  expect(await checkLabelsAfterRestore(ctx)).toBe(0)
  expect(await findDiscrepancies(database)).toEqual([])
})

test('bought labels without an answer are looked up again', async () => {
  const cara = await seller()
  const {
    body: { data },
  } = await app.call(placeOrder, { body: singleOrderBody(cara.user._id) }, cara.token)
  await takenBack(data.orderId)
  await restore()
  const silent = {
    ...ctx,
    carrier: { ...ctx.carrier, lookup: () => Promise.reject(new Error('silence')) },
  }
  expect(await checkLabelsAfterRestore(silent)).toBeGreaterThan(0)
  expect(await checkLabelsAfterRestore(ctx)).toBe(0) // not at once
  await database.pool.query('update bought_before_restore set next_check_at = now()')
  await checkLabelsAfterRestore(ctx)
  await processDueVoids(ctx)
  expect(await balance(cara)).toBe(100)
  expect(await findDiscrepancies(database)).toEqual([])
})

test('a carrier whose look-ups do not report voids is not called for bought labels', async () => {
  const eve = await seller()
  await app.call(placeOrder, { body: singleOrderBody(eve.user._id) }, eve.token)
  await restore()
  const lookup = () => Promise.reject(new Error('a reprint is spent'))
  expect(
    await checkLabelsAfterRestore({
      ...ctx,
      carrier: { ...ctx.carrier, lookup, lookupReportsVoids: false },
    }),
  ).toBe(0)
  expect(await checkLabelsAfterRestore(ctx)).toBeGreaterThan(0) // by then with a carrier that tells
})

test('a label bought in a forgotten retry and voided since is refunded by the next retry', async () => {
  const dora = await seller()
  const { orderId, ids } = await ordered(dora, ['SANDBOX REFUSE ONCE'])
  await soldAndVoided(ids[0]!, 2)
  await restore()
  await reconcile(ctx)
  await endIfReady(ctx, Number(orderId))
  const again = app.call(retryFailedLabels, { params: { orderId } }, dora.token)
  // The order is older than the restore, so its new round is looked up before anything is bought.
  await expect
    .poll(async () => (await reconcile(ctx), await ordersOf(dora))[0]!.status)
    .toBe('completed')
  await endIfReady(ctx, Number(orderId))
  expect((await again).status).toBe(200)
  await processDueVoids(ctx)
  expect((await ordersOf(dora)).map(order => order.void)).toEqual(['voided'])
  expect(await balance(dora)).toBe(100)
  expect(await findDiscrepancies(database)).toEqual([])
})

test('a label that failed before the backup is bought by the present account when it is retried', async () => {
  const iris = await seller()
  const { orderId, ids } = await ordered(iris, ['SANDBOX REFUSE ONCE'])
  await startPurchaseWorker(ctx).stop()
  await endIfReady(ctx, Number(orderId))
  expect((await ordersOf(iris)).map(order => order.status)).toEqual(['cancelled'])
  // The account that refused it is closed.
  await database.pool.query(
    `update shipment_order set carrier_account = 'sandbox:closed' where id = $1`,
    [ids[0]],
  )
  await restore()
  await assertSameCarrier(ctx)
  const again = app.call(retryFailedLabels, { params: { orderId } }, iris.token)
  await expect
    .poll(async () => {
      await reconcile(ctx)
      await startPurchaseWorker(ctx).stop()
      return (await ordersOf(iris))[0]!.status
    })
    .toBe('completed')
  await endIfReady(ctx, Number(orderId))
  expect((await again).status).toBe(200)
  expect(await balance(iris)).toBe(93.5)
  expect(await findDiscrepancies(database)).toEqual([])
})

test('queued labels of the backup are looked up in the account of the backup', async () => {
  const fred = await seller()
  const { orderId, ids } = await ordered(fred, ['', ''])
  // The carrier account was changed: the first one, which had tried one of these labels, is closed.
  await database.pool.query(
    `update app_setting set value = 'sandbox:1' where key = 'first-carrier-account'`,
  )
  await database.pool.query(
    `update shipment_order set carrier_account = 'sandbox:1' where id = $1`,
    [ids[0]],
  )
  await soldAndVoided(ids[0]!)
  await restore()
  await assertSameCarrier(ctx)
  await reconcile(ctx)
  expect((await ordersOf(fred)).map(order => [order.status, order.void])).toEqual([
    ['completed', 'requested'],
    ['pending', null],
  ])
  await processDueVoids(ctx)
  await startPurchaseWorker(ctx).stop()
  await endIfReady(ctx, Number(orderId))
  expect((await ordersOf(fred)).map(order => order.status)).toEqual(['cancelled', 'completed'])
  expect(await balance(fred)).toBe(93.5)
  expect(await findDiscrepancies(database)).toEqual([])
})

test('API keys of the backup open nothing: some may have been deleted since', async () => {
  const hal = await seller()
  const made = await app.call(
    createKey,
    { params: { userId: hal.user._id }, body: { name: 'Shop', scopes: ['books'] } },
    hal.token,
  )
  expect((await app.call(currentKey, {}, made.body.key)).status).toBe(200)
  expect(await restore()).toContain('1 API key ended: users make new ones.')
  const { status, body } = await app.call(currentKey, {}, made.body.key)
  expect([status, body.code]).toEqual([401, 'key_not_valid'])
  expect(body.message).toContain('restored from a backup')
})

test('sign-ins of the backup open nothing: some ended since, as did those of a user who was deleted', async () => {
  const { token } = await seller()
  expect(await restore()).toContain('All sign-ins ended.')
  expect((await app.call(verifySession, {}, token)).status).toBe(401)
})

test('bought labels of another account are looked up when that account is connected again', async () => {
  const gail = await seller()
  const {
    body: { data },
  } = await app.call(placeOrder, { body: singleOrderBody(gail.user._id) }, gail.token)
  await takenBack(data.orderId)
  await restore()
  const other = {
    ...ctx,
    carrier: {
      ...ctx.carrier,
      account: 'sandbox:2',
      lookup: () => Promise.reject(new Error('not mine')),
    },
  }
  expect(await checkLabelsAfterRestore(other)).toBe(0)
  expect(await checkLabelsAfterRestore(ctx)).toBe(0) // not at once
  await database.pool.query('update bought_before_restore set next_check_at = now()')
  expect(await checkLabelsAfterRestore(ctx)).toBeGreaterThan(0)
  await processDueVoids(ctx)
  expect(await balance(gail)).toBe(100)
  expect(await findDiscrepancies(database)).toEqual([])
})

test('Retry Failed after a restore buys a label although the balance was locked for a while', async () => {
  const iris = await seller()
  const { orderId, ids } = await ordered(iris, ['SANDBOX REFUSE ONCE'])
  await startPurchaseWorker(ctx).stop()
  await endIfReady(ctx, Number(orderId))
  await restore()
  await assertSameCarrier(ctx)
  const other = await database.owner.pool.connect()
  await other.query('begin; select from balance for update')
  const again = app.call(retryFailedLabels, { params: { orderId } }, iris.token)
  await wait(500)
  await other.query('commit')
  other.release()
  const stateOf = async (table: string, id: string) =>
    (await database.pool.query(`select * from ${table} where id = $1`, [id])).rows[0]
  await expect.poll(async () => (await stateOf('batch', orderId)).status).toBe('retrying_failed')
  await reconcile(ctx)
  await database.owner.pool
    .query(`update shipment_order set run_after = now(), unknown_since = unknown_since - interval '3 minutes',
      answer_missing_at = answer_missing_at - interval '3 minutes' where state = 'unknown';
    update batch set retried_at = retried_at - interval '3 minutes'`)
  await reconcile(ctx)
  await startPurchaseWorker(ctx).stop()
  await endIfReady(ctx, Number(orderId))
  await again
  expect((await stateOf('shipment_order', ids[0]!)).state).toBe('purchased')
})
