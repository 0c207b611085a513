import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { adjustBalanceTo } from './adjustment.ts'
import { chargeOwed, creditCustomer, giveBackCharge, waitingOf } from './owed-charges.ts'
import { allot } from './rules.ts'
import { credit, findViolations, hold, refund, settle, statementOf, walletOf } from './service.ts'

const database = await testDatabase()
const { db } = database
const operator = await newUser(database, 'operator')
let invoices = 0
const deposit = (owner: number, amount: number) =>
  database.tx(tx => {
    const id = ++invoices
    return credit(tx, owner, cents(amount), { id, provider: 'sandbox', externalId: `i${id}`, n: 1 })
  })
const charge = (ownerId: number, subject: string, amount: number) =>
  database.tx(tx =>
    chargeOwed(tx, { ownerId, orderId: 7, subject, reason: 'Weight', cents: cents(amount) }),
  )
const giveBack = (subject: string) =>
  database.tx(tx =>
    giveBackCharge(tx, subject, {
      most: cents(100_00),
      actorId: operator,
      reason: 'You were right',
    }),
  )
const availableOf = async (owner: number) => (await walletOf(db, owner)).available
const waits = async (owner: number) => (await waitingOf(db, owner)).total
const moneyRules = async () =>
  (await findViolations(db)).filter(({ rule }) =>
    ['balance-equals-journal', 'totals-equal-journal', 'owed-charge-collected'].includes(rule),
  )

test('a balance is shared out to what waits, oldest first, each of its own owner', () => {
  const one = (ownerId: number, due: number) => ({ ownerId, due: cents(due) })
  const shared = (charges: ReturnType<typeof one>[], balances: [number, number][]) =>
    allot(charges, new Map(balances.map(([id, amount]) => [id, cents(amount)]))).map(
      ({ charge: { ownerId }, cents: amount }) => [ownerId, amount],
    )
  expect(
    shared(
      [one(1, 300), one(1, 500), one(2, 100)],
      [
        [1, 450],
        [2, 0],
      ],
    ),
  ).toEqual([
    [1, 300],
    [1, 150],
  ])
  expect(shared([one(1, 300)], [])).toEqual([])
})

test('what the balance does not cover waits, and the next deposit pays the oldest first', async () => {
  const ana = await newUser(database, 'ana')
  await deposit(ana, 4_00)
  expect(await charge(ana, 'adjustment:1', 6_00)).toBe(4_00)
  expect(await charge(ana, 'adjustment:2', 3_00)).toBe(0)
  expect(await charge(ana, 'adjustment:2', 3_00)).toBe(0)
  expect([await availableOf(ana), await waits(ana)]).toEqual([0, 5_00])
  await deposit(ana, 2_50)
  expect([await availableOf(ana), await waits(ana)]).toEqual([0, 2_50])
  await deposit(ana, 10_00)
  expect([await availableOf(ana), await waits(ana)]).toEqual([7_50, 0])
  const { entries } = await statementOf(db, ana, 1, 20, 'carrier')
  expect(entries.map(({ amount, balance }) => [amount, balance])).toEqual([
    [-2_50, 7_50],
    [-50, 0],
    [-2_00, 50],
    [-4_00, 0],
  ])
  expect(await walletOf(db, ana)).toMatchObject({ deposited: 16_50, spent: 9_00 })
  expect(await moneyRules()).toEqual([])
})

test('money of a refused label and of a refund pays what waits', async () => {
  const ben = await newUser(database, 'ben')
  await deposit(ben, 20_00)
  const label = { ownerId: ben, batchId: null, round: 1, price: cents(10_00) }
  for (const orderId of [71, 72])
    await database.tx(tx => hold(tx, ben, cents(10_00), { orderId, round: 1 }))
  await charge(ben, 'adjustment:3', 12_00)
  await database.tx(tx =>
    settle(tx, [
      { ...label, orderId: 71, bought: false },
      { ...label, orderId: 72, bought: true },
    ]),
  )
  expect([await availableOf(ben), await waits(ben)]).toEqual([0, 2_00])
  await database.tx(tx => refund(tx, [{ ...label, orderId: 72 }]))
  expect([await availableOf(ben), await waits(ben)]).toEqual([8_00, 0])
  expect(await moneyRules()).toEqual([])
})

test('ten charges and ten deposits at the same time: nothing is lost and nothing charged twice', async () => {
  const cleo = await newUser(database, 'cleo')
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => [
      charge(cleo, `race:${n}`, 3_00),
      charge(cleo, `race:${n}`, 3_00),
      deposit(cleo, 4_00),
    ]).flat(),
  )
  expect([await availableOf(cleo), await waits(cleo)]).toEqual([10_00, 0])
  expect(await moneyRules()).toEqual([])
})

test('a charge given back twice at once returns what was collected once; what waited is no longer owed', async () => {
  const dora = await newUser(database, 'dora')
  await deposit(dora, 5_00)
  await charge(dora, 'adjustment:4', 8_00)
  const both = await Promise.all([giveBack('adjustment:4'), giveBack('adjustment:4')])
  expect(both.map(({ returned }) => returned).toSorted()).toEqual([0, 5_00])
  expect([await availableOf(dora), await waits(dora)]).toEqual([5_00, 0])
  await deposit(dora, 1_00)
  expect(await availableOf(dora)).toBe(6_00)
  expect(await giveBack('adjustment:none')).toEqual({ returned: 0, waived: 0 })
  expect(await moneyRules()).toEqual([])
})

test('what comes back of a charge pays another one that waits', async () => {
  const cara = await newUser(database, 'cara')
  await deposit(cara, 5_00)
  await charge(cara, 'adjustment:7', 5_00)
  await charge(cara, 'adjustment:8', 2_00)
  expect(await giveBack('adjustment:7')).toEqual({ returned: 5_00, waived: 0 })
  expect([await availableOf(cara), await waits(cara)]).toEqual([3_00, 0])
  expect(await moneyRules()).toEqual([])
})

test('a balance that an operator raises pays what waits', async () => {
  const gil = await newUser(database, 'gil')
  await charge(gil, 'adjustment:9', 2_00)
  const by = { actorId: operator, reason: 'Confirmed after the charge', auditId: 1 }
  await database.tx(tx => adjustBalanceTo(tx, gil, cents(5_00), by))
  expect([await availableOf(gil), await waits(gil)]).toEqual([3_00, 0])
  expect(await moneyRules()).toEqual([])
})

test('a credit of the carrier pays what waits first', async () => {
  const emil = await newUser(database, 'emil')
  await charge(emil, 'adjustment:5', 2_00)
  await database.tx(tx =>
    creditCustomer(tx, {
      ownerId: emil,
      orderId: 7,
      subject: 'adjustment:6',
      reason: 'Zone',
      cents: cents(3_00),
    }),
  )
  expect([await availableOf(emil), await waits(emil)]).toEqual([1_00, 0])
  expect(await walletOf(db, emil)).toMatchObject({ spent: -1_00 })
  expect(await moneyRules()).toEqual([])
})
