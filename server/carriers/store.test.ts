import { afterEach, expect, test, vi } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { closeCarrierCalls, insertVoidCalls } from './store.ts'

const database = await testDatabase()

afterEach(() => void vi.useRealTimers())

test.each([
  ['right', 0],
  ['a year behind', -365],
  ['ten years ahead', 3_650],
])('an answer is recorded where the clock of the machine is %s', async (_, days) => {
  const call = { orderId: 1_000 + days, round: 1, attempt: 1, fence: 1 }
  await database.tx(tx => insertVoidCalls(tx, 'sandbox', [call]))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 24 * 3600_000 })
  const purchase = { trackingNumber: '9400', costCents: null }
  await database.tx(tx => closeCarrierCalls(tx, [{ ...call, outcome: { ok: true, purchase } }]))
  const { rows } = await database.pool.query(
    'select outcome from carrier_call where order_id = $1 and finished_at is not null',
    [call.orderId],
  )
  expect(rows).toEqual([{ outcome: 'bought' }])
})
