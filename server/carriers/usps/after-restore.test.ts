/**
 * After a restore USPS may refuse a used key with another body, in words that are not known: that
 * refusal does not prove that nothing was sold.
 */
import { afterAll, expect, test } from 'vitest'
import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { callPurchase } from '#server/carriers/calls.ts'
import type { Carrier } from '#server/carriers/port.ts'
import { reconcile } from '#server/purchasing/reconcile.ts'
import { startPurchaseWorker } from '#server/purchasing/worker.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import { PATIENCE_MS, shipmentOf } from '#tests/support/carriers/buyer.ts'
import { openUspsStub, USPS_ACCOUNT, USPS_KEYS } from '#tests/support/carriers/usps-stub.ts'
import { testDatabase } from '#tests/support/database.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { readLabels } from '#tests/support/silent-carrier.ts'
import { uspsCarrier } from './adapter.ts'

const lost = await testDatabase()
const stub = await openUspsStub()
afterAll(stub.close)

const carrierOf = (notes: TestDatabase, instance: string) =>
  uspsCarrier({
    ...USPS_KEYS,
    url: stub.urlOn(),
    account: USPS_ACCOUNT,
    instance: () => Promise.resolve(instance),
    notes: createAttemptNotes(notes),
    rateLimit: { perMinute: 60_000, burst: 6_000 },
  })

/** The refusal of a used key does not say that it is about the key. */
const inOtherWords = (carrier: Carrier): Carrier => ({
  ...carrier,
  async purchase(attempt, shipment, signal) {
    const outcome = await carrier.purchase(attempt, shipment, signal)
    return outcome.ok
      ? outcome
      : { ...outcome, kind: 'permanent', message: 'The request differs from an earlier one' }
  },
})

/** A label was bought after the backup, with another body: on another day, say. Its purchase is repeated. */
async function repeatPurchase(isRestored: boolean): Promise<{ state: string; sold: number }> {
  const instance = isRestored ? 'restored' : 'never-restored'
  let result = { state: '', sold: 0 }
  await withSimulation(
    {
      change: ({ database, config }) => ({
        config: { ...config, carrierTimeoutMs: PATIENCE_MS },
        carrier: inOtherWords(carrierOf(database as TestDatabase, instance)),
      }),
    },
    async place => {
      const { pool } = place.database
      await setCustomerBalance(place, place.customerIds[0], 1_000)
      const before = stub.labels.size
      await submitBatch(place, place.customerIds[0], [''])
      const { rows } = await pool.query<{ id: number }>('select id from shipment_order')
      const attempt = { reference: String(rows[0]!.id), round: 1 }
      const shipment = shipmentOf('usps:PRIORITY_MAIL')
      const sale = await callPurchase(carrierOf(lost, instance), attempt, shipment, PATIENCE_MS)
      expect(sale.ok).toBe(true)
      if (isRestored)
        await pool.query(`insert into app_setting (key, value) values ('restored_at', now()::text)`)

      await startPurchaseWorker(place.ctx).stop()
      await pool.query('update shipment_order set run_after = clock_timestamp()')
      await reconcile(place.ctx)
      const [label] = await readLabels(place)
      result = { state: label!.state, sold: stub.labels.size - before }
    },
  )
  return result
}

test('a label that was bought after the backup is found, though the carrier refuses its repetition', async () => {
  expect(await repeatPurchase(true)).toEqual({ state: 'purchased', sold: 1 })
})

test('without a restore a refusal ends the label at once', async () => {
  expect(await repeatPurchase(false)).toMatchObject({ state: 'failed' })
})
