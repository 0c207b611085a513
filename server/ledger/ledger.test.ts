import { beforeAll, expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { testDatabase } from '#tests/support/database.ts'
import {
  credit,
  hold,
  openWallet,
  postTransfers,
  refund,
  settle,
  statementOf,
  findViolations,
  walletOf,
} from './service.ts'

const database = await testDatabase()
const { db } = database
let ana = 0
let ben = 0

async function newUser(name: string): Promise<number> {
  return database.tx(async tx => {
    const { id } = await tx
      .insertInto('app_user')
      .values({
        name,
        email: `${name}@example.test`,
        email_key: `${name}@example.test`,
        password_hash: '-',
        referral_code: name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await openWallet(tx, id)
    return id
  })
}

let invoices = 0
async function deposit(owner: number, amount: number): Promise<boolean> {
  const n = ++invoices
  return database.tx(tx =>
    credit(tx, owner, cents(amount), { id: n, provider: 'sandbox', externalId: `inv-${n}`, n: 1 }),
  )
}

const settling = (orderId: number, price: number, bought: boolean, round = 1) =>
  database.tx(tx =>
    settle(tx, [{ ownerId: ana, orderId, batchId: null, round, price: cents(price), bought }]),
  )
const holding = (orderId: number, price: number, round = 1) =>
  database.tx(tx => hold(tx, ana, cents(price), { orderId, round }))
const wallet = async (owner = ana) => {
  const { available, held, spent } = await walletOf(db, owner)
  return { available, held, spent }
}
const books = async () =>
  (await findViolations(db)).filter(found => /journal|negative/.test(found.rule + found.detail))

beforeAll(async () => {
  ana = await newUser('ana')
  ben = await newUser('ben')
})

test('a wallet holds, captures and releases money, and refuses wrong transfers', async () => {
  expect(await deposit(ana, 2000)).toBe(true)
  expect(await wallet()).toEqual({ available: 2000, held: 0, spent: 0 })

  await holding(1, 750)
  expect(await wallet()).toEqual({ available: 1250, held: 750, spent: 0 })

  await expect(holding(2, 1300)).rejects.toThrow(
    'Insufficient balance: this order costs $13.00; your balance is $12.50.',
  )
  expect(await wallet()).toEqual({ available: 1250, held: 750, spent: 0 })

  await settling(1, 750, true)
  expect(await wallet()).toEqual({ available: 1250, held: 0, spent: 750 })

  await settling(1, 750, true) // said twice: found, not posted again
  expect(await wallet()).toEqual({ available: 1250, held: 0, spent: 750 })

  await expect(settling(1, 750, false)).rejects.toThrow() // a bought label cannot be released
  await expect(settling(1, 700, true)).rejects.toThrow('exists with other content')

  await holding(3, 500)
  await settling(3, 500, false)
  expect(await wallet()).toEqual({ available: 1250, held: 0, spent: 750 })
  await holding(3, 500, 2) // retry: a new round
  await settling(3, 500, true, 2)
  await expect(settling(3, 500, true, 3)).rejects.toThrow() // captured already, in another round
  expect(await wallet()).toEqual({ available: 750, held: 0, spent: 1250 })
  expect(await books()).toEqual([])
})

test('a voided label is refunded once, in full, and no longer counts as spent', async () => {
  const refunding = (orderId: number, price: number) =>
    database.tx(tx =>
      refund(tx, [{ ownerId: ana, orderId, batchId: null, round: 1, price: cents(price) }]),
    )
  const before = await wallet()
  await holding(20, 300)
  await settling(20, 300, true)
  await Promise.all(Array.from({ length: 10 }, () => refunding(20, 300)))
  expect(await wallet()).toEqual(before)
  await expect(refunding(20, 299)).rejects.toThrow('exists with other content')
  expect(await wallet()).toEqual(before)
  expect(await books()).toEqual([])
})

test('a free label is held and captured like any other', async () => {
  await holding(10, 0)
  await settling(10, 0, true)
  expect((await wallet()).held).toBe(0)
})

test('of fifty simultaneous orders with money for ten exactly ten are accepted', async () => {
  await deposit(ben, 1000)
  const tried = await Promise.allSettled(
    Array.from({ length: 50 }, (_, i) =>
      database.tx(tx => hold(tx, ben, cents(100), { orderId: 1000 + i, round: 1 })),
    ),
  )
  expect(tried.filter(one => one.status === 'fulfilled')).toHaveLength(10)
  expect(await wallet(ben)).toEqual({ available: 0, held: 1000, spent: 0 })
  expect(await books()).toEqual([])
})

test('a deposit reported twenty times at once is credited once', async () => {
  const before = (await walletOf(db, ben)).deposited
  const told = await Promise.all(
    Array.from({ length: 20 }, () =>
      database.tx(tx =>
        credit(tx, ben, cents(300), { id: 900, provider: 'sandbox', externalId: 'same', n: 1 }),
      ),
    ),
  )
  expect(told.filter(Boolean)).toHaveLength(1)
  expect((await walletOf(db, ben)).deposited).toBe(before + 300)
})

test('a statement adds up to the balance on every page', async () => {
  const { entries, total } = await statementOf(db, ana, 1, 100)
  expect(entries).toHaveLength(total)
  expect(entries.reduce((n, entry) => n + entry.amount, 0)).toBe(
    (await walletOf(db, ana)).available,
  )
  expect(entries[0]!.balance).toBe((await walletOf(db, ana)).available)
  entries.forEach((entry, i) =>
    expect(entry.balance - entry.amount).toBe(entries[i + 1]?.balance ?? 0),
  )
  const second = await statementOf(db, ana, 2, 2)
  expect(second.entries).toEqual(entries.slice(2, 4))
  expect(entries.map(entry => entry.kind)).not.toContain('capture')
})

test('the database refuses incorrect transfers', async () => {
  const refused = async (statement: string) => {
    await expect(database.pool.query(statement), statement).rejects.toThrow('permission denied')
    await expect(database.owner.pool.query(statement), statement).rejects.toThrow(
      /never changed|by a transfer only/,
    )
  }
  await refused('update transfer set cents = 1')
  await refused('delete from transfer')
  await refused('truncate transfer cascade')
  await refused('update balance set credits = credits + 100')
  await refused('delete from balance')
  // a hold that pays another user; accounts and a kind that do not exist; an amount below zero, a deposit
  // of nothing, an adjustment without a reason
  const accounts = await database.db.selectFrom('account').selectAll().execute()
  const find = (kind: string, owner: number) =>
    accounts.find(a => a.kind === kind && a.owner_id === owner)!.id
  const sound = { kind: 'hold' as const, debit: find('available', ana), credit: find('held', ana) }
  for (const unsound of [
    { credit: find('held', ben) },
    { credit: 999_999 },
    { debit: 999_999 },
    { kind: 'gift' as never },
  ]) {
    const { kind, debit, credit } = { ...sound, ...unsound }
    const values = { kind, debit_account_id: debit, credit_account_id: credit, cents: 1, key: 'x' }
    await expect(
      database.tx(tx =>
        tx
          .insertInto('transfer')
          .values({ owner_id: ana, ...values })
          .execute(),
      ),
    ).rejects.toThrow('does not fit its accounts')
  }
  const wrong = (kind: 'deposit' | 'hold' | 'adjust_up', amount: number) =>
    expect(
      database.tx(tx =>
        postTransfers(tx, [
          {
            ownerId: ana,
            kind,
            cents: cents(amount),
            key: `wrong:${kind}`,
            orderId: 5,
            invoiceId: 5,
          },
        ]),
      ),
    ).rejects.toThrow()
  await wrong('hold', -1)
  await wrong('deposit', 0)
  await wrong('adjust_up', 5)
})

test('transfers of one call are written in the order in which they were given', async () => {
  const given = Array.from({ length: 24 }, (_, n) => ({
    ownerId: n % 3 === 0 ? ben : ana,
    kind: n % 4 < 2 ? ('adjust_up' as const) : ('adjust_down' as const),
    cents: cents(1),
    key: `in-order:${n}`,
    actorId: ana,
    reason: 'order',
  }))
  await database.tx(tx => postTransfers(tx, given))
  const written = await db
    .selectFrom('transfer')
    .select(['owner_id as ownerId', 'kind', 'key'])
    .where('key', 'like', 'in-order:%')
    .orderBy('id')
    .execute()
  expect(written).toEqual(given.map(({ ownerId, kind, key }) => ({ ownerId, kind, key })))
})
