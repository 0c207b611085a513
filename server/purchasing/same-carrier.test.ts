import { expect, test } from 'vitest'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { withSimulation, setCustomerBalance } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { assertSameCarrier } from './same-carrier.ts'
import { startPurchaseWorker } from './worker.ts'

/** `earlier`: another name of the same account. */
const startWith = ({ ctx }: Simulation, account: string, earlier: string[] = []): Promise<void> =>
  assertSameCarrier({
    ...ctx,
    carrier: { ...ctx.carrier, name: account.split(':')[0]!, account },
    config: { ...ctx.config, carrierSameAccount: earlier },
  })

const OURS = 'shipengine:se-1'
/** A server with two unknown labels of this account. */
const withTwoUnknown = (run: (place: Simulation) => Promise<void>): Promise<void> =>
  withSimulation(
    {
      change: ({ carrier }) => ({ carrier: { ...carrier, name: 'shipengine', account: OURS } }),
    },
    async place => {
      await startWith(place, OURS)
      await setCustomerBalance(place, place.customerIds[0], 100_000)
      await submitBatch(place, place.customerIds[0], ['', 'SANDBOX LOST'])
      place.outages.carrierIsSilent = true
      await startPurchaseWorker(place.ctx).stop()
      await run(place)
    },
  )

test('the carrier cannot be changed while labels are open, and can be changed afterwards', () =>
  withTwoUnknown(async place => {
    await expect(startWith(place, 'usps:7')).rejects.toThrow(OperatorError)
    await expect(startWith(place, 'usps:7')).rejects.toThrow(
      /2 labels are .* with CARRIER=shipengine, .* Start with CARRIER=shipengine/,
    )
    await expect(startWith(place, OURS)).resolves.toBeUndefined()
    await place.database.pool.query(
      `update shipment_order set state = 'purchased', tracking_number = '98' where state = 'unknown'`,
    )
    await expect(startWith(place, 'usps:7')).resolves.toBeUndefined()
    await expect(startWith(place, OURS)).resolves.toBeUndefined()
  }))

test('the carrier account cannot be changed either; one with only a new name continues', () =>
  withTwoUnknown(async place => {
    await expect(startWith(place, 'shipengine:se-2')).rejects.toThrow(
      /2 labels are .* account shipengine:se-1, and shipengine:se-2 knows .* or, .* with CARRIER_SAME_ACCOUNT=shipengine:se-1\./,
    )
    await expect(startWith(place, 'shipengine:se-2', [OURS])).resolves.toBeUndefined()
  }))

test('labels from before accounts were recorded belong to the account of the first start', () =>
  withTwoUnknown(async place => {
    await place.database.pool.query(`update shipment_order set carrier_account = null`)
    await place.database.pool.query(`delete from app_setting where key = 'first-carrier-account'`)
    await expect(startWith(place, 'usps:7')).rejects.toThrow(
      /2 labels are .* with CARRIER=shipengine, .* Start with CARRIER=shipengine until/,
    )
    await startWith(place, OURS)
    await expect(startWith(place, 'shipengine:se-2')).rejects.toThrow(
      /2 labels are .* account shipengine:se-1, and/,
    )
  }))
