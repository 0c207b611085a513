import { expect, test } from 'vitest'
import { listUsers } from '#contract/accounts.ts'
import { cents } from '#contract/money.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { testApp } from '#tests/support/app.ts'
import { findViolations, hold, settle } from './service.ts'
import { copyWalletFigures } from './wallet-figures.ts'

const app = await testApp()
const { database } = app
const { token } = await app.admin()
const customer = async (name: string) => Number((await app.register(name)).user._id)
const [ana, ben, zoe] = [await customer('Ana'), await customer('Ben'), await customer('Zoe')]
const copy = () => copyWalletFigures(app.ctx, 1)
const lastCopied = async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    'select last_transfer_id as id from wallet_figure_progress',
  )
  return rows[0]?.id
}
const newestTransfer = async () =>
  (await database.pool.query<{ id: number }>('select max(id) as id from transfer')).rows[0]!.id

/** What is wrong with the lists sorted by money: each user once, in the order of what the list shows of them. */
async function sortingFaults(users: readonly number[]): Promise<string[]> {
  const faults: string[] = []
  for (const sort of ['balance', 'totalDeposit', 'totalSpent'] as const)
    for (const order of ['asc', 'desc'] as const) {
      const listed: { id: number; figure: number }[] = []
      for (let isLast = false, page = 1; !isLast; page++) {
        const query = { sort, order, page, limit: 2 }
        const { body } = await app.call(listUsers, { query }, token)
        listed.push(...body.map(user => ({ id: Number(user._id), figure: user[sort] })))
        isLast = body.length < 2
      }
      const sign = order === 'asc' ? 1 : -1
      const sorted = listed.toSorted((a, b) => sign * (a.figure - b.figure || a.id - b.id))
      if (listed.some((user, place) => user !== sorted[place])) faults.push(`${sort} ${order}`)
      for (const id of users)
        if (listed.filter(user => user.id === id).length !== 1) faults.push(`${id} by ${sort}`)
    }
  return [...faults, ...(await findViolations(database.db)).map(({ detail }) => detail)]
}

/** A label for `amount` cents is ordered and bought, without the carrier. */
async function buy(tx: Tx, userId: number, amount: number): Promise<void> {
  const { id: orderId } = await tx
    .insertInto('shipment_order')
    .values({
      user_id: userId,
      state: 'purchased',
      service_uid: 'any',
      service_name: 'Any',
      price_cents: amount,
      cost_cents: amount,
      tracking_number: String(amount),
      sender: '{}',
      receiver: '{}',
      package: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await hold(tx, userId, cents(amount), { orderId, round: 1 })
  const label = { ownerId: userId, orderId, batchId: null, round: 1, price: cents(amount) }
  await settle(tx, [{ ...label, bought: true }])
}

test('users are sorted by money before anything is copied', async () => {
  await database.owner.pool.query('truncate wallet_figure, wallet_figure_progress')
  await app.creditDollars(ana, 20)
  await app.creditDollars(ben, 50)
  expect(await sortingFaults([ana, ben, zoe])).toEqual([])
})

test('money that moves after it was copied sorts users at once', async () => {
  await copy()
  expect(await lastCopied()).toBe(await newestTransfer())
  expect(await sortingFaults([ana, ben, zoe])).toEqual([])
  await app.creditDollars(zoe, 30)
  await database.tx(tx => buy(tx, ben, 4000))
  await database.tx(tx => buy(tx, ana, 100))
  expect(await sortingFaults([ana, ben, zoe])).toEqual([])
  await copy()
  expect(await lastCopied()).toBe(await newestTransfer())
  expect(await sortingFaults([ana, ben, zoe])).toEqual([])
})

test('a user who signs up later is listed', async () => {
  const kim = await customer('Kim')
  expect(await sortingFaults([ana, ben, zoe, kim])).toEqual([])
  await app.creditDollars(kim, 25)
  expect(await sortingFaults([ana, ben, zoe, kim])).toEqual([])
})

test('a purchase that commits after a later one was copied counts', async () => {
  await copy()
  const before = await lastCopied()
  await database.tx(async tx => {
    await buy(tx, zoe, 2900)
    await app.creditDollars(ana, 5)
    await copy()
    expect(await lastCopied()).toBe(before)
  })
  expect(await sortingFaults([ana, ben, zoe])).toEqual([])
  await copy()
  expect(await lastCopied()).toBe(await newestTransfer())
  expect(await sortingFaults([ana, ben, zoe])).toEqual([])
})

test('users who are deleted or filtered out are on no page', async () => {
  await app.creditDollars(ben, 1)
  await database.pool.query('update app_user set deleted_at = now() where id = $1', [ben])
  expect(await sortingFaults([ana, zoe])).toEqual([])
  const query = { sort: 'balance', user_role: 'admin' } as const
  const { body, headers } = await app.call(listUsers, { query }, token)
  expect([body.length, headers['x-total-count']]).toEqual([1, '1'])
})
