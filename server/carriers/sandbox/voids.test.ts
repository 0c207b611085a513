import { expect, test } from 'vitest'
import { callVoid } from '#server/carriers/calls.ts'
import { shipmentOf } from '#tests/support/carriers/buyer.ts'
import { testDatabase } from '#tests/support/database.ts'
import { sandboxCarrier } from './adapter.ts'
import { selectSandboxPurchases } from './store.ts'

const database = await testDatabase()
const carrier = sandboxCarrier(database, { latencyMs: 0 })
const { signal } = new AbortController()
const shipment = shipmentOf('usps:PRIORITY_MAIL')

let labels = 0
/** Buys a label whose recipient has `street2`. */
async function bought(street2 = '') {
  const attempt = { reference: String(++labels), round: 1 }
  const ask = () =>
    carrier.purchase(
      attempt,
      { ...shipment, receiver: { ...shipment.receiver, street2 } },
      AbortSignal.abort(),
    )
  for (;;) {
    const outcome = await ask().catch(() => null)
    const found = outcome?.ok ? outcome.purchase : null
    const sold = found ?? (await selectSandboxPurchases(database.db, attempt.reference))[0]
    if (sold) return { attempt, trackingNumber: sold.trackingNumber }
  }
}
const voidedAt = async (reference: string) =>
  (await selectSandboxPurchases(database.db, reference))[0]!.voidedAt

test('a void is stored before it is confirmed, and a repeated void is confirmed too', async () => {
  const label = await bought()
  expect(await voidedAt(label.attempt.reference)).toBeNull()
  expect(await Promise.all([1, 2, 3].map(() => carrier.void(label, signal)))).toEqual(
    Array(3).fill({ kind: 'voided' }),
  )
  const moment = await voidedAt(label.attempt.reference)
  expect(moment).toBeInstanceOf(Date)
  expect(await carrier.void(label, signal)).toEqual({ kind: 'voided' })
  expect(await voidedAt(label.attempt.reference)).toEqual(moment)
})

test('a label that cannot be voided, was never sold, or has another number is refused', async () => {
  const novoid = await bought('Sandbox novoid')
  expect(await carrier.void(novoid, signal)).toMatchObject({
    kind: 'permanent',
    code: 'NOT_VOIDABLE',
  })
  const label = await bought()
  const unknown = { kind: 'permanent', code: 'LABEL_UNKNOWN' }
  expect(
    await carrier.void({ ...label, trackingNumber: novoid.trackingNumber }, signal),
  ).toMatchObject(unknown)
  expect(
    await carrier.void({ ...label, attempt: { ...label.attempt, round: 2 } }, signal),
  ).toMatchObject(unknown)
  expect(await voidedAt(novoid.attempt.reference)).toBeNull()
  expect(await voidedAt(label.attempt.reference)).toBeNull()
})

test.each(['SANDBOX LOST', 'SANDBOX LATE'])(
  '%s: voided, but the response comes only with the next request',
  async command => {
    const label = await bought(command)
    expect(await callVoid(carrier, label, 150)).toMatchObject({ kind: 'unknown' })
    expect(await voidedAt(label.attempt.reference)).not.toBeNull()
    expect(await callVoid(carrier, label, 150)).toEqual({ kind: 'voided' })
  },
)

test('SANDBOX BUSY: refused twice, and nothing happened', async () => {
  const label = await bought('SANDBOX BUSY')
  for (const _ of [1, 2])
    expect(await carrier.void(label, signal)).toMatchObject({ kind: 'retryable', code: '429' })
  expect(await voidedAt(label.attempt.reference)).toBeNull()
  expect(await carrier.void(label, signal)).toEqual({ kind: 'voided' })
})

test('a label without a command can be voided', async () => {
  const label = await bought('SANDBOX NOVOID')
  await database.pool.query('update sandbox_purchase set command = null where reference = $1', [
    label.attempt.reference,
  ])
  expect(await carrier.void(label, signal)).toEqual({ kind: 'voided' })
})

test('the sandbox account has a million dollars less the valid sales', async () => {
  const before = (await carrier.balance(signal))!
  const label = await bought()
  expect(await carrier.balance(signal)).toBe(before - 690)
  await carrier.void(label, signal)
  expect(await carrier.balance(signal)).toBe(before)
  await database.pool.query('update sandbox_purchase set voided_at = now()')
  expect(await carrier.balance(signal)).toBe(100_000_000)
})
