import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { tidyRow } from '#contract/rows.ts'
import { specimenPdf } from '#server/labels/specimen-pdf.ts'
import { lockWallets, walletOf } from '#server/ledger/service.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { placeAndWait } from '#tests/support/patient-calls.ts'
import { row, singleOrderBody } from '#tests/support/rows.ts'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { openPurchasing } from './open.ts'
import { purchaseLabel } from './place.ts'
import { reconcile } from './reconcile.ts'
import { startPurchaseWorker } from './worker.ts'

const app = await testApp()
/** Without a worker, so that no look-up finds a label. */
const web = await testApp({ env: { ROLE: 'web' } })

async function seller(name: string, at = app): Promise<TestUser> {
  const user = await at.register(name)
  await at.creditDollars(user.user._id, 100)
  return user
}
const place = async ({ user, token }: TestUser): Promise<number> =>
  (await placeAndWait(app, singleOrderBody(user._id), token)).status
const balance = async ({ token }: TestUser): Promise<number> =>
  (await app.call(verifySession, {}, token)).body.user.balance
async function carrierCalls(count: number): Promise<void> {
  // More where a call was held until its time-out, on a slow machine.
  await expect.poll(() => app.carrier.begun.purchase).toBeGreaterThanOrEqual(count)
}

test('labels that were bought at the same time are paid in fewer transactions than labels', async () => {
  const sellers = await Promise.all(['Ana', 'Ben', 'Cleo', 'Dan'].map(name => seller(name)))
  const release = app.carrier.hold('purchase')
  const before = app.carrier.begun.purchase
  const placed = Promise.all([...sellers, ...sellers, ...sellers].map(place))
  await carrierCalls(before + 12)
  release()
  expect(await placed).toEqual(Array.from({ length: 12 }, () => 200))
  for (const one of sellers) expect(await balance(one)).toBe(100 - 3 * 9.5)
  const { rows } = await sql<{ writes: number }>`
    select count(distinct xmin::text)::int as writes from shipment_order`.execute(app.database.db)
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

test('a store of files that does not answer delays no label', async () => {
  const label = { mime: 'application/pdf', bytes: specimenPdf(sampleLabel(5)) } as const
  const purchasing = openPurchasing(web.ctx, carrier => ({
    ...carrier,
    purchase: async (...args) => {
      const sold = await carrier.purchase(...args)
      return sold.ok ? { ok: true, purchase: { ...sold.purchase, label } } : sold
    },
    fetchLabel: async () => ({ kind: 'gone', code: '404', message: 'It is gone' }),
  }))
  const { promise: answers, resolve: answer } = Promise.withResolvers<void>()
  const writes: Promise<unknown>[] = []
  const ctx = {
    ...purchasing,
    files: {
      ...purchasing.files,
      write: (...args: Parameters<typeof purchasing.files.write>) => {
        const written = answers.then(() => purchasing.files.write(...args))
        writes.push(written)
        return written
      },
    },
  }
  const { db, pool } = web.database
  const ana = await seller('Ana', web)
  const userId = Number(ana.user._id)
  const countLate = async () =>
    (await pool.query(`select from shipment_order where state in ('unknown', 'queued')`)).rowCount
  const spent = async () => {
    // A call had no answer in time, on a slow machine. A label that waits for the store is neither: it is still being bought.
    if (((await countLate()) ?? 0) > 0) {
      await reconcile(ctx)
      await startPurchaseWorker(ctx).stop()
    }
    return (await walletOf(db, userId)).spent
  }
  const orders = []
  // One after the other, as each group of labels is settled for itself.
  for (let labels = 1; labels <= 6; labels++) {
    orders.push(purchaseLabel(ctx, userId, { row: tidyRow(row(labels)), manifested: false }))
    await expect.poll(spent).toBe(labels * 650)
  }
  await Promise.all(orders)
  const { rows } = await pool.query('select distinct state from shipment_order')
  expect(rows).toEqual([{ state: 'purchased' }])
  answer()
  await purchasing.drain()
  // No one waits for these any more, and the folder is removed next.
  await Promise.all(writes)
})
