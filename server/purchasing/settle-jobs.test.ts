import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { placeOrder } from '#contract/orders.ts'
import { lockWallets } from '#server/ledger/service.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const { db } = app.database

async function seller(name: string): Promise<TestUser> {
  const user = await app.register(name)
  await app.creditDollars(user.user._id, 100)
  return user
}
const place = async ({ user, token }: TestUser): Promise<number> =>
  (await app.call(placeOrder, { body: singleOrderBody(user._id) }, token)).status
const balance = async ({ token }: TestUser): Promise<number> =>
  (await app.call(verifySession, {}, token)).body.user.balance
async function carrierCalls(count: number): Promise<void> {
  await expect.poll(() => app.carrier.begun.purchase).toBe(count)
}

test('labels that were bought at the same time are paid in fewer transactions than labels', async () => {
  const sellers = await Promise.all(['Ana', 'Ben', 'Cleo', 'Dan'].map(seller))
  const release = app.carrier.hold('purchase')
  const before = app.carrier.begun.purchase
  const placed = Promise.all([...sellers, ...sellers, ...sellers].map(place))
  await carrierCalls(before + 12)
  release()
  expect(await placed).toEqual(Array.from({ length: 12 }, () => 200))
  for (const one of sellers) expect(await balance(one)).toBe(100 - 3 * 9.5)
  const { rows } = await sql<{ writes: number }>`
    select count(distinct xmin::text)::int as writes from shipment_order`.execute(db)
  expect(rows[0]!.writes).toBeLessThan(12)
})

test('a wallet that is locked delays the labels of its owner alone', async () => {
  const [ana, ben] = [await seller('Ana'), await seller('Ben')]
  const release = app.carrier.hold('purchase')
  const before = app.carrier.begun.purchase
  const anasLabel = place(ana)
  await carrierCalls(before + 1)
  await app.database.tx(async tx => {
    await lockWallets(tx, [Number(ana.user._id)])
    release()
    // Waits for the wallet by now or soon; the labels after it pass.
    expect([await place(ben), await place(ben)]).toEqual([200, 200])
  })
  expect(await anasLabel).toBe(200)
  expect([await balance(ana), await balance(ben)]).toEqual([90.5, 81])
})
