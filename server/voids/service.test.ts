import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { sandboxPurchases } from '#contract/carriers.ts'
import { statement } from '#contract/ledger.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import {
  placeAndWait,
  untilDecided,
  voidAndWait,
  voidManyAndWait,
} from '#tests/support/patient-calls.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()

async function seller(): Promise<TestUser> {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, 500)
  return visitor
}
async function bought(by: TestUser, street2 = ''): Promise<string> {
  const order = singleOrderBody(by.user._id, { receiver: { receiver_address2: street2 } })
  const { body } = await placeAndWait(app, order, by.token)
  expect(body.data.trackingNumber, body.message).not.toBeNull()
  return body.data.orderId
}
const voiding = (orderId: string, token: string) =>
  app.call(voidOrder, { params: { orderId } }, token)
/** How long a request waits for a void. */
const PATIENCE_MS = 5_000
/** Voids, and the answer tells so, unless that took longer than a request waits; then it is voided afterwards. */
async function voidInTime(orderId: string, token: string): Promise<void> {
  const began = performance.now()
  const { status, body } = await voiding(orderId, token)
  const isLate = performance.now() - began > PATIENCE_MS && status === 202
  expect([status, body.order.void], body.message).toEqual(
    isLate ? [202, 'requested'] : [200, 'voided'],
  )
  expect(await untilDecided(app, orderId, token, status)).toBe(200)
}
const ASKED =
  'The carrier was asked to void this label. Its price comes back when the carrier confirms.'
const money = async (of: TestUser) => {
  const { balance, totalSpent } = (await app.call(verifySession, {}, of.token)).body.user
  return { balance, totalSpent }
}
const orders = async (of: TestUser) =>
  (await app.call(listOrders, { params: { userId: of.user._id }, query: {} }, of.token)).body.orders
const order = async (of: TestUser, orderId: string) =>
  (await orders(of)).find(one => one._id === orderId)!
const sold = async (orderId: string) =>
  (await app.call(sandboxPurchases, { query: { reference: orderId } }, admin.token)).body.purchases
const requests = async (orderId: string) =>
  (
    await app.database.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('action', '=', 'void-requested')
      .execute()
  ).filter(entry => entry.detail.orderId === Number(orderId))

test('a voided label is refunded, says so, and cannot be printed anymore', async () => {
  const ana = await seller()
  const orderId = await bought(ana)
  const { pdfName } = await order(ana, orderId)
  const print = () =>
    app.send({ url: `/api/orders/download/v2/${pdfName}`, headers: { token: ana.token } })
  expect(await readPdf((await print()).rawPayload)).toHaveLength(1)

  const { status, body } = await voiding(orderId, ana.token)
  // A slow machine needs longer than the request waits.
  const isLate = status === 202
  expect(await untilDecided(app, orderId, ana.token, status)).toBe(200)
  expect(body.message).toBe(isLate ? ASKED : 'The label was voided: $9.50 went back to the balance')
  expect(isLate ? await order(ana, orderId) : body.order).toMatchObject({
    _id: orderId,
    status: 'cancelled',
    void: 'voided',
    pdfName: null,
    reason: null,
  })
  expect(await money(ana)).toEqual({ balance: 500, totalSpent: 0 })
  expect((await sold(orderId))[0]!.voidedAt).not.toBeNull()
  expect((await print()).statusCode).toBe(404)
  expect((await print()).json().message).toBe('This label was voided and cannot be printed anymore')

  const {
    body: { entries },
  } = await app.call(statement, { params: { userId: ana.user._id }, query: {} }, ana.token)
  expect(entries.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
    ['refund', 9.5, 500],
    ['hold', -9.5, 490.5],
    ['deposit', 500, 500],
  ])
  expect(entries[0]!.orderId).toBe(orderId)

  const again = await voiding(orderId, ana.token)
  expect([again.status, again.body.message]).toEqual([200, 'This label is voided already'])
  expect(await money(ana)).toEqual({ balance: 500, totalSpent: 0 })
  expect(await requests(orderId)).toHaveLength(1)
})

