import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { adjustBalanceTo } from './adjustment.ts'
import { hold, statementOf, findViolations, walletOf } from './service.ts'

const database = await testDatabase()
const operator = await newUser(database, 'operator')
const ana = await newUser(database, 'ana')
let lines = 0
const set = (wanted: number) =>
  database.tx(tx =>
    adjustBalanceTo(tx, ana, cents(wanted), {
      actorId: operator,
      reason: 'opening balance',
      auditId: ++lines,
    }),
  )

test('an adjustment by the operator posts the difference with its reason and leaves holds alone', async () => {
  expect(await set(20_00)).toBe(20_00)
  await database.tx(tx => hold(tx, ana, cents(7_50), { orderId: 1, round: 1 }))
  expect(await set(15_00)).toBe(2_50)
  expect(await set(15_00)).toBe(0)
  expect(await set(0)).toBe(-15_00)
  expect(await walletOf(database.db, ana)).toMatchObject({
    available: 0,
    held: 7_50,
    deposited: 0,
    spent: 0,
  })
  const { entries } = await statementOf(database.db, ana, 1, 10)
  expect(entries.map(({ kind, amount, balance, note }) => [kind, amount, balance, note])).toEqual([
    ['adjust_down', -15_00, 0, 'opening balance'],
    ['adjust_up', 2_50, 15_00, 'opening balance'],
    ['hold', -7_50, 12_50, null],
    ['adjust_up', 20_00, 20_00, 'opening balance'],
  ])
})

test('simultaneous adjustments apply one after the other', async () => {
  await Promise.all([1, 2, 3, 4, 5].map(n => set(n * 10_00)))
  const { entries } = await statementOf(database.db, ana, 1, 5)
  expect(entries.map(({ balance }) => balance).toSorted((a, b) => a - b)).toEqual([
    10_00, 20_00, 30_00, 40_00, 50_00,
  ])
  const broken = await findViolations(database.db)
  expect(
    broken.filter(
      ({ rule }) => rule === 'balance-equals-journal' || rule === 'adjustment-explained',
    ),
  ).toEqual([])
})
