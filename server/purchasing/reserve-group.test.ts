import { afterAll, expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { createKey } from '#contract/api-keys.ts'
import { tidyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { lockWallets } from '#server/ledger/service.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { row } from '#tests/support/rows.ts'
import { openPurchasing } from './open.ts'
import { purchaseLabel } from './place.ts'
import { idempotencyKey } from './reservation.ts'
import type { OrderingKey } from './reservation.ts'

const PRICE = 6.5

const app = await testApp()
const purchasing = openPurchasing(app.ctx)
afterAll(() => purchasing.drain())

type WantedLabel = {
  by: TestUser
  changes?: Partial<BulkRow>
  requestKey?: string
  key?: OrderingKey
}

const inputOf = (changes: Partial<BulkRow> = {}) => ({
  row: tidyRow(row(1, changes)),
  manifested: false,
})
function buy({ by, changes, requestKey, key = null }: WantedLabel): Promise<OrderRecord> {
  const userId = Number(by.user._id)
  const input = inputOf(changes)
  const request = requestKey === undefined ? undefined : idempotencyKey(userId, requestKey, input)
  return purchaseLabel(purchasing, userId, input, request, key)
}
/** Orders of one turn are one group: 'bought', or the code of the refusal. */
const buyTogether = (wanted: WantedLabel[]): Promise<string[]> =>
  Promise.all(
    wanted.map(one =>
      buy(one).then(
        ({ state }) => (state === 'purchased' ? 'bought' : state),
        (error: { code?: string }) => error.code ?? String(error),
      ),
    ),
  )

/** With one label bought before, as the first order of a user is placed alone. */
async function buyer(dollarsLeft: number): Promise<TestUser> {
  const user = await app.register()
  await app.creditDollars(user.user._id, dollarsLeft + PRICE)
  await buy({ by: user })
  return user
}
const balance = async ({ token }: TestUser): Promise<number> =>
  (await app.call(verifySession, {}, token)).body.user.balance
const holdsOf = async (users: TestUser[]): Promise<{ holds: number; transactions: number }> =>
  (
    await app.database.pool.query(
      `select count(*)::int as holds, count(distinct xmin::text)::int as transactions from (
        select *, xmin, row_number() over (partition by owner_id order by id) as n from transfer
          where kind = 'hold' and owner_id = any($1)) h where n > 1`,
      [users.map(({ user }) => user._id)],
    )
  ).rows[0]

test('labels that are ordered at the same time are held in one transaction, and each buyer pays for theirs', async () => {
  const buyers = await Promise.all([100, 100, 100, 100].map(buyer))
  const wanted = [...buyers, ...buyers].map(by => ({ by }))
  expect(await buyTogether(wanted)).toEqual(wanted.map(() => 'bought'))
  expect(await holdsOf(buyers)).toEqual({ holds: 8, transactions: 1 })
  for (const one of buyers) expect(await balance(one)).toBe(100 - 2 * PRICE)
  const { rows } = await app.database.pool.query(
    `select o.user_id, array_agg(e.position order by e.position) as positions, bool_and(e.placed_at = o.created_at) as same_time
      from shipment_order o join order_list_entry e on e.order_id = o.id and e.user_id = o.user_id
      where o.user_id = any($1) group by 1`,
    [buyers.map(({ user }) => user._id)],
  )
  for (const one of rows) expect(one).toMatchObject({ positions: [1, 2, 3], same_time: true })
})

test('an order that is refused changes nothing for those that come with it', async () => {
  const [ana, ben, cleo] = [await buyer(100), await buyer(1), await buyer(100)]
  expect(
    await buyTogether([
      { by: ana, changes: { ServiceName: 'Pony Express' } },
      { by: ana },
      { by: ben },
      { by: cleo, changes: { ToCity: '' } },
      { by: cleo },
      { by: cleo, changes: { ToStreet2: 'SANDBOX REFUSE' } },
    ]),
  ).toEqual([
    'service_unknown',
    'bought',
    'insufficient_balance',
    'required',
    'bought',
    'label_refused',
  ])
  expect(await holdsOf([ana, ben, cleo])).toEqual({ holds: 3, transactions: 1 })
  expect([await balance(ana), await balance(ben), await balance(cleo)]).toEqual([93.5, 1, 93.5])
})

test('of two labels with money for one, the first is bought and the second refused with what is left', async () => {
  const ana = await buyer(10)
  const [first, second] = await Promise.allSettled([buy({ by: ana }), buy({ by: ana })])
  expect(first.status).toBe('fulfilled')
  expect((second as PromiseRejectedResult).reason.message).toBe(
    'Insufficient balance: this order costs $6.50; your balance is $3.50.',
  )
  expect(await balance(ana)).toBe(3.5)
})

test('a wallet that another transaction has locked delays its owner alone', async () => {
  const [ana, ben] = [await buyer(100), await buyer(100)]
  let anasLabel: Promise<OrderRecord> | undefined
  await app.database.tx(async tx => {
    await lockWallets(tx, [Number(ana.user._id)])
    anasLabel = buy({ by: ana })
    expect(await buyTogether([{ by: ben }, { by: ben }])).toEqual(['bought', 'bought'])
  })
  expect((await anasLabel!).state).toBe('purchased')
  expect([await balance(ana), await balance(ben)]).toEqual([100 - PRICE, 100 - 2 * PRICE])
})

test('a request that is repeated in the same moment is one label, with another input it is refused', async () => {
  const ana = await buyer(100)
  const same = { by: ana, requestKey: 'monday' }
  const orders = await Promise.all([buy(same), buy(same), buy(same)])
  expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
  expect(
    await buyTogether([
      { ...same, changes: { PackageWeight: '3' } },
      same,
      { by: ana, requestKey: 'tuesday' },
    ]),
  ).toEqual(['idempotency_key_reused', 'bought', 'bought'])
  expect(await balance(ana)).toBe(100 - 2 * PRICE)
})

test('an order that the database refuses fails alone', async () => {
  const [ana, ben] = [await buyer(100), await buyer(100)]
  await app.database.owner.pool.query(`
    create function refuse_name() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refuse_name before insert on shipment_order for each row
      when (new.receiver ->> 'name' = 'Nemo') execute function refuse_name()`)
  const answers = await buyTogether([
    { by: ana },
    { by: ben, changes: { ToRecipientName: 'Nemo' } },
    { by: ben },
  ])
  expect([answers[0], answers[2]]).toEqual(['bought', 'bought'])
  expect(answers[1]).toBe('P0001')
  expect([await balance(ana), await balance(ben)]).toEqual([93.5, 93.5])
})

test('an order whose commit has no answer is not placed a second time', async () => {
  const ana = await buyer(100)
  const { database } = purchasing
  const losing: typeof database.tx = async work => {
    await database.tx(work)
    throw new Error('The answer was lost')
  }
  const context = { ...purchasing, database: { ...database, tx: losing } }
  await expect(purchaseLabel(context, Number(ana.user._id), inputOf())).rejects.toThrow(
    'The answer was lost',
  )
  expect((await holdsOf([ana])).holds).toBe(1)
})

test('a key with a daily limit pays for as many labels as fit, beside orders without a key', async () => {
  const ana = await buyer(100)
  const { body } = await app.call(
    createKey,
    {
      params: { userId: ana.user._id },
      body: { name: 'Warehouse', scopes: ['labels:buy'], dailyLimit: 14 },
    },
    ana.token,
  )
  const keyed = { by: ana, key: { id: Number(body._id) } }
  const answers = await buyTogether([keyed, { by: ana }, keyed, keyed])
  expect(answers.toSorted()).toEqual(['bought', 'bought', 'bought', 'daily_limit_reached'])
  expect(await balance(ana)).toBe(100 - 3 * PRICE)
})