test('two administrators and the owner void the same label at the same moment: one refund, and all see it', async () => {
  const ben = await seller()
  const orderId = await bought(ben, 'SANDBOX SLOW')
  const other = await app.admin()
  await Promise.all([ben, admin, other, ben, admin].map(({ token }) => voidInTime(orderId, token)))
  expect(await money(ben)).toEqual({ balance: 500, totalSpent: 0 })
  expect(await requests(orderId)).toHaveLength(1)
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('while the carrier decides, the label is neither voided nor printable', async () => {
  const cara = await seller()
  const orderId = await bought(cara)
  const { pdfName } = await order(cara, orderId)
  const release = app.carrier.hold('void')
  const answer = voiding(orderId, cara.token)
  await expect
    .poll(async () => (await order(cara, orderId)).void, { interval: 20 })
    .toBe('requested')
  expect(await order(cara, orderId)).toMatchObject({ status: 'completed', pdfName: null })
  const print = await app.send({
    url: `/api/orders/download/v2/${pdfName}`,
    headers: { token: cara.token },
  })
  expect([print.statusCode, print.json().message]).toEqual([
    409,
    'This label is being voided and cannot be printed',
  ])
  expect(await money(cara)).toEqual({ balance: 490.5, totalSpent: 9.5 })
  release()
  expect(await untilDecided(app, orderId, cara.token, (await answer).status)).toBe(200)
})

test('a void that the carrier refuses changes nothing, says why, and can be requested again', async () => {
  const dan = await seller()
  const orderId = await bought(dan, 'SANDBOX NOVOID')
  for (const _ of [1, 2]) {
    const { status, body } = await voiding(orderId, dan.token)
    expect(await untilDecided(app, orderId, dan.token, status)).toBe(422)
    expect(body.message).toBe(
      status === 202
        ? ASKED
        : 'The carrier refused to void this label: This label is not eligible for a refund',
    )
  }
  const after = await order(dan, orderId)
  expect(after).toMatchObject({
    status: 'completed',
    void: 'refused',
    reason: 'This label is not eligible for a refund',
  })
  expect(after.pdfName).not.toBeNull()
  expect(await money(dan)).toEqual({ balance: 490.5, totalSpent: 9.5 })
  expect(await requests(orderId)).toHaveLength(2)
})

test.each(['SANDBOX LOST', 'SANDBOX LATE', 'SANDBOX BUSY', 'SANDBOX SLOW'])(
  '%s: voided once, paid back once',
  async command => {
    const eve = await seller()
    const orderId = await bought(eve, command)
    await voidInTime(orderId, eve.token) // asked again while the customer waits
    expect(await money(eve)).toEqual({ balance: 500, totalSpent: 0 })
  },
)

test('only a bought label can be voided, and only by its owner or an administrator', async () => {
  const [finn, gil] = [await seller(), await seller()]
  await app.call(
    placeOrder,
    { body: singleOrderBody(finn.user._id, { receiver: { receiver_address2: 'SANDBOX REFUSE' } }) },
    finn.token,
  )
  const [failed] = await orders(finn)
  expect((await voiding(failed!._id, finn.token)).status).toBe(409)
  const orderId = await bought(finn)
  expect((await voiding(orderId, gil.token)).status).toBe(404)
  expect((await voiding('999999999', finn.token)).status).toBe(404)
  expect((await order(finn, orderId)).void).toBeNull()

  expect(await voidAndWait(app, orderId, admin.token)).toBe(200)
  expect(await requests(orderId)).toMatchObject([
    { actor_id: Number(admin.user._id), subject_id: Number(finn.user._id) },
  ])
  expect(await money(finn)).toEqual({ balance: 500, totalSpent: 0 })
})

test('an administrator signed in as the customer is recorded as the requester', async () => {
  const hal = await seller()
  const orderId = await bought(hal)
  const token = 'sl_signed-in-as-hal'
  const own = await app.database.db
    .selectFrom('login_session')
    .select('id')
    .where('user_id', '=', Number(admin.user._id))
    .executeTakeFirstOrThrow()
  await app.database.db
    .insertInto('login_session')
    .values({
      user_id: Number(hal.user._id),
      token_hash: createHash('sha256').update(token).digest(),
      download_hash: randomBytes(32),
      kind: 'impersonation',
      impersonator_id: Number(admin.user._id),
      parent_session_id: own.id,
      expires_at: sql<Date>`now() + interval '1 hour'`,
    })
    .execute()
  expect(await voidAndWait(app, orderId, token)).toBe(200)
  expect(await requests(orderId)).toMatchObject([
    { actor_id: Number(admin.user._id), subject_id: Number(hal.user._id) },
  ])
})

test('fifty labels voided at once have their own results, and one that cannot be voided does not stop the others', async () => {
  const [ida, jo] = [await seller(), await seller()]
  const good = await Promise.all(
    Array.from({ length: 46 }, (_, i) => bought(ida, i % 10 === 9 ? 'SANDBOX LOST' : '')),
  )
  const novoid = await bought(ida, 'SANDBOX NOVOID')
  const foreign = await bought(jo)
  const before = await bought(ida)
  expect(await voidAndWait(app, before, ida.token)).toBe(200)
  const orderIds = [...good, novoid, foreign, before, '999999999', good[0]!]
  const voided = await voidManyAndWait(app, orderIds, ida.token)
  expect(voided).toMatchObject({ voided: 47, requested: 0, refused: 3 })
  const result = (orderId: string) => voided.results.find(one => one.orderId === orderId)
  expect(voided.results.map(one => one.orderId)).toEqual(orderIds.slice(0, -1))
  expect(result(good[9]!)).toEqual({
    orderId: good[9],
    void: 'voided',
    message: voided.isLate
      ? expect.any(String)
      : 'The label was voided: $9.50 went back to the balance',
  })
  expect(result(novoid)).toMatchObject({
    void: 'refused',
    message: expect.stringContaining('not eligible'),
  })
  expect(result(foreign)).toEqual({
    orderId: foreign,
    void: 'refused',
    message: 'There is no such order',
  })
  expect(result('999999999')).toEqual({
    orderId: '999999999',
    void: 'refused',
    message: 'There is no such order',
  })
  expect(result(before)).toMatchObject({ void: 'voided', message: 'This label is voided already' })
  expect(await money(ida)).toEqual({ balance: 490.5, totalSpent: 9.5 })
  expect(await money(jo)).toEqual({ balance: 490.5, totalSpent: 9.5 })
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('the same fifty labels voided from three windows at once are refunded once', async () => {
  const kim = await seller()
  const orderIds = await Promise.all(Array.from({ length: 50 }, () => bought(kim)))
  const answers = await Promise.all(
    [kim, kim, admin].map(({ token }, turn) =>
      voidManyAndWait(app, turn === 1 ? orderIds.toReversed() : orderIds, token),
    ),
  )
  for (const answer of answers)
    expect(answer).toMatchObject({ voided: 50, requested: 0, refused: 0 })
  expect(await money(kim)).toEqual({ balance: 500, totalSpent: 0 })
  expect(await findDiscrepancies(app.database)).toEqual([])
})
